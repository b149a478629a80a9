import { createServer, type IncomingMessage } from 'node:http'
import t, { type Test } from 'tap'
import { toNodeListener } from '../../../../../src/hosts/node/index.js'
import { jsonOf, type HostResponse, type HostRequest } from '../../../../hosts/exchange.js'
import { http1Client } from '../../../../hosts/http1-client.js'
import { close, listen } from '../../../../hosts/start-node.js'
import { createTestedHandler, maxBodyBytes } from '../../../../hosts/tested-handler.js'

/** What a middleware in front does with the request. */
type Middleware = (incoming: IncomingMessage & { body?: unknown }) => void | Promise<void>

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
  const server = createServer((incoming, outgoing) => {
    const busy = middleware(incoming)
    if (busy === undefined) listener(incoming, outgoing)
    else void busy.then(() => listener(incoming, outgoing))
  })
  const port = await listen(server)
  t.teardown(() => close(server))
  return { answer: await http1Client(`http://127.0.0.1:${port}/`)(request), bugs }
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const readAway: Middleware = async (incoming) => void (await readAll(incoming))

/** Reads the body and leaves something else. */
const replaceBy =
  (left: unknown): Middleware =>
  async (incoming) => {
    await readAll(incoming)
    incoming.body = left
  }

const leaveBytes: Middleware = async (incoming) => {
  incoming.body = await readAll(incoming)
}

const makeUp: Middleware = (incoming) => {
  incoming.body = query
}

const destroy: Middleware = (incoming) => void incoming.destroy()

// oxfmt-ignore
const used: readonly [name: string, Middleware][] = [
  ['nothing', () => {}],
  ['a pause', (incoming) => void incoming.pause()],
  ['a pause, and then waiting', async (incoming) => {
    incoming.pause()
    await new Promise(setImmediate)
  }],
  ['parsed JSON',                         replaceBy(query)],
  ['the bytes',                           leaveBytes],
  ['the text',                            replaceBy(bytes.toString())],
  ['parsed JSON made up without reading', makeUp],
  ['an empty object without reading', (incoming) => {
    incoming.body = {}
  }],
  ['null without reading', (incoming) => {
    incoming.body = null
  }],
  ...(['utf8', 'latin1', 'base64', 'hex'] as const).map((encoding): [string, Middleware] => [
    `setEncoding('${encoding}')`,
    (incoming) => void incoming.setEncoding(encoding),
  ]),
  ['a listener that reads along', (incoming) => void incoming.on('data', () => {})],
]

for (const [name, middleware] of used) {
  void t.test(`middleware that leaves ${name} does no harm`, async (t) => {
    const { answer, bugs } = await sendThrough(t, middleware)
    t.equal(answer.status, 200)
    t.same(jsonOf(answer), echoed)
    t.same(bugs, [])
  })
}

const consumed: readonly [name: string, Middleware][] = [
  ['all of the body', readAway],
  [
    'a part of the body',
    async (incoming) => {
      await new Promise((resolve) => incoming.once('data', resolve))
      incoming.pause()
    },
  ],
]

for (const [name, middleware] of consumed) {
  void t.test(`middleware that has read ${name} without keeping it is reported`, async (t) => {
    const { answer, bugs } = await sendThrough(t, middleware)
    t.equal(answer.status, 500)
    t.match(jsonOf(answer), {
      errors: [
        {
          message: 'Internal server error',
          extensions: { code: 'INTERNAL_SERVER_ERROR', id: String },
        },
      ],
    })
    t.match(bugs, [{ message: /read before graphwire/ }])
  })
}

void t.test('an empty body that was read is just empty', async (t) => {
  const headers = { 'content-type': 'application/json' }
  const { answer, bugs } = await sendThrough(t, readAway, { method: 'POST', headers })
  t.equal(answer.status, 400)
  t.same(bugs, [])
})

for (const left of [{}, null, 7, []]) {
  void t.test(`a parsed body of ${JSON.stringify(left)} is not a request`, async (t) => {
    const { answer } = await sendThrough(t, replaceBy(left))
    t.equal(answer.status, 422)
  })
}

void t.test('a parsed body of another type is refused like an unparsed one', async (t) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const { answer } = await sendThrough(t, makeUp, { body: 'query={fail}', headers })
  t.equal(answer.status, 415)
})

void t.test('a parsed body is not decoded or measured again', async (t) => {
  const body = ' '.repeat(maxBodyBytes + 1)
  const { answer } = await sendThrough(t, replaceBy(query), {
    body,
    headers: { 'content-encoding': 'br' },
  })
  t.same(jsonOf(answer), echoed)
})

void t.test('bytes that were left are still checked', async (t) => {
  const tooLong = await sendThrough(t, leaveBytes, { body: ' '.repeat(maxBodyBytes + 1) })
  t.equal(tooLong.answer.status, 413)
  const broken = await sendThrough(t, leaveBytes, { body: [Buffer.from([0x22, 0xff, 0x22])] })
  t.equal(broken.answer.status, 400)
})

void t.test('middleware that destroys the request keeps no caller waiting', async (t) => {
  await t.rejects(sendThrough(t, destroy))
})

void t.test('a request made up without raw headers is read by its headers', async (t) => {
  const { answer } = await sendThrough(t, (incoming) => {
    incoming.rawHeaders = []
  })
  t.same(jsonOf(answer), echoed)
})
