import { fieldOf, quote, type Headed } from '../wire/exchange.js'
import type { Assertion, HeaderCheck, Json, JsonCheck, JsonType } from '../suite/checks.js'
import { parseContentType } from '../wire/content-type.js'
import { cutText } from '../../base/cut-text.js'
import { isDeepStrictEqual } from 'node:util'

/** Why a check does not hold; undefined if it holds. */
export type Mismatch = string | undefined

export function checkHeaders(response: Headed, checks: Assertion['header'] = {}): Mismatch {
  return firstOf(Object.entries(checks), ([name, check]) =>
    checkHeader(fieldOf(response, name), name, check),
  )
}

function checkHeader(value: string | undefined, name: string, check: HeaderCheck): Mismatch {
  const { absent, equals, pattern, means } = check
  if (absent) return value === undefined ? undefined : `${name} is present: ${quote(value)}`
  if (value === undefined) return `${name} is missing`
  if (equals !== undefined && equals !== value) {
    return `${name} is ${quote(value)}, not ${quote(equals)}`
  }
  if (pattern !== undefined && !new RegExp(pattern, 'i').test(value)) {
    return `${name} is ${quote(value)}, not ${means ?? `a match of /${pattern}/`}`
  }
  return checkMedia(check, value, name) ?? checkTokens(check, value, name)
}

function checkMedia({ media, charset }: HeaderCheck, value: string, name: string): Mismatch {
  if (media === undefined && charset === undefined) return undefined
  const found = parseContentType(value)
  if (found === undefined) return `${name} is not a valid media type: ${quote(value)}`
  const expected = media === undefined ? [found.essence] : [media].flat()
  if (!expected.includes(found.essence)) {
    return `${name} is ${quote(value)}, not ${expected.join(' or ')}`
  }
  const own = found.parameters.get('charset')?.toLowerCase()
  if (charset === undefined || own === charset) return undefined
  return own === undefined
    ? `${name} has no charset: ${quote(value)}`
    : `the charset of ${name} is ${own}, not ${charset}`
}

function checkTokens(
  { tokens = [], noTokens = [] }: HeaderCheck,
  value: string,
  name: string,
): Mismatch {
  // Methods are case-sensitive (RFC 9110 section 9.1).
  const fold = (token: string): string => (name === 'allow' ? token : token.toLowerCase())
  const found = new Set(value.split(',').map((member) => fold(member.trim())))
  const missing = tokens.find((token) => !found.has(fold(token)))
  if (missing !== undefined) return `${name} is ${quote(value)}, without ${missing}`
  const unwanted = noTokens.find((token) => found.has(fold(token)))
  return unwanted === undefined ? undefined : `${name} is ${quote(value)}, with ${unwanted}`
}

/** Checks the values at JSON Pointers (RFC 6901). */
export function checkPointers(
  root: Json,
  checks: { readonly [pointer: string]: JsonCheck } = {},
  name = 'the body',
): Mismatch {
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

function checkValue(value: Json | undefined, check: JsonCheck, where: string): Mismatch {
  if (check.absent) return value === undefined ? undefined : `${where} is present: ${show(value)}`
  if (value === undefined) return `${where} is missing`
  const expected = expectedInsteadOf(value, check)
  if (expected !== undefined) return `${where} is ${show(value)}, not ${expected}`
  return checkItems(value, check, where) ?? checkMembers(value, check, where)
}

/** What a value should be that a check does not allow, whatever is inside it. */
function expectedInsteadOf(value: Json, check: JsonCheck): string | undefined {
  const { const: constant, type, minimum, maximum, pattern, means } = check
  if (constant !== undefined && !isDeepStrictEqual(value, constant)) return show(constant)
  const types = type === undefined ? [] : [type].flat()
  if (types.length > 0 && !types.some((one) => isOfType(value, one))) {
    return `of type ${types.join(' or ')}`
  }
  const number = typeof value === 'number' ? value : Number.NaN
  if (minimum !== undefined && !(number >= minimum)) return `at least ${minimum}`
  if (maximum !== undefined && !(number <= Number(maximum))) return `at most ${maximum}`
  if (pattern === undefined) return undefined
  const text = typeof value === 'string' ? value : toText(value)
  return new RegExp(pattern).test(text) ? undefined : (means ?? `a match of /${pattern}/`)
}

function checkItems(value: Json, check: JsonCheck, where: string): Mismatch {
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
function checkMembers(value: Json, { keys, members }: JsonCheck, where: string): Mismatch {
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

export function firstOf<Item>(items: Iterable<Item>, check: (item: Item) => Mismatch): Mismatch {
  for (const item of items) {
    const problem = check(item)
    if (problem !== undefined) return problem
  }
  return undefined
}

function isOfType(value: Json, type: JsonType): boolean {
  if (type === 'integer') return Number.isInteger(value)
  return type === (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
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
