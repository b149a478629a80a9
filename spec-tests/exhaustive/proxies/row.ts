import { METHODS } from 'node:http'
import type { Test } from 'tap'
import { valueOf, type HostResponse, type HostRequest } from '../../hosts/exchange.js'
import { startOrigin, type Origin } from './origin.js'
import { testWith, type Proxy } from './proxy.js'

export type Row = readonly [
  name: string,
  /** Sent one after the other; the last answer is the one that is looked at. */
  requests: readonly HostRequest[],
  status: number,
  more?: More,
]

interface More {
  /** Default: '/graphql'. */
  readonly path?: string
  /** How many of them have come to the server. Default: all. */
  readonly reached?: number
  /** Whether body, phrase and headers are those that the server sends. Default: not compared. */
  readonly intact?: true
  /** Fields of the answer; `null` for those that must not be there. */
  readonly headers?: { readonly [name: string]: string | RegExp | null }
  readonly body?: RegExp
  /** What has come to the server last. */
  readonly seen?: object
}

/** The fields that a proxy has no business with. */
const ownFields = [
  'content-type',
  'cache-control',
  'vary',
  'etag',
  'retry-after',
  'x-content-type-options',
]

export async function checkRows(
  t: Test,
  proxy: Proxy,
  origin: Origin,
  rows: readonly Row[],
): Promise<void> {
  for (const [title, requests, status, more = {}] of rows) {
    const skip = !isPossible(requests) && 'this Node does not know QUERY'
    await t.test(title, { skip }, async (t) => {
      const { path = '/graphql', reached = requests.length, headers = {}, body, seen } = more
      const before = origin.seen.length
      const send = proxy.client(path)
      let answer: HostResponse | undefined
      for (const request of requests) answer = await send(request)
      if (answer === undefined) throw new Error('A row has a request.')
      t.equal(answer.status, status)
      t.equal(origin.seen.length - before, reached, 'requests have reached the server')
      for (const [name, wanted] of Object.entries(headers)) {
        if (wanted === null) t.equal(valueOf(answer, name), undefined, name)
        else t.match(valueOf(answer, name), wanted, name)
      }
      if (body !== undefined) t.match(answer.body.toString('latin1'), body)
      if (seen !== undefined) t.match(origin.seen.at(-1), seen)
      if (more.intact) {
        const direct = await origin.client(path)(requests.at(-1) ?? {})
        t.equal(answer.body.toString(), direct.body.toString())
        t.equal(answer.statusText, direct.statusText)
        for (const name of ownFields) {
          t.equal(withoutCoding(valueOf(answer, name)), valueOf(direct, name), name)
        }
      }
    })
  }
}

/** Makes the function by which a file tests rows behind its proxy, in front of the usual origin. */
export function testsOf(
  program: string,
  start: (t: Test, path: string, configuration: string) => Promise<Proxy>,
) {
  return (
    name: string,
    configure: (origin: Origin) => string,
    rows: readonly Row[],
    more: (t: Test, proxy: Proxy, origin: Origin) => Promise<unknown> = async () => {},
  ): void =>
    testWith(program, name, async (t, path) => {
      const origin = await startOrigin(t)
      const proxy = await start(t, path, configure(origin))
      await checkRows(t, proxy, origin, rows)
      await more(t, proxy, origin)
    })
}

/** A proxy that compresses varies by that, too. */
function withoutCoding(value: string | undefined): string | undefined {
  return value?.replace('Accept-Encoding, ', '')
}

/** Whether the parser of this Node knows the methods of requests. */
function isPossible(requests: readonly HostRequest[]): boolean {
  return METHODS.includes('QUERY') || !requests.some(({ method }) => method === 'QUERY')
}

type Headers = { readonly [name: string]: string }

export function get(source: string, headers: Headers = {}): HostRequest {
  return { query: `?query=${encodeURIComponent(source)}`, headers }
}

export function post(source: string, headers: Headers = {}): HostRequest {
  return { body: JSON.stringify({ query: source }), headers }
}

export function query(source: string): HostRequest {
  return { ...post(source), method: 'QUERY' }
}

export function read(headers: Headers = {}): HostRequest {
  return { headers }
}

/** A change of a person that expects a version. */
export function change(ifMatch: string, name = 'Ann'): HostRequest {
  return { method: 'PATCH', body: JSON.stringify({ name }), headers: { 'if-match': ifMatch } }
}

/** A row that asks twice by GET, as another caller if there are headers. */
export function twice(
  name: string,
  path: string,
  source: string,
  status: number,
  reached = 2,
  headers: readonly Headers[] = [{}, {}],
): Row {
  return [name, headers.map((one) => get(source, one)), status, { path, reached, intact: true }]
}

/** An echo so long that it pays to compress it. */
export const long = `echo(s: "${'x'.repeat(3_000)}")`

/** What must come through every proxy as the server sends it. */
// oxfmt-ignore
export const untouched: readonly Row[] = [
  ['294 by GET, with its phrase', [get('{ fail }')],               294, { intact: true }],
  ['294 by POST',                 [post('{ fail }')],              294, { intact: true }],
  ['422 by GET',                  [get('{ nope }')],               422, { intact: true }],
  ['422 by POST',                 [post('{ nope }')],              422, { intact: true }],
  ['400',                         [post('{')],                     400, { intact: true }],
  ['405',                         [get('mutation { increment }')], 405, { intact: true }],
  ['503',                         [post('{ counter }')],           503, { path: '/graphql/busy', intact: true }],
  [
    'a query by QUERY, with its body',
    [query('{ echo(s: "one") }'), query('{ echo(s: "two") }')],
    200,
    { body: /"two"/, seen: { method: 'QUERY' }, intact: true },
  ],
  ['294 by QUERY',                 [query('{ fail }')],                294, { intact: true }],
  ['a strong ETag',                [read()],                           200, { path: '/person/1', intact: true }],
  ['304 to If-None-Match',         [read({ 'if-none-match': '"3"' })], 304, { path: '/person/1', headers: { etag: '"3"' } }],
  ['412 to an If-Match of before', [change('"2"')],                    412, { path: '/person/1', intact: true }],
  ['200 to the If-Match of now',   [change('"1"')],                    200, { path: '/person/2', headers: { etag: '"2"' } }],
]

/** The metrics of the server, which a proxy must not publish. */
// oxfmt-ignore
export const unpublished: readonly Row[] = [
  ['does not publish the metrics',         [read()],            404, { path: '/metrics', reached: 0 }],
  ['does not publish them with a query',   [{ query: '?a=b' }], 404, { path: '/metrics', reached: 0 }],
  ['does not publish them with a host',    [read({ host: 'api.example' })], 404, { path: 'http://api.example/metrics', reached: 0 }],
]
