import { createServer, ServerResponse, type IncomingMessage } from 'node:http'
import t, { type Test } from 'tap'
import { toFetch } from '../../../../../src/hosts/fetch.js'
import { toNodeListener, type NodeListener } from '../../../../../src/hosts/node/index.js'
import { readBody, type Handler, type HttpResponse } from '../../../../../src/index.js'
import {
  jsonOf,
  linesOf,
  valueOf,
  type HostRequest,
  type HostResponse,
} from '../../../../hosts/exchange.js'
import { thrower } from '../../../../base/thrower.js'
import { http1Client } from '../../../../hosts/http1-client.js'
import { listenFor } from '../../../../hosts/start-node.js'
import { createTestedHandler } from '../../../../hosts/tested-handler.js'
import { plain } from '../../hosted.js'

type Wrap = (
  listener: NodeListener<IncomingMessage>,
) => (incoming: IncomingMessage, outgoing: ServerResponse) => void

const query = { query: '?query={echo(text:"Zo%C3%AB")}' }

async function send(
  t: Test,
  handler: Handler,
  wrap: Wrap = (listener) => listener,
  request: HostRequest = query,
): Promise<{ answer: Promise<HostResponse>; bugs: readonly unknown[] }> {
  const bugs: unknown[] = []
  const { at } = await plain(t, wrap(toNodeListener(handler, { onBug: (bug) => bugs.push(bug) })))
  return { answer: at('/')(request), bugs }
}

const fixed =
  (response: Partial<HttpResponse>): Handler =>
  () => ({ status: 200, headers: [], body: '{}', ...response })

/** As the package on-headers does, on which compression, sessions and loggers build. */
const onHeaders: Wrap = (listener) => (incoming, outgoing) => {
  const writeHead = outgoing.writeHead.bind(outgoing)
  outgoing.writeHead = (status: number, phrase?: unknown) => {
    outgoing.setHeader('X-Seen', String(outgoing.getHeader('content-type')))
    outgoing.removeHeader('X-Content-Type-Options')
    return typeof phrase === 'string' ? writeHead(status, phrase) : writeHead(status)
  }
  listener(incoming, outgoing)
}

void t.test('the head is one flat list, written once, in the tick of the request', async (t) => {
  const calls: unknown[][] = []
  class Watched extends ServerResponse {
    override writeHead(...call: unknown[]): this {
      calls.push(call)
      return super.writeHead(...(call as [number]))
    }
  }
  const listener = toNodeListener(createTestedHandler().handler)
  const server = createServer({ ServerResponse: Watched }, (incoming, outgoing) => {
    listener(incoming, outgoing)
    t.ok(outgoing.writableEnded, 'answered')
  })
  const port = await listenFor(t, server)
  await http1Client(`http://127.0.0.1:${port}/`)(query)
  // oxfmt-ignore
  t.same(calls, [[200, [
    'Content-Type', 'application/graphql-response+json; charset=utf-8',
    'Vary', 'Accept',
    'X-Content-Type-Options', 'nosniff',
    'Cache-Control', 'private, no-cache',
    'Content-Length', '24',
  ]]])
})

void t.test('a function that middleware has put around `end` gets the whole body', async (t) => {
  const seen: unknown[] = []
  const aroundEnd: Wrap = (listener) => (incoming, outgoing) => {
    const end = outgoing.end.bind(outgoing)
    outgoing.end = (body?: unknown) => {
      seen.push(body)
      return end(body)
    }
    listener(incoming, outgoing)
  }
  const { answer } = await send(t, fixed({}), aroundEnd)
  t.equal((await answer).body.toString(), '{}')
  t.same(seen, ['{}'])
})

for (const status of [204, 304]) {
  void t.test(`status ${status} has neither a body nor a length`, async (t) => {
    const { answer } = await send(t, fixed({ status, headers: ['ETag', '"1"'], body: 'no' }))
    const { body, headers } = await answer
    t.equal(body.byteLength, 0)
    t.notOk(headers.includes('Content-Length'))
    t.notOk(headers.includes('Transfer-Encoding'))
  })
}

