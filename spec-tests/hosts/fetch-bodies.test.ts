import { getEventListeners } from 'node:events'
import t, { type Test } from 'tap'
import { createHandler, type Handler } from '../../src/index.js'
import { toFetch, type FetchHandler } from '../../src/hosts/fetch.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'
import { createTestedHandler, maxBodyBytes } from './tested-handler.js'

const url = 'http://localhost/graphql'
const headers = { 'Content-Type': 'application/json' }

function watched(handler: Handler): { answer: FetchHandler; bugs: unknown[] } {
  const bugs: unknown[] = []
  const onBug = (bug: unknown, details: object): void => void bugs.push({ bug, ...details })
  return { answer: toFetch(handler, { onBug, createId: () => 'id-1' }), bugs }
}

void t.test('a body that was read before is a bug, told with its remedy', async (t) => {
  const { answer, bugs } = watched(createTestedHandler().handler)
  const request = new Request(url, { method: 'POST', headers, body: '{"query":"{ fail }"}' })
  await request.text()
  const response = await answer(request)
  t.equal(response.status, 500)
  t.match(await response.json(), { errors: [{ extensions: { id: 'id-1' } }] })
  t.match(bugs, [{ bug: { message: /request\.clone\(\)/ }, id: 'id-1' }])
})

for (const [title, chunk] of [
  ['strings', '{"query":"{ fail }"}'],
  ['numbers', 1],
  ['ArrayBuffers', new ArrayBuffer(1)],
] as const) {
  void t.test(`a body of ${title} is a bug, and the report says what is expected`, async (t) => {
    const { answer, bugs } = watched(createTestedHandler().handler)
    let cancelled = false
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(chunk),
      cancel: () => {
        cancelled = true
      },
    })
    const request = new Request(url, { method: 'POST', headers, body, duplex: 'half' })
    const response = await answer(request)
    t.equal(response.status, 500)
    t.match(await response.json(), { errors: [{ extensions: { id: 'id-1' } }] })
    t.match(bugs, [{ bug: { message: /Uint8Array/ }, id: 'id-1' }])
    t.ok(cancelled)
  })
}

void t.test('a body that breaks off is the client that leaves', async (t) => {
  const { answer, bugs } = watched(createTestedHandler().handler)
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from('{"query":')),
    pull: (controller) => controller.error(new Error('gone')),
  })
  const request = new Request(url, { method: 'POST', headers, body, duplex: 'half' })
  t.equal((await answer(request)).status, 400)
  t.same(bugs, [])
})

for (const when of ['before', 'after a chunk', 'while nothing comes'] as const) {
  void t.test(`a client that leaves ${when} ends a body that hangs`, async (t) => {
    const { answer, bugs } = watched(createTestedHandler().handler)
    const gone = new AbortController()
    let cancelled: unknown
    const body = new ReadableStream({
      start: (controller) => {
        if (when === 'after a chunk') controller.enqueue(Buffer.from('{"query":'))
      },
      pull: () => {
        gone.abort(new Error('gone'))
        return new Promise(() => undefined)
      },
      cancel: (reason) => {
        cancelled = reason
        // A source that does not end either.
        return new Promise(() => undefined)
      },
    })
    if (when === 'before') gone.abort(new Error('gone'))
    const request = new Request(url, {
      method: 'POST',
      headers,
      body,
      duplex: 'half',
      signal: gone.signal,
    })
    t.equal((await answer(request)).status, 400)
    t.match(cancelled, { message: 'gone' })
    t.same(bugs, [])
  })
}

