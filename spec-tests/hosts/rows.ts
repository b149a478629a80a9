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

// oxfmt-ignore
export const uploadRows: readonly Row[] = [
  ['POST takes a file', { body: upload('receive', words), headers: uploadHeaders }, 200, { needs: 'uploads', json: { data: { receive: words } } }],
  [
    'POST takes a file piece by piece',
    { body: split(upload('receive', words)), headers: uploadHeaders },
    200,
    { needs: 'uploads', json: { data: { receive: words } } },
  ],
  [
    'POST takes a large file',
    { body: upload('receive', 'x'.repeat(90_000)), headers: uploadHeaders },
    200,
    { needs: 'uploads', json: { data: { receive: 'x'.repeat(90_000) } } },
  ],
  [
    'a file that is not read does not hold up the response',
    { body: upload('ignore', 'x'.repeat(90_000)), headers: uploadHeaders },
    200,
    { needs: 'uploads', json: { data: { ignore: true } } },
  ],
  ['a multipart body that is cut short is refused', { body: upload('receive', '').slice(0, 100), headers: uploadHeaders }, 400, { needs: 'uploads' }],
]

/** Methods and the ways that parameters travel. */
// oxfmt-ignore
export const methodRows: readonly Row[] = [
  [
    'POST runs a query',
    post({ query: '{ echo(text: "hi") }' }),
    200,
    { headers: { 'content-type': graphql, vary: 'Accept', 'x-content-type-options': 'nosniff' }, json: { data: { echo: 'hi' } } },
  ],
  ['POST runs a mutation, and its answer is not to be stored', post({ query: 'mutation { count }' }), 200, { headers: { 'cache-control': 'no-store' } }],
  ['POST with a resolver that answers later', post({ query: '{ later(text: "hi") }' }), 200, { json: { data: { later: 'hi' } } }],
  ['GET runs a query', { query: escaped({ query: '{ echo(text: "a & b + c % d") }' }) }, 200, { json: { data: { echo: 'a & b + c % d' } } }],
  ['QUERY runs a query', { ...post({ query: '{ echo(text: "hi") }' }), method: 'QUERY' }, 200, { needs: 'query-method', json: { data: { echo: 'hi' } } }],
  [
    'OPTIONS lists the methods, without a body',
    { method: 'OPTIONS' },
    204,
    { headers: { allow: 'GET, HEAD, POST, QUERY, OPTIONS', 'accept-query': 'application/json' } },
  ],
]

/** Text beyond ASCII, whichever way it comes. */
// oxfmt-ignore
export const textRows: readonly Row[] = [
  ['text in the document of a POST',           post(echoWords),                            200, { json: echoed }],
  ['text in a variable',                       post(wordsByVariable),                      200, { json: echoed }],
  ['text cut in the middle of its characters', { body: split(JSON.stringify(echoWords)) }, 200, { json: echoed }],
  ['text escaped in a target',                 { query: escaped(echoWords) },              200, { json: echoed }],
  ['text as raw UTF-8 in a target', { query: `?query={echo(text:"${unescaped(words.replaceAll(' ', '%20'))}")}` }, 200, { needs: 'raw-target', json: echoed }],
]

const big = { query: '{ echo(text: "hi") }', padding: 'x'.repeat(maxBodyBytes) }

/** What is refused, and what goes wrong. */
// oxfmt-ignore
export const failureRows: readonly Row[] = [
  ['an Accept that admits neither type', post({ query: 'mutation { count }' }, { accept: 'text/html' }), 406, { headers: { 'content-type': graphql } }],
  [
    'a Content-Type that is not JSON',
    post({ query: '{ echo(text: "hi") }' }, { 'content-type': 'text/plain' }),
    415,
    { headers: { accept: 'application/json', 'accept-query': 'application/json' } },
  ],
  ['a body that declares too great a length', post(big),                                             413, { needs: 'raw-body' }],
  ['a body that turns out too long', { body: Array.from({ length: 30 }, () => Buffer.alloc(1_000, ' ')) }, 413, { needs: 'raw-body' }],
  ['broken JSON',                             { body: '{"query":' },                                 400, { needs: 'raw-body' }],
  ['broken UTF-8',                            { body: [Buffer.from('{"query":"\xff"}', 'latin1')] }, 400, { needs: 'raw-body' }],
  ['a field that fails, its message masked',  post({ query: '{ fail }' }),                           294, { headers: { 'cache-control': 'no-store' } }],
  [
    'a bug in a user function, masked',
    post({ query: '{ echo(text: "hi") }' }, { 'x-boom': 'yes' }),
    500,
    { headers: { 'content-type': graphql, 'cache-control': 'no-store' } },
  ],
]
