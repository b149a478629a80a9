import { EventEmitter } from 'node:events'
import t from 'tap'
import { fromEvent, type Channel } from '@graphwire/pubsub'
import { drain } from './drain.js'

interface Source {
  readonly emitter: EventEmitter | EventTarget
  emit(event: string): void
  listeners(): number
  valueOf(event: unknown): unknown
}

function emitterSource(): Source {
  const emitter = new EventEmitter()
  return {
    emitter,
    emit: (event) => emitter.emit('change', event, 'more'),
    listeners: () => emitter.listenerCount('change'),
    valueOf: (event) => event,
  }
}

function targetSource(): Source {
  const target = new EventTarget()
  const listeners = new Set<unknown>()
  const { addEventListener, removeEventListener } = target
  target.addEventListener = (name: string, listener: () => void) => {
    listeners.add(listener)
    addEventListener.call(target, name, listener)
  }
  target.removeEventListener = (name: string, listener: () => void) => {
    listeners.delete(listener)
    removeEventListener.call(target, name, listener)
  }
  return {
    emitter: target,
    emit: (event) => target.dispatchEvent(Object.assign(new Event('change'), { detail: event })),
    listeners: () => listeners.size,
    valueOf: (event) => (event as { detail?: unknown }).detail ?? event,
  }
}

function targetWithOn(): Source {
  const source = targetSource()
  return { ...source, emitter: Object.assign(source.emitter, { on: () => {} }) }
}

for (const [kind, makeSource] of [
  ['EventEmitter', emitterSource],
  ['EventTarget', targetSource],
  ['EventTarget with `on`', targetWithOn],
] as const) {
  const read = (source: Source, channel: Channel<unknown>): unknown[] =>
    drain(channel).map((event) => source.valueOf(event))

  void t.test(`the events of an ${kind}`, async (t) => {
    const source = makeSource()
    const channel = fromEvent(source.emitter, 'change')
    for (const event of ['a', 'b']) source.emit(event)
    t.strictSame(read(source, channel), ['a', 'b'])
    const next = channel.next()
    source.emit('c')
    t.equal(source.valueOf((await next).value), 'c')
    t.equal(source.listeners(), 1)
    await channel.return()
    t.equal(source.listeners(), 0)
    source.emit('d')
    t.strictSame(read(source, channel), ['end'])
  })

  void t.test(`the queue of an ${kind} is bounded`, async (t) => {
    const source = makeSource()
    const strict = fromEvent(source.emitter, 'change', { maxQueued: 2 })
    const loose = fromEvent(source.emitter, 'change', { maxQueued: 2, overflow: 'drop-oldest' })
    for (const event of ['a', 'b', 'c']) source.emit(event)
    t.equal(source.listeners(), 1, 'the subscriber that was too slow is removed')
    t.strictSame(read(source, strict), ['a', 'b', 'EVENTS_LOST'])
    t.strictSame(read(source, loose), ['b', 'c'])
    t.equal(loose.dropped, 1)
  })

  void t.test(`a signal ends the events of an ${kind}`, async (t) => {
    const source = makeSource()
    const controller = new AbortController()
    const channel = fromEvent(source.emitter, 'change', { signal: controller.signal })
    const next = channel.next()
    controller.abort()
    t.strictSame(await next, { done: true, value: undefined })
    fromEvent(source.emitter, 'change', { signal: controller.signal })
    t.equal(source.listeners(), 0)
  })
}
