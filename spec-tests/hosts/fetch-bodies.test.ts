import { getEventListeners } from 'node:events'
import type { UnderlyingSource } from 'node:stream/web'
import t, { type Test } from 'tap'
import { createHandler, type Handler } from '../../src/index.js'
import { toFetch } from '../../src/hosts/fetch.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'
import { thrower } from '../base/thrower.js'
import { createTestedHandler, maxBodyBytes } from './tested-handler.js'

const url = 'http://localhost/graphql'
const headers = { 'Content-Type': 'application/json' }

function watched(handler: Handler = createTestedHandler().handler) {
  const bugs: unknown[] = []
  const onBug = (bug: unknown, details: object): void => void bugs.push({ bug, ...details })
  return { answer: toFetch(handler, { onBug, createId: () => 'id-1' }), bugs }
}

type Controller = ReadableStreamDefaultController
type Pull = (controller: Controller, pulled: number) => unknown

/** A request whose body the test makes, and what came of it. */
function post(pull: Pull, init: RequestInit = {}) {
  const state = { pulled: 0, cancelled: undefined as unknown }
  const source: UnderlyingSource = {
    pull: (controller) => pull(controller as Controller, (state.pulled += 1)) as undefined,
    cancel(reason) {
      state.cancelled = reason ?? 'cancelled'
      // A source that does not end either.
      return never()
    },
  }
  const body = new ReadableStream(source, { highWaterMark: 0 })
  const request = new Request(url, { method: 'POST', headers, body, duplex: 'half', ...init })
  return { request, state }
}

const never = (): Promise<never> => new Promise(() => undefined)

async function checkBug(t: Test, request: Request, message: RegExp): Promise<void> {
  const { handler, bugs } = createTestedHandler()
  const response = await watched(handler).answer(request)
  t.equal(response.status, 500)
  t.match(await response.json(), { errors: [{ extensions: { id: String } }] })
  t.match(bugs, [{ message }])
}

void t.test('a body that was read is a bug, and the report says how to mend it', async (t) => {
  const request = new Request(url, { method: 'POST', headers, body: '{"query":"{ fail }"}' })
  await request.text()
  await checkBug(t, request, /request\.clone\(\)/)
})

const wrong = { strings: '{"query":"{ fail }"}', numbers: 1, ArrayBuffers: new ArrayBuffer(1) }
for (const [title, chunk] of Object.entries(wrong)) {
  void t.test(`a body of ${title} is a bug, and the report says what is expected`, async (t) => {
    const { request, state } = post((controller) => controller.enqueue(chunk))
    await checkBug(t, request, /Uint8Array/)
    t.ok(state.cancelled)
  })
}

void t.test('a body that breaks off is the client that leaves', async (t) => {
  const { answer, bugs } = watched()
  const { request } = post((controller, pulled) => {
    if (pulled === 1) controller.enqueue(Buffer.from('{"query":'))
    else controller.error(new Error('gone'))
  })
  t.equal((await answer(request)).status, 400)
  t.same(bugs, [])
})

for (const when of ['before', 'after a chunk', 'while nothing comes'] as const) {
  void t.test(`a client that leaves ${when} ends a body that hangs`, async (t) => {
    const { answer, bugs } = watched()
    const gone = new AbortController()
    const leave = (): void => gone.abort(new Error('gone'))
    if (when === 'before') leave()
    const pull: Pull = (controller, pulled) => {
      const hasChunk = when === 'after a chunk' && pulled === 1
      if (hasChunk) return controller.enqueue(Buffer.from('{"query":'))
      leave()
      return never()
    }
    const { request, state } = post(pull, { signal: gone.signal })
    t.equal((await answer(request)).status, 400)
    t.match(state.cancelled, { message: 'gone' })
    t.same(bugs, [])
  })
}

void t.test('a body that is too large is read on, or its connection would be cut', async (t) => {
  const { answer } = watched()
  let left = maxBodyBytes / 1_000 + 100
  const { request, state } = post((controller) => {
    controller.enqueue(new Uint8Array(1_000))
    if ((left -= 1) === 0) controller.close()
  })
  t.equal((await answer(request)).status, 413)
  t.match({ left, ...state }, { left: 0, cancelled: undefined })
})

void t.test('a body without end is read up to a limit', async (t) => {
  const { answer } = watched()
  const { request, state } = post((controller) => controller.enqueue(new Uint8Array(100_000)))
  t.equal((await answer(request)).status, 413)
  t.ok(state.pulled < 200)
  t.ok(state.cancelled)
})

