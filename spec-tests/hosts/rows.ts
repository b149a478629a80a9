import type { HostRequest, Need } from './exchange.js'
import { maxBodyBytes } from './tested-handler.js'

export type Row = readonly [name: string, request: HostRequest, status: number, more?: More]

interface More {
  readonly needs?: Need
  readonly headers?: { readonly [name: string]: string }
  /** The JSON of the answer; undefined where only its shape matters. */
  readonly json?: unknown
}

const graphql = 'application/graphql-response+json; charset=utf-8'
const json = 'application/json'
const words = 'Zoë 世界 😀'

function post(body: object, headers: HostRequest['headers'] = {}): HostRequest {
  return { body: JSON.stringify(body), headers }
}

function escaped(parameters: { readonly [name: string]: string }): string {
  return `?${String(new URLSearchParams(parameters))}`
}

/** One character a byte, as a client sends it that escapes nothing. */
function unescaped(text: string): string {
  return Buffer.from(text).toString('latin1')
}

function split(text: string): readonly Uint8Array[] {
  return Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte))
}

const hi = { query: '{ echo(text: "hi") }' }
const saysHi = { data: { echo: 'hi' } }
const echoWords = { query: `{ echo(text: "${words}") }` }
const echoed = { data: { echo: words } }

function upload(field: string, file: string): string {
  const operations = `mutation ($file: Upload!) { ${field}(file: $file) }`
  const part = (name: string, content: string): string =>
    `--limit\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`
  return [
    part('operations', JSON.stringify({ query: operations, variables: { file: null } })),
    part('map', '{"0":["variables.file"]}'),
    part('0', file),
    '--limit--\r\n',
  ].join('')
}

const large = 'x'.repeat(90_000)

// oxfmt-ignore
const uploads: readonly [name: string, body: string | readonly Uint8Array[], status: number, data?: object][] = [
  ['POST takes a file',                                     upload('receive', words),             200, { receive: words }],
  ['POST takes a file piece by piece',                      split(upload('receive', words)),      200, { receive: words }],
  ['POST takes a large file',                               upload('receive', large),             200, { receive: large }],
  ['a file that is not read does not hold up the response', upload('ignore', large),              200, { ignore: true }],
  ['a multipart body that is cut short is refused',         upload('receive', '').slice(0, 100),  400],
]

export const uploadRows = uploads.map(([name, body, status, data]): Row => {
  const type = 'multipart/form-data; boundary=limit'
  const headers = { 'content-type': type, 'graphql-require-preflight': '1' }
  return [name, { body, headers }, status, { needs: 'uploads', json: data && { data } }]
})

const asGraphQL = { 'content-type': graphql, vary: 'Accept', 'x-content-type-options': 'nosniff' }
const methods = 'GET, HEAD, POST, QUERY, OPTIONS'

/** Methods and the ways that parameters travel. */
// oxfmt-ignore
export const methodRows: readonly Row[] = [
  ['POST runs a query', post(hi), 200, { headers: asGraphQL, json: saysHi }],
  ['POST runs a mutation, and its answer is not to be stored', post({ query: 'mutation { count }' }), 200, { headers: { 'cache-control': 'no-store' } }],
  ['POST with a resolver that answers later', post({ query: '{ later(text: "hi") }' }), 200, { json: { data: { later: 'hi' } } }],
  ['GET runs a query', { query: escaped({ query: '{ echo(text: "a & b + c % d") }' }) }, 200, { json: { data: { echo: 'a & b + c % d' } } }],
  ['QUERY runs a query', { ...post(hi), method: 'QUERY' }, 200, { needs: 'query-method', json: saysHi }],
  ['OPTIONS lists the methods, without a body', { method: 'OPTIONS' }, 204, { headers: { allow: methods, 'accept-query': json } }],
]

/** Text beyond ASCII, whichever way it comes. */
// oxfmt-ignore
export const textRows: readonly Row[] = [
  ['text in the document of a POST',           post(echoWords),                            200, { json: echoed }],
  ['text cut in the middle of its characters', { body: split(JSON.stringify(echoWords)) }, 200, { json: echoed }],
  ['text escaped in a target',                 { query: escaped(echoWords) },              200, { json: echoed }],
  ['text as raw UTF-8 in a target', { query: `?query={echo(text:"${unescaped(words.replaceAll(' ', '%20'))}")}` }, 200, { needs: 'raw-target', json: echoed }],
]

const big = { ...hi, padding: 'x'.repeat(maxBodyBytes) }

/** What is refused, and what goes wrong. */
// oxfmt-ignore
export const failureRows: readonly Row[] = [
  ['an Accept that admits neither type', post({ query: 'mutation { count }' }, { accept: 'text/html' }), 406, { headers: { 'content-type': graphql } }],
  ['a Content-Type that is not JSON', post(hi, { 'content-type': 'text/plain' }), 415, { headers: { accept: json, 'accept-query': json } }],
  ['a body that declares too great a length', post(big),                                             413, { needs: 'raw-body' }],
  ['a body that turns out too long', { body: Array.from({ length: 30 }, () => Buffer.alloc(1_000, ' ')) }, 413, { needs: 'raw-body' }],
  ['broken JSON',                             { body: '{"query":' },                                 400, { needs: 'raw-body' }],
  ['broken UTF-8',                            { body: [Buffer.from('{"query":"\xff"}', 'latin1')] }, 400, { needs: 'raw-body' }],
  ['a field that fails, its message masked',  post({ query: '{ fail }' }),                           294, { headers: { 'cache-control': 'no-store' } }],
  ['a bug in a user function, masked', post(hi, { 'x-boom': 'yes' }), 500, { headers: { 'content-type': graphql, 'cache-control': 'no-store' } }],
]
