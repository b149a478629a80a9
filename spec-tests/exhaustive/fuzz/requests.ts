import { acceptValue, codingValue, mediaType } from './field-values.js'
import { requestText } from './json-text.js'
import { sometimesMutated } from './mutate.js'
import type { Random } from '../../fuzz/random.js'
import { smallerLists, smallerTexts } from '../../fuzz/smaller.js'

export interface FuzzRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

const methods = ['POST', 'POST', 'POST', 'GET', 'GET', 'HEAD', 'QUERY', 'OPTIONS', 'PUT', 'DELETE']
// oxfmt-ignore
const oddMethods = ['post', 'PATCH', '__proto__', 'constructor', 'toString', '', 'GET POST', 'PROPFIND']
const words = 'application/json null localhost chunked http:// , ; " [::1] : *'.split(' ')

/** The fields that the road reads: how their values are made, or what they may be. */
// oxfmt-ignore
const fields: { readonly [name: string]: ((random: Random) => string) | readonly string[] } = {
  Accept: acceptValue,
  'Content-Type': mediaType,
  'Content-Encoding': codingValue,
  'Content-Length': ['0', '10', '1048576', '1048577', '99999999999999999999', '-1', '1e9', '', 'abc', '0x10'],
  Host: ['localhost', 'a:1', '[::1]:80', '', 'a b', 'a,b', '[', 'a/b', 'user@a', 'ä', 'll', 'a:b'],
  'Transfer-Encoding': ['chunked', 'gzip, chunked', 'gzip', 'chunked, chunked', 'identity', '', ',chunked', 'Chunked'],
  Origin: ['http://localhost', 'https://good.example', 'null', 'http://evil.example', '', '://', 'http://A:1'],
  'Sec-Fetch-Site': ['cross-site', 'same-origin', 'none', 'Cross-Site', ''],
  'Access-Control-Request-Method': ['POST'],
  'Access-Control-Request-Headers': ['x-a', 'x-a, content-type', ''],
  'X-Csrf': ['1', ''],
  Expect: ['100-continue', 'nothing'],
  'X-Other': ['a'],
}

/** A request with any method, target and fields; mostly one that gets far. */
export function makeRequest(random: Random): FuzzRequest {
  const method = random.chance(0.05) ? random.pick(oddMethods) : random.pick(methods)
  const isBody = method === 'POST' || method === 'QUERY'
  const headers = random.list(4, () => field(random, random.pick(Object.keys(fields))))
  if (isBody && random.chance(0.8)) headers.push(['Content-Type', 'application/json'])
  const body = isBody || random.chance(0.05) ? requestText(random) : ''
  return { method, target: makeTarget(random), headers, body }
}

function field(random: Random, name: string): readonly [string, string] {
  const spelt = random.pick([name, name, name.toLowerCase(), name.toUpperCase()])
  const values = fields[name]!
  const value = typeof values === 'function' ? values(random) : random.pick(values)
  // Every host lets only such characters through: RFC 9110 section 5.5.
  const made = sometimesMutated(random, value, words, 0.1)
  return [spelt, made.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '')]
}

function makeTarget(random: Random): string {
  // oxfmt-ignore
  const path = random.pick(['/graphql', '/graphql', '/graphql', '/', '/graphql/', '*', 'http://a/graphql'])
  // oxfmt-ignore
  const documents = ['{ __typename }', '{ user(id: 1) { id } }', 'mutation { add }', '{', '{ nope }', '']
  const parts = random.list(3, () =>
    random.pick([
      () => `query=${encodeURIComponent(random.pick(documents))}`,
      () => `variables=${escaped(random.pick(['{}', '[]', '{', '', 'null', '{"a":1}']))}`,
      () => `operationName=${random.pick(['', 'A', '%00', 'toString'])}`,
      () => `extensions=${escaped(requestText(random).slice(0, 100))}`,
    ])(),
  )
  if (random.chance(0.7)) parts.unshift(`query=${encodeURIComponent(random.pick(documents))}`)
  const target = parts.length > 0 ? `${path}?${parts.join('&')}` : path
  if (random.chance(0.01)) return target + 'a'.repeat(9000)
  return sometimesMutated(random, target, '% ? & = // query= # ..'.split(' '), 0.15)
}

/** Half a character, which cannot be escaped, becomes U+FFFD. */
function escaped(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
}

/** Smaller requests: fewer and shorter fields, a shorter target and body. */
export function* smallerRequests(request: FuzzRequest): Generator<FuzzRequest> {
  const { headers, target, body } = request
  for (const fewer of smallerLists(headers, smallerField)) yield { ...request, headers: fewer }
  for (const text of smallerTexts(body)) yield { ...request, body: text }
  for (const text of smallerTexts(target)) yield { ...request, target: text }
}

function* smallerField([name, value]: readonly [string, string]) {
  for (const text of smallerTexts(value)) yield [name, text] as const
}
