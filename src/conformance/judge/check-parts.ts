import { fieldOf, type WireResponse } from '../wire/exchange.js'
import type { HeaderCheck, Json, JsonCheck, JsonType } from '../suite/checks.js'
import { parseContentType } from '../wire/content-type.js'
import { quote } from '../wire/quote.js'
import { cutText } from '../../base/cut-text.js'
import { isJsonObject } from '../../base/json.js'
import { isDeepStrictEqual } from 'node:util'

/** Why a check of header fields does not hold; undefined if all hold. */
export function checkHeaders(
  response: Pick<WireResponse, 'headers'>,
  checks: { readonly [name: string]: HeaderCheck } = {},
): string | undefined {
  return firstOf(Object.entries(checks), ([name, check]) =>
    checkHeader(fieldOf(response, name), name, check),
  )
}

function checkHeader(
  value: string | undefined,
  name: string,
  check: HeaderCheck,
): string | undefined {
  if (check.absent) return value === undefined ? undefined : `${name} is present: ${quote(value)}`
  if (value === undefined) return `${name} is missing`
  return (
    differs(check.equals, value, name) ??
    mismatches(check, value, name) ??
    checkMedia(check, value, name) ??
    checkTokens(check, value, name)
  )
}

function differs(expected: string | undefined, value: string, name: string): string | undefined {
  if (expected === undefined || expected === value) return undefined
  return `${name} is ${quote(value)}, not ${quote(expected)}`
}

function mismatches(
  { pattern, means }: HeaderCheck,
  value: string,
  name: string,
): string | undefined {
  if (pattern === undefined || new RegExp(pattern, 'i').test(value)) return undefined
  return `${name} is ${quote(value)}, not ${means ?? `a match of /${pattern}/`}`
}

function checkMedia(
  { media, charset }: HeaderCheck,
  value: string,
  name: string,
): string | undefined {
  if (media === undefined && charset === undefined) return undefined
  const found = parseContentType(value)
  if (found === undefined) return `${name} is not a valid media type: ${quote(value)}`
  const expected = media === undefined ? [found.essence] : [media].flat()
  if (!expected.includes(found.essence)) {
    return `${name} is ${quote(value)}, not ${expected.join(' or ')}`
  }
  if (charset === undefined || found.charset === charset) return undefined
  return found.charset === undefined
    ? `${name} has no charset: ${quote(value)}`
    : `the charset of ${name} is ${found.charset}, not ${charset}`
}

function checkTokens(
  { tokens = [], noTokens = [] }: HeaderCheck,
  value: string,
  name: string,
): string | undefined {
  const found = new Set(value.split(',').map((member) => member.trim().toLowerCase()))
  const missing = tokens.find((token) => !found.has(token.toLowerCase()))
  if (missing !== undefined) return `${name} is ${quote(value)}, without ${missing}`
  const unwanted = noTokens.find((token) => found.has(token.toLowerCase()))
  return unwanted === undefined ? undefined : `${name} is ${quote(value)}, with ${unwanted}`
}

/** Why a check of the values at JSON Pointers (RFC 6901) does not hold; undefined if all hold. */
export function checkPointers(
  root: Json,
  checks: { readonly [pointer: string]: JsonCheck } = {},
  name = 'the body',
): string | undefined {
  return firstOf(Object.entries(checks), ([pointer, check]) => {
    const steps = pointer.split('/').slice(1)
    const path = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    return checkValue(valueAt(root, path), check, pointer === '' ? name : pointer)
  })
}

/** The value at a path. Own members only. */
export function valueAt(root: unknown, path: readonly unknown[]): Json | undefined {
  let value = root
  for (const step of path) {
    const name = String(step)
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    if (Array.isArray(value) && !arrayIndex.test(name)) return undefined
    value = (value as { readonly [name: string]: unknown })[name]
  }
  return value as Json | undefined
}

/** RFC 6901 section 4: of a list, only its items. */
const arrayIndex = /^(?:0|[1-9]\d*)$/

function checkValue(value: Json | undefined, check: JsonCheck, where: string): string | undefined {
  if (check.absent) return value === undefined ? undefined : `${where} is present: ${show(value)}`
  if (value === undefined) return `${where} is missing`
  if (check.const !== undefined && !isDeepStrictEqual(value, check.const)) {
    return `${where} is ${show(value)}, not ${show(check.const)}`
  }
  if (check.type !== undefined && ![check.type].flat().some((type) => isOfType(value, type))) {
    return `${where} is ${show(value)}, not of type ${[check.type].flat().join(' or ')}`
  }
  if (check.minimum !== undefined && !(typeof value === 'number' && value >= check.minimum)) {
    return `${where} is ${show(value)}, not at least ${check.minimum}`
  }
  const { maximum } = check
  if (maximum !== undefined && !(typeof value === 'number' && value <= Number(maximum))) {
    return `${where} is ${show(value)}, not at most ${maximum}`
  }
  if (
    check.pattern !== undefined &&
    !new RegExp(check.pattern).test(typeof value === 'string' ? value : toText(value))
  ) {
    return `${where} is ${show(value)}, not ${check.means ?? `a match of /${check.pattern}/`}`
  }
  return checkItems(value, check, where) ?? checkMembers(value, check, where)
}

function checkItems(value: Json, check: JsonCheck, where: string): string | undefined {
  const { minItems, maxItems, each } = check
  if (minItems === undefined && maxItems === undefined && each === undefined) return undefined
  if (!Array.isArray(value)) return `${where} is ${show(value)}, not a list`
  if (value.length < (minItems ?? 0))
    return `${where} has ${value.length} items, fewer than ${minItems}`
  if (value.length > (maxItems ?? Infinity)) {
    return `${where} has ${value.length} items, more than ${maxItems}`
  }
  if (each === undefined) return undefined
  // Without places: making a text for each of a million items would take longer than checking it.
  const at = value.findIndex((item) => checkValue(item, each, '') !== undefined)
  return at < 0 ? undefined : checkValue(value[at], each, `${where}/${at}`)
}

/** A member is checked if it exists; `present` requires it. */
function checkMembers(
  value: Json,
  { keys, members }: JsonCheck,
  where: string,
): string | undefined {
  if (keys === undefined && members === undefined) return undefined
  if (!isOfType(value, 'object')) return `${where} is ${show(value)}, not an object`
  const map = value as { readonly [name: string]: Json }
  const odd = keys && Object.keys(map).find((name) => !keys.includes(name))
  if (odd !== undefined) return `${where} has the unexpected member ${quote(odd)}`
  return firstOf(Object.entries(members ?? {}), ([name, check]) => {
    if (!Object.hasOwn(map, name) && !check.present) return undefined
    return checkValue(map[name], check, `${where}/${name}`)
  })
}

/** The first problem that a check of some items finds. */
export function firstOf<Item>(
  items: Iterable<Item>,
  check: (item: Item) => string | undefined,
): string | undefined {
  for (const item of items) {
    const problem = check(item)
    if (problem !== undefined) return problem
  }
  return undefined
}

function isOfType(value: Json, type: JsonType): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isJsonObject(value)
    case 'integer':
      return Number.isInteger(value)
    case 'boolean':
    case 'number':
    case 'string':
      return typeof value === type
  }
}

function show(value: Json): string {
  return cutText(toText(value), 200)
}

/** A value as JSON, unless it is nested more deeply than the stack allows to write. */
function toText(value: Json): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return '(too deeply nested to show)'
    throw error
  }
}
