import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { withCheapListeners } from '../../src/base/abort-listeners.js'
import { buildSchema } from '../../src/index.js'
import { clientOf } from '../handler/client-of.js'

function watched(run: (controller: AbortController, note: (what: string) => () => void) => void) {
  const heard: string[] = []
  const controller = new AbortController()
  withCheapListeners(controller.signal)
  run(controller, (what) => () => void heard.push(what))
  controller.abort('why')
  return heard
}

// oxfmt-ignore
const rows: readonly (readonly [title: string, heard: readonly string[], ...rest: Parameters<typeof watched>])[] = [
  ['in order, and each once', ['a', 'b'], ({ signal }, note) => {
    const a = note('a')
    signal.addEventListener('abort', a)
    signal.addEventListener('abort', note('b'), { once: true })
    signal.addEventListener('abort', a)
  }],
  ['an object', ['a'], ({ signal }, note) => signal.addEventListener('abort', { handleEvent: note('a') })],
  ['with null as options', ['a'], ({ signal }, note) => {
    const b = note('b')
    const none = null as unknown as undefined
    signal.addEventListener('abort', note('a'), none)
    signal.addEventListener('abort', b, none)
    signal.removeEventListener('abort', b, none)
  }],
  ['not what was removed', [], ({ signal }, note) => {
    const a = note('a')
    signal.addEventListener('abort', a)
    signal.removeEventListener('abort', a)
  }],
  ['not what another one removes', ['a'], ({ signal }, note) => {
    const b = note('b')
    signal.addEventListener('abort', () => (note('a')(), signal.removeEventListener('abort', b)))
    signal.addEventListener('abort', b)
  }],
  ['what a signal does not remove', ['a'], ({ signal }, note) => {
    const [kept, removed] = [new AbortController(), new AbortController()]
    signal.addEventListener('abort', note('a'), { signal: kept.signal })
    signal.addEventListener('abort', note('b'), { signal: removed.signal })
    removed.abort()
  }],
  ['nothing where the listener is absent', ['a'], ({ signal }, note) => {
    for (const absent of [undefined, null]) {
      signal.addEventListener('abort', absent as never)
      signal.removeEventListener('abort', absent as never)
    }
    signal.addEventListener('abort', note('a'))
  }],
  ['not another event', [], ({ signal }, note) => signal.addEventListener('other', note('a'))],
  ['not what is added too late', [], (controller, note) => {
    controller.abort()
    controller.signal.addEventListener('abort', note('a'))
  }],
]

for (const [title, heard, run] of rows) {
  void t.test(`a signal calls ${title}`, async (t) => t.strictSame(watched(run), heard))
}

void t.test('a string is refused as a listener, and the signal can be cloned', async (t) => {
  const { signal } = new AbortController()
  withCheapListeners(signal)
  t.throws(() => signal.addEventListener('abort', 'a' as never), { code: 'ERR_INVALID_ARG_TYPE' })
  t.doesNotThrow(() => structuredClone(signal))
})

void t.test('a listener gets the event and the signal', async (t) => {
  const { signal } = new AbortController()
  const controller = new AbortController()
  withCheapListeners(controller.signal)
  let seen: unknown[] = []
  controller.signal.addEventListener('abort', function listen(this: unknown, { type, target }) {
    seen = [this, type, target]
  })
  t.ok(AbortSignal.any([signal, controller.signal]))
  controller.abort()
  t.strictSame(seen, [controller.signal, 'abort', controller.signal])
})

// Node goes through all listeners whenever one is added or removed, and warns of a leak.
void t.test('thousands of resolvers listen to the signal of their request', async (t) => {
  const warnings: Error[] = []
  const note = (warning: Error): void =>
    void (warning.name === 'MaxListenersExceededWarning' && warnings.push(warning))
  process.on('warning', note)
  t.teardown(() => process.off('warning', note))
  const schema = buildSchema('type Query { list(limit: Int): [Query!] name: String }', {
    Query: {
      list: (_, { limit }) => Array.from({ length: Number(limit) }, () => ({})),
      name: (_, __, { signal }) => pause(1, 'Ada', { signal }),
    },
  })
  const { ask } = clientOf({ schema })
  const began = process.cpuUsage()
  const response = await ask('{ list(limit: 100) { list(limit: 100) { name } } }')
  const { user } = process.cpuUsage(began)
  t.equal(response.status, 200)
  t.equal(response.body.split('"Ada"').length, 10_001)
  t.ok(user < 2_000_000, `${user} microseconds`)
  await pause(1)
  t.strictSame(warnings, [])
})
