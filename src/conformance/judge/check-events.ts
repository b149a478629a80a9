import { checkHeader, checkPointer } from './check-parts.js'
import type { Exchange, WireEvent } from '../wire/exchange.js'
import { cutText } from '../../base/cut-text.js'
import { quote } from '../wire/quote.js'
import type { Json } from '../suite/checks.js'
import type { DataCheck, EventCheck, EventsCheck } from '../suite/stream-fixture.js'

/** What keeps a connection alive, and what no program sees. */
export function isSilent({ kind }: WireEvent): boolean {
  return kind === 'comment' || kind === 'ping' || kind === 'pong'
}

/** Why a check of the events of a step does not hold; undefined if it holds. */
export function checkEvents(check: EventsCheck, exchange: Exchange): string | undefined {
  const { of } = check
  const events = (exchange.events ?? []).filter((event) =>
    of === undefined ? !isSilent(event) : checkEvent(event, of) === undefined,
  )
  return (
    checkCount(check, events) ??
    checkList(check, events) ??
    checkSome(check, events) ??
    checkTimes(check, events)
  )
}

function checkCount(
  { count, atLeast, atMost }: EventsCheck,
  events: readonly WireEvent[],
): string | undefined {
  const { length } = events
  const came = `${list(events)} came`
  if (count !== undefined && length !== count) return `${came}, not ${amount(count)}`
  if (length < (atLeast ?? 0)) return `${came}, not at least ${amount(atLeast ?? 0)}`
  if (length > (atMost ?? Infinity)) return `${came}, not at most ${amount(atMost ?? 0)}`
  return undefined
}

function checkList(
  { list: wanted, first, last }: EventsCheck,
  events: readonly WireEvent[],
): string | undefined {
  if (first !== undefined) {
    const problem = checkAt(events[0], first, 'the first event')
    if (problem !== undefined) return problem
  }
  if (last !== undefined) {
    const problem = checkAt(events.at(-1), last, 'the last event')
    if (problem !== undefined) return problem
  }
  if (wanted === undefined) return undefined
  for (const [at, one] of wanted.entries()) {
    const problem = checkAt(events[at], one, `event ${at + 1}`)
    if (problem !== undefined) return problem
  }
  const next = events[wanted.length]
  return next && `behind the ${amount(wanted.length)} came ${describeEvent(next)}`
}

function checkAt(
  event: WireEvent | undefined,
  check: EventCheck,
  where: string,
): string | undefined {
  if (event === undefined) return `${where} did not come: ${describeCheck(check)}`
  const problem = checkEvent(event, check)
  return problem && `${where}: ${problem}`
}

function checkSome(
  { each, some, none }: EventsCheck,
  events: readonly WireEvent[],
): string | undefined {
  for (const [at, event] of events.entries()) {
    const problem = each && checkEvent(event, each)
    if (problem !== undefined) return `event ${at + 1}: ${problem}`
    if (none !== undefined && checkEvent(event, none) === undefined) {
      return `event ${at + 1} must not come: ${describeEvent(event)}`
    }
  }
  const isFound = some === undefined || events.some((one) => checkEvent(one, some) === undefined)
  return isFound ? undefined : `${describeCheck(some)} did not come, but ${list(events)}`
}

function checkTimes(
  { gap, prompt }: EventsCheck,
  events: readonly WireEvent[],
): string | undefined {
  const took = (events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)
  if (gap !== undefined && took < gap) {
    return `${list(events)} came within ${Math.round(took)} ms, not ${gap} ms apart`
  }
  if (prompt === undefined) return undefined
  const late = events.findIndex(({ at, knownAt = at }) => knownAt - at > prompt)
  return late < 0
    ? undefined
    : `event ${late + 1} was complete only ${prompt} ms or more after its last byte`
}