void t.test('no more than the limit and one chunk is read of a body without end', async (t) => {
  const { answer } = watched(createTestedHandler().handler)
  let pulled = 0
  let cancelled = false
  const body = new ReadableStream(
    {
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(1_000))
      },
      cancel: () => {
        cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  const request = new Request(url, { method: 'POST', headers, body, duplex: 'half' })
  t.equal((await answer(request)).status, 413)
  t.equal(pulled, maxBodyBytes / 1_000 + 1)
  t.ok(cancelled)
})

void t.test('a body that is too large needs no signal to be refused', async (t) => {
  const { answer, bugs } = watched(createTestedHandler().handler)
  const body = 'x'.repeat(maxBodyBytes + 1)
  const request = new Request(url, { method: 'POST', headers, body })
  Object.defineProperty(request, 'signal', { value: undefined })
  t.equal((await answer(request)).status, 413)
  t.same(bugs, [])
})

void t.test('a handler that throws is a bug, masked', async (t) => {
  const { answer, bugs } = watched(() => {
    throw new Error('secret')
  })
  const response = await answer(new Request(url))
  t.equal(response.status, 500)
  t.notMatch(await response.text(), 'secret')
  t.match(bugs, [{ bug: { message: 'secret' }, id: 'id-1' }])
})

void t.test('a client that has left already is noticed', async (t) => {
  const { handler, nextWaiting } = createTestedHandler()
  const request = new Request(`${url}?query={wait}`, { signal: AbortSignal.abort() })
  const [{ signal }, { status }] = await Promise.all([
    nextWaiting(),
    watched(handler).answer(request),
  ])
  t.ok(signal.aborted)
  t.equal(status, 499)
})

void t.test('a runtime that gives no signal is served like any other', async (t) => {
  const { handler } = createTestedHandler()
  const request = new Request(`${url}?query={later(text:"hi")}`)
  Object.defineProperty(request, 'signal', { value: undefined })
  t.same(await (await watched(handler).answer(request)).json(), { data: { later: 'hi' } })
})

// oxfmt-ignore
const answered: readonly (readonly [what: string, status: number, target: string, init?: RequestInit])[] = [
  ['at once',                     200, '?query={echo(text:"hi")}'],
  ['later',                       200, '?query={later(text:"hi")}'],
  ['with a body',                 200, '', { method: 'POST', headers, body: '{"query":"{ later(text: \\"hi\\") }"}' }],
  ['without reading its body',    415, '', { method: 'POST', body: 'text' }],
  ['in the middle of its body',   413, '', { method: 'POST', headers, body: 'x'.repeat(maxBodyBytes + 1) }],
  ['by a stream that is over',    200, '?query=subscription{countdown(from:2)}', { headers: { accept: 'text/event-stream' } }],
]

for (const [what, status, target, init = {}] of answered) {
  void t.test(`a request that was answered ${what} is aborted in vain`, async (t) => {
    const standard = createHandler({ schema: createStandardSchema() })
    const isStream = target.includes('subscription')
    const { answer, bugs } = watched(isStream ? standard : createTestedHandler().handler)
    const gone = new AbortController()
    const request = new Request(url + target, { ...init, signal: gone.signal })
    const own = getEventListeners(request.signal, 'abort').length
    const response = await answer(request)
    t.equal(response.status, status)
    const body = await response.text()
    t.equal(getEventListeners(request.signal, 'abort').length, own, 'nobody listens any more')
    gone.abort()
    t.ok(body.length > 0)
    t.same(bugs, [])
  })
}

/** Makes this runtime look like that of workers. */
function asWorker(t: Test): void {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator')
  t.teardown(() => {
    if (before === undefined) Reflect.deleteProperty(globalThis, 'navigator')
    else Object.defineProperty(globalThis, 'navigator', before)
  })
  const value = { userAgent: 'Cloudflare-Workers' }
  Object.defineProperty(globalThis, 'navigator', { value, configurable: true })
}

const KiB = 1024

// oxfmt-ignore
const unread: readonly (readonly [what: string, status: number, type: string, chunks: number, bytes: number, pulled: number])[] = [
  ['a body that is too large',           413, 'application/json',   12,        KiB, 12],
  ['a body of a wrong type',             415, 'text/plain',          6,        KiB, 6],
  ['no more than 16 MiB',                413, 'application/json', 1000, 1024 * KiB, 17],
  ['no more than 16 MiB of a wrong type', 415, 'text/plain',      1000, 1024 * KiB, 16],
]

for (const [what, status, type, chunks, bytes, expected] of unread) {
  void t.test(`workers read to the end: ${what}`, async (t) => {
    asWorker(t)
    const { answer, bugs } = watched(createTestedHandler().handler)
    let pulled = 0
    const body = new ReadableStream(
      {
        pull(controller) {
          pulled += 1
          controller.enqueue(new Uint8Array(bytes))
          if (pulled === chunks) controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const init = {
      method: 'POST',
      headers: { 'Content-Type': type },
      body,
      duplex: 'half',
    } as const
    t.equal((await answer(new Request(url, init))).status, status)
    t.equal(pulled, expected)
    t.same(bugs, [])
  })
}

void t.test('workers wait for three seconds for a body that hangs', async (t) => {
  asWorker(t)
  const { answer } = watched(createTestedHandler().handler)
  const begun = performance.now()
  const body = new ReadableStream({ pull: () => new Promise(() => undefined) })
  const request = new Request(url, { method: 'POST', body, duplex: 'half' })
  t.equal((await answer(request)).status, 415)
  t.ok(performance.now() - begun >= 2_900)
})
