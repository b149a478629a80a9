import { EventChannel, type Channel } from './channel/channel.js'
import {
  aSignal,
  queueShapes,
  resolveQueueOptions,
  type QueueOptions,
} from './channel/event-queue.js'
import { checkOptions, hasMethods, objectOf, type Shape } from 'graphwire/base'

/** The part of an EventEmitter that is used. */
export interface Emitter {
  on(name: string | symbol, listener: (event: unknown) => void): unknown
  off(name: string | symbol, listener: (event: unknown) => void): unknown
}

/** The part of an EventTarget that is used. */
export interface Target {
  addEventListener(name: string, listener: (event: unknown) => void): void
  removeEventListener(name: string, listener: (event: unknown) => void): void
}

export interface FromEventOptions extends QueueOptions {
  /** Aborting it ends the channel as `return` does. Default: none. */
  readonly signal?: AbortSignal | undefined
}

const ofEmitter = ['on', 'off'] as const
const ofTarget = ['addEventListener', 'removeEventListener'] as const

const anEmitter: Shape = {
  expected: 'an EventEmitter or an EventTarget',
  fits: (value) => hasMethods(value, ...ofEmitter) || hasMethods(value, ...ofTarget),
}

const aName: Shape = {
  expected: 'the name of an event',
  fits: (value) => typeof value === 'string' || typeof value === 'symbol',
}

const optionsShape = objectOf<FromEventOptions>('{ maxQueued: 256 }', {
  ...queueShapes,
  signal: aSignal,
})

/**
 * The events of a name that an emitter emits: of an EventEmitter the first argument of each, of an EventTarget the Event.
 * `fromEvent<Person>(emitter, 'saved')` gives them their type.
 */
export function fromEvent<Event = unknown>(
  emitter: Emitter | Target,
  name: string | symbol,
  options: FromEventOptions = {},
): Channel<Event> {
  checkOptions('fromEvent, first argument', emitter, anEmitter)
  checkOptions('fromEvent, second argument', name, aName)
  checkOptions('fromEvent', options, optionsShape)
  const [start, stop] = hasMethods(emitter, ...ofEmitter) ? ofEmitter : ofTarget
  const methods = emitter as unknown as { readonly [method: string]: Listen }
  const { signal } = options
  const queue = resolveQueueOptions(options)
  const channel = new EventChannel<Event>({
    queue,
    signal,
    release: () => methods[stop]?.(name, listener),
  })
  const listener = (event: unknown): void => {
    channel.offer(event as Event)
    channel.wake()
  }
  if (signal?.aborted === true) channel.end()
  else methods[start]?.(name, listener)
  return channel
}

type Listen = (name: string | symbol, listener: (event: unknown) => void) => unknown