void t.test('a client that leaves while a stream is opened ends it', async (t) => {
  const client = new AbortController()
  const ended: string[] = []
  const flow = { resume() {}, gone: () => void ended.push('gone'), shutDown() {} }
  const open = () => (client.abort(), flow)
  const body = { open, discard: () => void ended.push('discarded') }
  const { answer } = watched(() => ({ status: 200, headers: [], body }))
  await answer(new Request(url, { signal: client.signal }))
  t.strictSame(ended, ['gone'])
})

void t.test('a handler that throws is a bug, masked', async (t) => {
  const { answer, bugs } = watched(thrower(new Error('secret')))
  const response = await answer(new Request(url))
  t.equal(response.status, 500)
  t.notMatch(await response.text(), 'secret')
  t.match(bugs, [{ bug: { message: 'secret' }, id: 'id-1' }])
})

void t.test('a client that has left already is noticed', async (t) => {
  const { handler, nextWaiting } = createTestedHandler()
  const request = new Request(`${url}?query={wait}`, { signal: AbortSignal.abort() })
  const response = watched(handler).answer(request)
  t.ok((await nextWaiting()).signal.aborted)
  t.equal((await response).status, 499)
})

const tooLarge = { method: 'POST', headers, body: 'x'.repeat(maxBodyBytes + 1) }

for (const [target, init, status] of [
  ['?query={later(text:"hi")}', {}, 200],
  ['', tooLarge, 413],
] as const) {
  void t.test(`a runtime that gives no signal is served like any other: ${status}`, async (t) => {
    const { answer, bugs } = watched()
    const request = new Request(url + target, init)
    Object.defineProperty(request, 'signal', { value: undefined })
    t.equal((await answer(request)).status, status)
    t.same(bugs, [])
  })
}

// oxfmt-ignore
const answered: readonly (readonly [what: string, status: number, target: string, init?: RequestInit])[] = [
  ['at once',                     200, '?query={echo(text:"hi")}'],
  ['later',                       200, '?query={later(text:"hi")}'],
  ['with a body',                 200, '', { method: 'POST', headers, body: '{"query":"{ later(text: \\"hi\\") }"}' }],
  ['without reading its body',    415, '', { method: 'POST', body: 'text' }],
  ['in the middle of its body',   413, '', tooLarge],
  ['by a stream that is over',    200, '?query=subscription{countdown(from:2)}', { headers: { accept: 'text/event-stream' } }],
]

for (const [what, status, target, init = {}] of answered) {
  void t.test(`a request that was answered ${what} is aborted in vain`, async (t) => {
    const standard = createHandler({ schema: createStandardSchema() })
    const isStream = target.includes('subscription')
    const { answer, bugs } = watched(isStream ? standard : undefined)
    const gone = new AbortController()
    const request = new Request(url + target, { ...init, signal: gone.signal })
    const own = getEventListeners(request.signal, 'abort').length
    const response = await answer(request)
    t.equal(response.status, status)
    t.ok(await response.text())
    t.equal(getEventListeners(request.signal, 'abort').length, own, 'no listener is left')
    gone.abort()
    t.same(bugs, [])
  })
}

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
const text = { 'Content-Type': 'text/plain' }

// oxfmt-ignore
const unread: readonly (readonly [what: string, status: number, sent: object, chunks: number, bytes: number, pulled: number])[] = [
  ['a body that is too large',           413, headers,   12,        KiB, 12],
  ['a body of a wrong type',             415, text,       6,        KiB, 6],
  ['no more than 16 MiB',                413, headers, 1000, 1024 * KiB, 17],
  ['no more than 16 MiB of a wrong type', 415, text,   1000, 1024 * KiB, 16],
]

for (const [what, status, sent, chunks, bytes, expected] of unread) {
  void t.test(`workers read to the end: ${what}`, async (t) => {
    asWorker(t)
    const { answer, bugs } = watched()
    const pull: Pull = (controller, pulled) => {
      controller.enqueue(new Uint8Array(bytes))
      if (pulled === chunks) controller.close()
    }
    const { request, state } = post(pull, { headers: { ...sent } })
    t.equal((await answer(request)).status, status)
    t.equal(state.pulled, expected)
    t.same(bugs, [])
  })
}

void t.test('workers wait for three seconds for a body that hangs', async (t) => {
  asWorker(t)
  const { answer } = watched()
  const begun = performance.now()
  t.equal((await answer(post(never, { headers: text }).request)).status, 415)
  t.ok(performance.now() - begun >= 2_900)
})