/** Why a check of one event does not hold; undefined if it holds. */
export function checkEvent(event: WireEvent, check: EventCheck): string | undefined {
  const { kind, name, code } = check
  if (kind !== undefined && ![kind].flat().includes(event.kind)) {
    return `it is ${describeEvent(event)}, not ${[kind].flat().join(' or ')}`
  }
  if (name !== undefined && ![name].flat().includes(event.name ?? '')) {
    return `it is ${describeEvent(event)}, not named ${[name].flat().join(' or ')}`
  }
  if (code !== undefined && ![code].flat().includes(event.code ?? 0)) {
    return `the code is ${event.code ?? 'missing'}, not ${[code].flat().join(' or ')}`
  }
  return checkFields(event, check) ?? checkData(event, check.data) ?? checkJson(event, check)
}

function checkFields(event: WireEvent, { header }: EventCheck): string | undefined {
  const response = { status: 200, headers: event.headers ?? [], body: new Uint8Array(0) }
  for (const [name, one] of Object.entries(header ?? {})) {
    const problem = checkHeader(response, name, one)
    if (problem !== undefined) return problem
  }
  return undefined
}

function checkData({ data }: WireEvent, check: DataCheck | undefined): string | undefined {
  if (check === undefined) return undefined
  if (check.present && data === undefined) return 'it has no data'
  if (check.equals !== undefined && data !== check.equals) {
    return `its data is ${quote(data ?? '')}, not ${quote(check.equals)}`
  }
  if (check.empty !== undefined && (data === '') !== check.empty) {
    return check.empty ? `its data is ${quote(data ?? 'missing')}, not empty` : 'its data is empty'
  }
  const size = Buffer.byteLength(data ?? '')
  if (size > (check.maxBytes ?? Infinity)) {
    return `its data has ${size} bytes, not at most ${check.maxBytes}`
  }
  return undefined
}

function checkJson(event: WireEvent, { json }: EventCheck): string | undefined {
  if (json === undefined) return undefined
  const value = jsonOfEvent(event)
  if (value === undefined) return `its data is not JSON: ${quote(event.data ?? '')}`
  for (const [pointer, one] of Object.entries(json)) {
    const problem = checkPointer(value, pointer, one, 'its data')
    if (problem !== undefined) return problem
  }
  return undefined
}

/** What was read of an event: many assertions ask for it. */
const readings = new WeakMap<WireEvent, { readonly value: Json | undefined }>()

/** The data of an event as JSON; undefined if it is not JSON. */
export function jsonOfEvent(event: WireEvent): Json | undefined {
  const reading = readings.get(event) ?? { value: parse(event.data ?? '') }
  readings.set(event, reading)
  return reading.value
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** An event as text for people. */
export function describeEvent({ kind, name, data = '', code }: WireEvent): string {
  const more = data === '' ? '' : ` ${show(data)}`
  if (kind === 'event') return `event ${name ?? ''}${more}`
  if (kind === 'close') return `close ${code ?? ''}${more}`
  if (kind === 'end') return 'the end'
  return kind === 'cut' ? `a cut (${data})` : `${kind}${more}`
}

/** Most data is JSON, which would be hard to read in quotes. */
function show(data: string): string {
  return /^[{[][\u0020-\u007e\u00a0-\uffff]*$/.test(data) ? cutText(data, 200) : quote(data)
}

function describeCheck({ kind, name, code, json, data }: EventCheck): string {
  const words = [kind, name, code].flatMap((one) =>
    one === undefined ? [] : [one].flat().join(' or '),
  )
  const pairs = Object.entries(json ?? {}).map(
    ([pointer, { const: value }]) =>
      `${pointer}${value === undefined ? '' : ` ${JSON.stringify(value)}`}`,
  )
  const text = data?.equals === undefined ? [] : [quote(data.equals)]
  return [...words, ...pairs, ...text].join(' ') || 'an event'
}

/** How many events a message names. */
const named = 4

function list(events: readonly WireEvent[]): string {
  if (events.length === 0) return 'nothing'
  const words = events.slice(0, named).map(describeEvent)
  const more = events.length - words.length
  return `${words.join(', ')}${more > 0 ? ` and ${amount(more)} more` : ''}`
}

function amount(number: number): string {
  return number === 1 ? '1 event' : `${number} events`
}
