import { fieldOf, type WireResponse } from '../wire/exchange.js'
import type { HeaderCheck } from '../suite/fixture.js'
import { parseContentType } from '../wire/content-type.js'
import { quote } from '../wire/quote.js'

/** Why a check of a header field does not hold; undefined if it holds. */
export function checkHeader(
  response: WireResponse,
  name: string,
  check: HeaderCheck,
): string | undefined {
  const value = fieldOf(response, name)
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
