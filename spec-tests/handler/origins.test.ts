import t from 'tap'
import { uploads } from '@graphwire/uploads'
import { testClient, type TestRequest } from '../../src/hosts/testing.js'
import { createEndpoint, createHandler, type CorsOptions } from '../../src/index.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'

const site = 'https://a.example.com'
const schema = createStandardSchema()

/** What each kind of request of a page gets: its status, and whether the page may read the response. */
// oxfmt-ignore
type Answers = readonly [post: string, get: string, events: string, preflight: string, upload: string, socket: string]

// Without permission, a page cannot send what has a preflight; its GETs would arrive, and so would its handshakes.
const allowed: Answers = ['200 read', '200 read', '200 read', '204 read', '200 read', 'opened']
const refused: Answers = ['200', '403', '403', '204', '200', '403']
/** A function is asked when a socket has opened. */
const refusedLater: Answers = ['200', '403', '403', '204', '200', '4403']
const failed: Answers = ['500', '500', '500', '500', '500', 'failed']

const bug = new Error('The store is away.')
const is = (origin: string): boolean => origin === site

// oxfmt-ignore
const rows: readonly [title: string, origins: CorsOptions['origins'], expected: Answers, bugs: number][] = [
  ['the origin',                       [site],                                            allowed,      0],
  ['another origin',                   ['https://b.example.com'],                         refused,      0],
  ['a star for a label',               ['https://*.example.com'],                         allowed,      0],
  ['a star for a label of another',    ['https://*.example.org'],                         refused,      0],
  ['an expression',                    [/https:\/\/\w\.example\.com/],                    allowed,      0],
  ['an expression for a part',         [/example/],                                       refused,      0],
  ['a function',                       is,                                                allowed,      0],
  ['a function that says no',          () => false,                                       refusedLater, 0],
  ['an async function',                async (origin) => is(origin),                      allowed,      0],
  ['an async function that says no',   async () => false,                                 refusedLater, 0],
  ['a function of the head',           (_, { headers }) => headers.includes('api.test'),  allowed,      0],
  ['a function that throws',           () => { throw bug },                               failed,       6],
  ['a function that rejects',          async () => { throw bug },                         failed,       6],
  ['a function that returns no boolean', () => 'https://a.example.com' as never,          failed,       6],
  ['a function that resolves to none', async () => undefined as never,                    failed,       6],
]

const query = '{ __typename }'
const inUrl = `/graphql?query=${query}`
const form = [
  '--b\r\nContent-Disposition: form-data; name="operations"\r\n\r\n',
  JSON.stringify({ query }),
  '\r\n--b\r\nContent-Disposition: form-data; name="map"\r\n\r\n{}\r\n--b--\r\n',
].join('')

const preflighted = { 'graphql-require-preflight': '1' }
const requests: readonly TestRequest[] = [
  { json: { query } },
  { target: inUrl },
  { target: inUrl, headers: { accept: 'text/event-stream, application/json;q=0.5' } },
  { method: 'OPTIONS', headers: { 'access-control-request-method': 'POST' } },
  { body: form, headers: { 'content-type': 'multipart/form-data; boundary=b', ...preflighted } },
]

for (const [title, origins, expected, bugCount] of rows) {
  void t.test(`pages of one origin, where the option has ${title}`, async (t) => {
    const bugs: unknown[] = []
    const options = { schema, cors: { origins }, uploads: uploads() }
    const endpoint = createEndpoint({ ...options, onBug: (one) => void bugs.push(one) })
    const send = testClient(endpoint.handler)
    const answers: string[] = []
    for (const request of requests) {
      const from = { ...request.headers, host: 'api.test', origin: site }
      const { status, headers } = await send({ target: '/graphql', ...request, headers: from })
      const isRead = headers.get('access-control-allow-origin') === site
      answers.push(isRead ? `${status} read` : String(status))
      t.match(headers.get('vary'), /Origin/)
    }
    answers.push(await openSocket(endpoint))
    t.strictSame(answers, expected)
    t.equal(bugs.length, bugCount)
  })
}

async function openSocket({ operations }: ReturnType<typeof createEndpoint>): Promise<string> {
  const headers = ['Host', 'api.test', 'Origin', site]
  const head = { method: 'GET', target: '/graphql', headers, raw: undefined }
  const refusal = operations.checkUpgrade(head)
  if (refusal !== undefined) return String(refusal.status)
  const outcome = await operations.authenticate(head, undefined, () => {})
  if (outcome.ok) return 'opened'
  return outcome.reason.kind === 'denied' ? '4403' : outcome.reason.kind
}

// oxfmt-ignore
const promises: readonly [title: string, origins: CorsOptions['origins'], headers: readonly string[], isPromise: boolean][] = [
  ['a list',                              [site],           ['Origin', site], false],
  ['a function',                          is,               ['Origin', site], false],
  ['an async function',                   async () => true, ['Origin', site], true],
  ['an async function, without an Origin', async () => true, [],              false],
]
for (const [title, origins, headers, isPromise] of promises) {
  void t.test(`${title} ${isPromise ? 'waits' : 'does not wait'}`, async (t) => {
    const handler = createHandler({ schema, cors: { origins } })
    const response = handler({ method: 'GET', target: inUrl, headers, raw: undefined })
    t.equal(response instanceof Promise, isPromise)
    t.equal((await response).status, 200)
  })
}

void t.test('a socket is judged by the Origin of its handshake, not its message', async (t) => {
  const asked: string[] = []
  const origins = (origin: string): boolean => asked.push(origin) === 0
  const { operations } = createEndpoint({ schema, cors: { origins } })
  const head = { method: 'GET', target: '/', headers: ['Origin', site], raw: undefined }
  const outcome = await operations.authenticate(head, { origin: 'https://b.example' }, () => {})
  t.match(outcome, { ok: false, reason: { message: /WebSocket/ } })
  t.strictSame(asked, [site])
})

void t.test('a socket whose credentials take too long is to try again', async (t) => {
  const authenticate = (): Promise<never> => new Promise(() => {})
  const { operations } = createEndpoint({ schema, authenticate, executionTimeout: 5 })
  const head = { method: 'GET', target: '/', headers: [], raw: undefined }
  const outcome = await operations.authenticate(head, {}, () => {})
  t.match(outcome, { ok: false, reason: { kind: 'overloaded' } })
})

void t.test('a function is not asked while the server is overloaded', async (t) => {
  let asked = 0
  const origins = (): Promise<boolean> => new Promise(() => void asked++)
  const options = { schema, cors: { origins }, maxInFlight: 1, executionTimeout: 50 }
  const send = testClient(createHandler(options))
  const get = { target: inUrl, headers: { origin: site } }
  const [first, second] = await Promise.all([send(get), send(get)])
  t.equal(asked, 1)
  t.strictSame([first.status, second.status], [503, 503])
})
