import { execFile } from 'node:child_process'
import t from 'tap'
import { expectedResponse, failures, mutation, queries, type Exchange } from './exchanges.js'
import { findProgram, programsAreRequired } from './find-program.js'
import { sendWithCurl, sendWithNode, type PlainRequest } from './send-plainly.js'
import { editionNames, failureHeader, serveStandard } from './serve-standard.js'

const curl = findProgram('curl')
const send = curl === undefined ? sendWithNode : sendWithCurl.bind(undefined, curl)
const client = curl === undefined ? 'a request like those of curl, which is not installed' : 'curl'
if (programsAreRequired) t.ok(curl, 'the package curl is installed')

const json = { 'Content-Type': 'application/json' }

for (const edition of editionNames) {
  for (const accept of [undefined, '', '*/*']) {
    const title = accept === undefined ? 'no Accept' : `Accept: ${accept}`
    void t.test(`${client} with ${title}, edition ${edition}`, async (t) => {
      const url = await serveStandard(t, edition)
      const headers = accept === undefined ? {} : { Accept: accept }

      for (const exchange of [...queries, mutation]) {
        for (const method of exchange === mutation ? ['POST'] : ['POST', 'GET', 'QUERY']) {
          void t.test(`gets ${exchange.name} by ${method}`, async (t) => {
            const answer = await send(toRequest(url, method, exchange, headers))
            const [status, type] = expectedResponse(exchange, edition, 'either')
            t.match(answer, { status, type })
            const { data, errors = [] } = JSON.parse(answer.body) as {
              data?: unknown
              errors?: unknown[]
            }
            t.strictSame(data, exchange.data)
            t.equal(errors.length, exchange.errors)
          })
        }
      }
    })
  }
}

void t.test(`${client} learns what it did wrong`, async (t) => {
  const url = await serveStandard(t, '2026-09')
  const body = JSON.stringify({ query: '{ counter }' })
  // oxfmt-ignore
  const rows: [wrong: string, request: Omit<PlainRequest, 'url'>, status: number, code: string][] =
    [
      [
        'the Content-Type that curl gives by itself',
        { method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body },
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      ],
      ['no JSON',                              { method: 'POST', headers: json, body: '{ counter }' },             400, 'INVALID_JSON'],
      ['no query',                             { method: 'POST', headers: json, body: '{}' },                      422, 'INVALID_PARAMETER'],
      ['a type that the server does not have', { method: 'POST', headers: { ...json, Accept: 'text/csv' }, body }, 406, 'NOT_ACCEPTABLE'],
      ['another method',                       { method: 'PUT', headers: json, body },                             405, 'METHOD_NOT_ALLOWED'],
      [
        'a body so large that curl waits for 100 Continue',
        { method: 'POST', headers: { ...json, Expect: '100-continue' }, body: 'x'.repeat(2_000_000) },
        413,
        'BODY_TOO_LARGE',
      ],
    ]
  for (const [wrong, request, status, code] of rows) {
    void t.test(`${wrong}: ${status}`, async (t) => {
      const answer = await send({ url, ...request })
      t.match(answer, { status, type: 'application/graphql-response+json' })
      t.match(JSON.parse(answer.body), { errors: [{ extensions: { code } }] })
    })
  }
})

void t.test(`${client} cannot run a mutation by GET`, async (t) => {
  const url = await serveStandard(t, '2026-09')
  const get = (query: string) =>
    send({ url: `${url}?query=${encodeURIComponent(query)}`, method: 'GET', headers: {} })
  const answer = await get('mutation { increment }')
  t.match(answer, { status: 405, type: 'application/graphql-response+json' })
  t.strictSame(JSON.parse((await get('{ counter }')).body), { data: { counter: 0 } })
})

void t.test('what a script sees of curl', { skip: curl === undefined }, async (t) => {
  const url = await serveStandard(t, '2026-09')
  const run = (query: string, status: string, ...flags: readonly string[]) =>
    new Promise<{ readonly exit: unknown; readonly out: string }>((resolve) => {
      const words = ['--disable', '--noproxy', '*', '-s', ...flags, url]
      const data = ['-H', `${failureHeader}: ${status}`, '--json', JSON.stringify({ query })]
      execFile(curl ?? 'curl', [...words, ...data], (error, out) =>
        resolve({ exit: error?.code ?? 0, out }),
      )
    })
  const rows: readonly (readonly [status: number, query: string])[] = [
    [200, '{ counter }'],
    [294, '{ fail }'],
    [422, '{ noSuchField }'],
    ...failures.map(([status]) => [status, '{ counter }'] as const),
  ]
  for (const [status, query] of rows) {
    const plain = await run(query, String(status))
    t.match(plain, { exit: 0, out: /^\{/ }, `${status}: the body, and exit code 0`)
    const strict = await run(query, String(status), '--fail')
    t.same(strict, status < 300 ? plain : { exit: 22, out: '' }, `${status} with --fail`)
  }
})

function toRequest(
  url: string,
  method: string,
  { source, variables }: Exchange,
  headers: { readonly [name: string]: string },
): PlainRequest {
  if (method !== 'GET') {
    const body = JSON.stringify({ query: source, variables })
    return { url, method, headers: { ...headers, ...json }, body }
  }
  const query = new URLSearchParams({ query: source })
  if (variables !== undefined) query.set('variables', JSON.stringify(variables))
  return { url: `${url}?${query.toString()}`, method, headers }
}