void t.test('several lines stay so, and are one beside others; cookies never', async (t) => {
  const handler = fixed({
    headers: ['Link', '<a>', 'Link', '<b>', 'Set-Cookie', 'a', 'Set-Cookie', 'b'],
  })
  const setBefore: Wrap = (listener) => (incoming, outgoing) => {
    outgoing.setHeader('X-Before', 'yes')
    listener(incoming, outgoing)
  }
  for (const [wrap, lines] of [
    [undefined, ['<a>', '<b>']],
    [setBefore, ['<a>, <b>']],
  ] as const) {
    const { answer } = await send(t, handler, wrap)
    t.same(linesOf(await answer, 'link'), lines)
    t.same(linesOf(await answer, 'set-cookie'), ['a', 'b'])
  }
})

void t.test('middleware that wraps writeHead sees our headers and may change them', async (t) => {
  const { handler } = createTestedHandler()
  for (const request of [query, { query: '?query={fail}' }]) {
    const { answer } = await send(t, handler, onHeaders, request)
    const type = 'application/graphql-response+json; charset=utf-8'
    t.equal(valueOf(await answer, 'x-seen'), type)
    t.equal(valueOf(await answer, 'content-type'), type)
    t.equal(valueOf(await answer, 'x-content-type-options'), undefined)
  }
})

const throwing = thrower(new Error('secret'))

for (const [name, handler] of Object.entries<Handler>({
  throws: throwing,
  rejects: async () => throwing(),
  'throws later': async (request) => {
    await readBody(request, 10)
    return throwing()
  },
})) {
  void t.test(`a handler that ${name} is a bug, masked`, async (t) => {
    const { answer, bugs } = await send(t, handler, undefined, { body: '{}' })
    t.equal((await answer).status, 500)
    t.match(jsonOf(await answer), { errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] })
    t.notMatch((await answer).body.toString(), 'secret')
    t.match(bugs, [{ message: 'secret' }])
  })
}

void t.test('forbidden headers are a bug, and a stream behind them is discarded', async (t) => {
  let discarded = 0
  const stream = { open: () => t.fail('opened') as never, discard: () => void (discarded += 1) }
  for (const body of ['{}', stream]) {
    const bad = fixed({ headers: ['X-Bad', 'a\r\nb: c'], body })
    const { answer, bugs } = await send(t, bad)
    t.equal((await answer).status, 500)
    t.match(bugs, [{ code: 'ERR_INVALID_CHAR' }])
    const response = await toFetch(bad, { onBug: () => undefined })(new Request('http://x/'))
    t.equal(response.status, 500)
  }
  t.equal(discarded, 2, 'by each host')
})

void t.test('where nothing can be written the connection is cut', async (t) => {
  const { answer, bugs } = await send(t, fixed({}), (listener) => (incoming, outgoing) => {
    outgoing.writeHead = () => {
      throw new Error('broken middleware')
    }
    listener(incoming, outgoing)
  })
  await t.rejects(answer)
  t.match(bugs, [{ message: 'broken middleware' }])
})

void t.test('a request that has its response from elsewhere is left alone', async (t) => {
  const { answer, bugs } = await send(t, fixed({}), (listener) => (incoming, outgoing) => {
    outgoing.end('mine')
    listener(incoming, outgoing)
  })
  t.equal((await answer).body.toString(), 'mine')
  t.same(bugs, [])
})

void t.test('a handler may give a promise of its own kind', async (t) => {
  const later = Promise.resolve<HttpResponse>({ status: 200, headers: [], body: '{}' })
  // oxlint-disable-next-line unicorn/no-thenable -- that is what it tests
  const thenable = { then: later.then.bind(later) } as Promise<HttpResponse>
  const { answer, bugs } = await send(t, () => thenable)
  t.equal((await answer).status, 200)
  t.strictSame(bugs, [])
})
