import type { HostRequest, Need } from './exchange.js'
import { maxBodyBytes } from './tested-handler.js'

/** What every host must do with a request. */
export interface Row {
  readonly name: string
  readonly request: HostRequest
  readonly needs?: Need
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  /** The JSON of the answer; undefined where only its shape matters. */
  readonly json?: unknown
}

const graphql = 'application/graphql-response+json; charset=utf-8'
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

const echoWords = { query: `{ echo(text: "${words}") }` }
const wordsByVariable = {
  query: 'query Echo($text: String!) { echo(text: $text) }',
  variables: { text: words },
}
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

const uploadHeaders = {
  'content-type': 'multipart/form-data; boundary=limit',
  'graphql-require-preflight': '1',
}

/** Files, read and unread. */
export const uploadRows: readonly Row[] = [
  {
    name: 'POST takes a file',
    request: { body: upload('receive', words), headers: uploadHeaders },
    needs: 'uploads',
    status: 200,
    json: { data: { receive: words } },
  },
  {
    name: 'POST takes a file piece by piece',
    request: { body: split(upload('receive', words)), headers: uploadHeaders },
    needs: 'uploads',
    status: 200,
    json: { data: { receive: words } },
  },
  {
    name: 'POST takes a large file',
    request: { body: upload('receive', 'x'.repeat(90_000)), headers: uploadHeaders },
    needs: 'uploads',
    status: 200,
    json: { data: { receive: 'x'.repeat(90_000) } },
  },
  {
    name: 'a file that is not read does not hold up the response',
    request: { body: upload('ignore', 'x'.repeat(90_000)), headers: uploadHeaders },
    needs: 'uploads',
    status: 200,
    json: { data: { ignore: true } },
  },
  {
    name: 'a multipart body that is cut short is refused',
    request: { body: upload('receive', '').slice(0, 100), headers: uploadHeaders },
    needs: 'uploads',
    status: 400,
  },
]

/** Methods and the ways that parameters travel. */
export const methodRows: readonly Row[] = [
  {
    name: 'POST runs a query',
    request: post({ query: '{ echo(text: "hi") }' }),
    status: 200,
    headers: { 'content-type': graphql, vary: 'Accept', 'x-content-type-options': 'nosniff' },
    json: { data: { echo: 'hi' } },
  },
  {
    name: 'POST runs a mutation, and its answer is not to be stored',
    request: post({ query: 'mutation { count }' }),
    status: 200,
    headers: { 'cache-control': 'no-store' },
  },
  {
    name: 'POST with a resolver that answers later',
    request: post({ query: '{ later(text: "hi") }' }),
    status: 200,
    json: { data: { later: 'hi' } },
  },
  {
    name: 'GET runs a query',
    request: { query: escaped({ query: '{ echo(text: "a & b + c % d") }' }) },
    status: 200,
    json: { data: { echo: 'a & b + c % d' } },
  },
  {
    name: 'GET refuses a mutation and names the methods that take it',
    request: { query: escaped({ query: 'mutation { count }' }) },
    status: 405,
    headers: { allow: 'POST, QUERY, OPTIONS' },
  },
  {
    name: 'QUERY runs a query',
    request: { ...post({ query: '{ echo(text: "hi") }' }), method: 'QUERY' },
    needs: 'query-method',
    status: 200,
    json: { data: { echo: 'hi' } },
  },
  {
    name: 'OPTIONS lists the methods, without a body',
    request: { method: 'OPTIONS' },
    status: 204,
    headers: { allow: 'GET, HEAD, POST, QUERY, OPTIONS', 'accept-query': 'application/json' },
  },
  {
    name: 'PUT is not allowed, and the answer says what is',
    request: { ...post({ query: '{ echo(text: "hi") }' }), method: 'PUT' },
    status: 405,
    headers: { allow: 'GET, HEAD, POST, QUERY, OPTIONS' },
  },
]

/** Text beyond ASCII, whichever way it comes. */
// oxfmt-ignore
export const textRows: readonly Row[] = [
  { name: 'text in the document of a POST',           request: post(echoWords),                            status: 200, json: echoed },
  { name: 'text in a variable',                       request: post(wordsByVariable),                      status: 200, json: echoed },
  { name: 'text cut in the middle of its characters', request: { body: split(JSON.stringify(echoWords)) }, status: 200, json: echoed },
  { name: 'text escaped in a target',                 request: { query: escaped(echoWords) },              status: 200, json: echoed },
  {
    name: 'text as raw UTF-8 in a target',
    request: { query: `?query={echo(text:"${unescaped(words.replaceAll(' ', '%20'))}")}` },
    needs: 'raw-target',
    status: 200,
    json: echoed,
  },
]

const big = { query: '{ echo(text: "hi") }', padding: 'x'.repeat(maxBodyBytes) }

/** What is refused, and what goes wrong. */
// oxfmt-ignore
export const failureRows: readonly Row[] = [
  {
    name: 'an Accept that admits neither type',
    request: post({ query: 'mutation { count }' }, { accept: 'text/html' }),
    status: 406,
    headers: { 'content-type': graphql },
  },
  {
    name: 'a Content-Type that is not JSON',
    request: post({ query: '{ echo(text: "hi") }' }, { 'content-type': 'text/plain' }),
    status: 415,
    headers: { accept: 'application/json', 'accept-query': 'application/json' },
  },
  { name: 'a body that declares too great a length', request: post(big),                                             needs: 'raw-body', status: 413 },
  { name: 'a body that turns out too long', request: { body: Array.from({ length: 30 }, () => Buffer.alloc(1_000, ' ')) }, needs: 'raw-body', status: 413 },
  { name: 'broken JSON',                             request: { body: '{"query":' },                                 needs: 'raw-body', status: 400 },
  { name: 'broken UTF-8',                            request: { body: [Buffer.from('{"query":"\xff"}', 'latin1')] }, needs: 'raw-body', status: 400 },
  { name: 'a document that does not parse',          request: post({ query: '{' }),                                                     status: 400 },
  { name: 'JSON that is no request',                 request: post({ query: 7 }),                                                       status: 422 },
  { name: 'a document that is not valid',            request: post({ query: '{ nope }' }),                                              status: 422 },
  { name: 'a field that fails, its message masked', request: post({ query: '{ fail }' }), status: 294, headers: { 'cache-control': 'no-store' } },
  {
    name: 'a bug in a user function, masked',
    request: post({ query: '{ echo(text: "hi") }' }, { 'x-boom': 'yes' }),
    status: 500,
    headers: { 'content-type': graphql, 'cache-control': 'no-store' },
  },
]
