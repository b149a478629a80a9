import { checkPointers, firstOf, valueAt, type Mismatch } from './check-parts.js'
import { jsonOfEvent } from './check-events.js'
import type { Exchange } from '../wire/exchange.js'
import { isJsonObject, type JsonObject } from '../../base/json.js'
import { cutText } from '../../base/cut-text.js'
import type { IncrementalCheck, IncrementalRule, Json, PartsFormat } from '../suite/checks.js'

export function checkIncremental(
  { format, rules = [], merged }: IncrementalCheck,
  exchange: Exchange,
): Mismatch {
  const payloads = payloadsOf(exchange)
  if (typeof payloads === 'string') return payloads
  try {
    const problem = firstOf(rules, (rule) => checks[rule](payloads))
    if (problem !== undefined || merged === undefined) return problem
    const result = mergePayloads(payloads, format)
    return typeof result === 'string' ? result : checkPointers(result, merged, 'the whole result')
  } catch (error) {
    if (error instanceof RangeError) return 'the payloads are nested too deeply to be read'
    throw error
  }
}

function payloadsOf({ events = [] }: Exchange): readonly JsonObject[] | string {
  const carrying = events.filter(
    ({ kind, name }) => kind === 'part' || kind === 'line' || (kind === 'event' && name === 'next'),
  )
  if (carrying.length === 0) return 'no payload came'
  const payloads: readonly unknown[] = carrying.map(jsonOfEvent)
  return payloads.every(isJsonObject) ? payloads : 'a payload is not a JSON object'
}

type Check = (payloads: readonly JsonObject[]) => Mismatch

const checks: { readonly [rule in IncrementalRule]: Check } = {
  'has-next': (payloads) => {
    const at = payloads.findIndex(({ hasNext }, index) => hasNext !== index < payloads.length - 1)
    if (at < 0) return undefined
    return `hasNext of payload ${at + 1} of ${payloads.length} is ${show(payloads[at]?.['hasNext'])}`
  },
  'ids-known': (payloads) => {
    const known = new Set<unknown>()
    for (const payload of payloads) {
      for (const { id } of entriesOf(payload, 'pending')) known.add(id)
      for (const list of ['incremental', 'completed']) {
        const odd = entriesOf(payload, list).find(({ id }) => !known.has(id))
        if (odd) return `${list} has the id ${show(odd['id'])}, which no pending had`
      }
    }
    return undefined
  },
  'ids-unique': (payloads) => {
    const seen = new Set<unknown>()
    for (const { id } of payloads.flatMap((payload) => entriesOf(payload, 'pending'))) {
      if (typeof id !== 'string') return `an id of pending is ${show(id)}, not a string`
      if (seen.has(id)) return `pending has the id ${show(id)} twice`
      seen.add(id)
    }
    return undefined
  },
  'ids-once': (payloads) => {
    const open = new Set<unknown>()
    for (const payload of payloads) {
      for (const { id } of entriesOf(payload, 'pending')) open.add(id)
      for (const { id } of entriesOf(payload, 'incremental')) {
        if (!open.has(id)) return `incremental has the id ${show(id)} after its completion`
      }
      for (const { id } of entriesOf(payload, 'completed')) {
        if (!open.delete(id)) return `the id ${show(id)} is completed twice`
      }
    }
    const [left] = open
    return left === undefined ? undefined : `the id ${show(left)} is never completed`
  },
  'failed-without-data': (payloads) => {
    const failed = payloads
      .flatMap((payload) => entriesOf(payload, 'completed'))
      .filter(({ errors }) => errors !== undefined)
    if (failed.length === 0) return 'no entry of completed has errors'
    const ids = new Set(failed.map(({ id }) => id))
    const entries = payloads.flatMap((payload) => entriesOf(payload, 'incremental'))
    const odd = entries.find(({ id }) => ids.has(id))
    return odd && `incremental has an entry for ${show(odd['id'])}, which failed`
  },
  'paths-fit': (payloads) => {
    const result = mergePayloads(payloads, 'v0.2')
    return typeof result === 'string' ? result : undefined
  },
}

function show(value: unknown): string {
  if (value === undefined) return 'missing'
  return typeof value === 'object' ? 'no text' : cutText(JSON.stringify(value), 60)
}

/** The result that all payloads make together, or why one does not fit. */
function mergePayloads(payloads: readonly JsonObject[], format: PartsFormat): Json | string {
  const [first = {}, ...updates] = payloads
  const result = structuredClone({ data: first['data'] ?? null }) as MutableObject
  const errors: unknown[] = [...listFrom(first['errors'])]
  const paths = new Map<unknown, Json[]>()
  for (const payload of [first, ...updates]) {
    for (const { id, path } of entriesOf(payload, 'pending')) paths.set(id, listFrom(path))
    for (const entry of entriesOf(payload, 'incremental')) {
      const start = format === 'v0.2' ? paths.get(entry['id']) : listFrom(entry['path'])
      if (start === undefined) return 'an entry of incremental has an unknown id'
      const problem = apply(result, entry, [...start, ...listFrom(entry['subPath'])], format)
      if (problem !== undefined) return problem
      addAll(errors, listFrom(entry['errors']))
    }
    for (const entry of entriesOf(payload, 'completed')) addAll(errors, listFrom(entry['errors']))
  }
  return (errors.length === 0 ? result : { ...result, errors }) as Json
}

/** Without a spread, since a target can send more items than the stack can hold. */
function addAll(list: unknown[], more: readonly unknown[]): void {
  for (const one of more) list.push(one)
}

type MutableObject = { [name: string]: unknown }

/** Puts an entry where it belongs; says why it cannot. */
function apply(
  result: MutableObject,
  entry: JsonObject,
  path: readonly Json[],
  format: PartsFormat,
): Mismatch {
  const { items, data } = entry
  if (Array.isArray(items)) {
    const isIndexed = format === 'legacy' && typeof path.at(-1) === 'number'
    const list = valueAt(result['data'], isIndexed ? path.slice(0, -1) : path)
    if (!Array.isArray(list)) return `the path ${JSON.stringify(path)} has no list for its items`
    if (isIndexed && path.at(-1) !== list.length) {
      return `items for index ${JSON.stringify(path.at(-1))} of a list of ${list.length}`
    }
    addAll(list, items as readonly unknown[])
    return undefined
  }
  if (!isJsonObject(data)) return undefined
  const place = valueAt(result['data'], path)
  if (!isJsonObject(place)) return `the path ${JSON.stringify(path)} has no object for its data`
  addMembers(place, data)
  return undefined
}

function addMembers(place: MutableObject, data: JsonObject): void {
  for (const [name, value] of Object.entries(data)) {
    const old = Object.hasOwn(place, name) ? place[name] : undefined
    if (isJsonObject(old) && isJsonObject(value)) addMembers(old, value)
    else Object.defineProperty(place, name, { ...property, value })
  }
}

/** As by an assignment, which would not work for `__proto__`. */
const property = { writable: true, enumerable: true, configurable: true }

function listFrom(value: unknown): Json[] {
  return Array.isArray(value) ? (value as Json[]) : []
}

function entriesOf(payload: JsonObject, name: string): readonly JsonObject[] {
  const list: readonly unknown[] = listFrom(payload[name])
  return list.filter(isJsonObject)
}
