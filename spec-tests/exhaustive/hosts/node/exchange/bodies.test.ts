import type { IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { toNodeListener } from '../../../../../src/hosts/node/index.js'
import { readBody } from '../../../../../src/http/message.js'
import { jsonOf, type HostResponse, type HostRequest } from '../../../../hosts/exchange.js'
import { createTestedHandler, maxBodyBytes } from '../../../../hosts/tested-handler.js'
import { plain } from '../../hosted.js'
import {
  multipart,
  parameters,
  uploadHeaders,
} from '../../../../../packages/uploads/spec-tests/multipart.js'

/** What a middleware in front does with the request. */
type Middleware = (incoming: IncomingMessage & { body?: unknown }) => unknown

const query = { query: '{ echo(text: "Zoë 😀") }' }
const bytes = Buffer.from(JSON.stringify(query))
const echoed = { data: { echo: 'Zoë 😀' } }

async function sendThrough(
  t: Test,
  middleware: Middleware,
  request: HostRequest = { body: bytes.toString() },
): Promise<{ answer: HostResponse; bugs: readonly unknown[] }> {
  const { handler, bugs } = createTestedHandler()
  const listener = toNodeListener(handler)
  const { at } = await plain(t, (incoming, outgoing) => {
    const busy = middleware(incoming)
    if (busy instanceof Promise) void busy.then(() => listener(incoming, outgoing))
    else listener(incoming, outgoing)
  })
  return { answer: await at('/')(request), bugs }
}

/** Leaves something else in the place of the body, which it may have read. */
const leave =
  (left: unknown): Middleware =>
  (incoming) =>
    void (incoming.body = left)
const replaceBy =
  (left: unknown): Middleware =>
  async (incoming) => {
    await buffer(incoming)
    incoming.body = left
  }
const leaveBytes: Middleware = async (incoming) => {
  incoming.body = await buffer(incoming)
}

// oxfmt-ignore
const used: readonly [name: string, Middleware][] = [
  ['nothing',                             () => {}],
  ['a pause',                             (incoming) => incoming.pause()],
  ['a pause, and then waiting',           (incoming) => (incoming.pause(), new Promise(setImmediate))],
  ['parsed JSON',                         replaceBy(query)],
  ['the bytes',                           leaveBytes],
  ['the text',                            replaceBy(bytes.toString())],
  ['parsed JSON made up without reading', leave(query)],
  ['an empty object without reading',     leave({})],
  ['null without reading',                leave(null)],
  ...(['utf8', 'latin1', 'base64', 'hex'] as const).map((encoding): [string, Middleware] => [
    `setEncoding('${encoding}')`,
    (incoming) => incoming.setEncoding(encoding),
  ]),
  ['a listener that reads along',         (incoming) => incoming.on('data', () => {})],
  ['no raw headers',                      (incoming) => (incoming.rawHeaders = [])],
]

for (const [name, middleware] of used) {
  void t.test(`middleware that leaves ${name} does no harm`, async (t) => {
    const { answer, bugs } = await sendThrough(t, middleware)
    t.same(jsonOf(answer), echoed)
    t.same(bugs, [])
  })
}

const readSome: Middleware = async (incoming) => {
  await new Promise((resolve) => incoming.once('data', resolve))
  incoming.pause()
}

for (const [name, middleware] of [
  ['all of the body', buffer as Middleware],
  ['a part of the body', readSome],
] as const) {
  void t.test(`middleware that has read ${name} without keeping it is reported`, async (t) => {
    const { answer, bugs } = await sendThrough(t, middleware)
    t.equal(answer.status, 500)
    const extensions = { code: 'INTERNAL_SERVER_ERROR', id: String }
    t.match(jsonOf(answer), { errors: [{ message: 'Internal server error', extensions }] })
    t.match(bugs, [{ message: /read before graphwire/ }])
  })
}

const tooLong = { body: ' '.repeat(maxBodyBytes + 1) }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

// oxfmt-ignore
const refused: readonly [name: string, Middleware, HostRequest | undefined, status: number][] = [
  ['an empty body that was read is just empty',  buffer as Middleware, { method: 'POST', headers: { 'content-type': 'application/json' } }, 400],
  ...[{}, null, 7, []].map((left): [string, Middleware, undefined, number] =>
    [`a parsed ${JSON.stringify(left)} is not a request`, replaceBy(left), undefined, 422],
  ),
  ['a parsed body of another type is refused',   leave(query), { body: 'query={fail}', headers: form },                415],
  ['bytes that were left are still measured',    leaveBytes,   tooLong,                                                413],
  ['bytes that were left are still checked',     leaveBytes,   { body: [Buffer.from([0x22, 0xff, 0x22])] },            400],
  ['a parsed body is not decoded or measured',   replaceBy(query), { ...tooLong, headers: { 'content-encoding': 'br' } }, 200],
]

for (const [name, middleware, request, status] of refused) {
  void t.test(`${name}: ${status}`, async (t) => {
    const { answer, bugs } = await sendThrough(t, middleware, request)
    t.equal(answer.status, status)
    t.same(bugs, [])
  })
}

void t.test('middleware that destroys the request keeps no caller waiting', async (t) => {
  await t.rejects(sendThrough(t, (incoming) => void incoming.destroy()))
})

void t.test('a body that something else lets flow is whole if asked for at once', async (t) => {
  const { handler } = createTestedHandler()
  const listener = toNodeListener<IncomingMessage>(async (request) => {
    request.raw.on('data', () => {})
    const body = await readBody(request, maxBodyBytes)
    if ('refused' in body) return body.refused
    return handler({ ...request, body: { read: () => body } })
  })
  const send = (await plain(t, listener)).at('/')
  t.same(jsonOf(await send({ body: bytes.toString() })), echoed)
  const target = `?query=${encodeURIComponent(query.query)}`
  t.same(jsonOf(await send({ method: 'GET', query: target })), echoed, 'without a body')
})

void t.test('a body that something else has answered does not run', async (t) => {
  const { handler, count } = createTestedHandler()
  const listener = toNodeListener(handler)
  const { server, connect } = await plain(t, (incoming, outgoing) => {
    listener(incoming, outgoing)
    outgoing.writeHead(504).end()
    incoming.on('end', () => setImmediate(() => server.emit('read')))
  })
  const client = await connect()
  const body = '{"query":"mutation { count }"}'
  client.write(
    `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  t.match(await client.answer(), { status: 504 })
  const read = once(server, 'read')
  client.write(body)
  await read
  t.equal(count(), 0)
})

const file = {
  query: 'mutation ($file: Upload!) { ignore(file: $file) }',
  variables: { file: null },
}
const upload = multipart(...parameters(file, { file: ['variables.file'] }), {
  name: 'file',
  filename: 'a',
  content: 'x',
})

for (const [what, request] of [
  ['a query', { method: 'GET', query: `?query=${encodeURIComponent(query.query)}` }],
  ['a body', { body: bytes.toString() }],
  ['an upload', { body: [Buffer.from(upload)], headers: uploadHeaders }],
] as const) {
  void t.test(`a response to ${what} that something else has begun is cut`, async (t) => {
    const { handler, bugs } = createTestedHandler()
    const listener = toNodeListener(handler, { onBug: (bug) => bugs.push(bug) })
    const { at } = await plain(t, (incoming, outgoing) => {
      outgoing.flushHeaders()
      listener(incoming, outgoing)
    })
    await t.rejects(at('/')(request))
    t.match(bugs.at(-1), { code: 'ERR_HTTP_HEADERS_SENT' })
  })
}
