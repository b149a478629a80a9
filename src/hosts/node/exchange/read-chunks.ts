import type { BodyChunks } from '../../../http/message.js'
import type { Incoming } from './incoming.js'
import { checkUnread, isCutOff, parsedBody, toBytes } from './read-body.js'

/** The step of a reader that waits. */
interface Waiting {
  resolve(step: IteratorResult<Uint8Array, undefined>): void
  reject(reason: Error): void
}

const over: IteratorResult<Uint8Array, undefined> = { done: true, value: undefined }

/**
 * Reads the body piece by piece, and only as fast as it is asked for; undefined if a middleware has parsed it. Node's own
 * iterator could not be ended while it waits for a client that sends nothing.
 */
export function readChunks(incoming: Incoming): BodyChunks | undefined {
  if (parsedBody(incoming) !== undefined) return undefined
  checkUnread(incoming)
  let waiting: Waiting | undefined
  let isListening = false
  let end: 'complete' | 'cut' | undefined = incoming.readableEnded ? 'complete' : undefined
  const settle = (): void => {
    if (end === 'cut') waiting?.reject(new Error('The body was cut off.'))
    else waiting?.resolve(over)
  }
  const stop = (how: 'complete' | 'cut'): void => {
    end ??= how
    incoming.pause()
    incoming.off('data', onData)
    for (const event of ends) incoming.off(event, onEnd)
    settle()
  }
  const onData = (chunk: Uint8Array | string): void => {
    incoming.pause()
    waiting?.resolve({ done: false, value: toBytes(chunk, incoming) })
    waiting = undefined
  }
  const onEnd = (): void => stop(isCutOff(incoming) || !incoming.readableEnded ? 'cut' : 'complete')
  const listen = (): void => {
    isListening = true
    incoming.on('data', onData)
    for (const event of ends) incoming.on(event, onEnd)
  }
  return {
    [Symbol.asyncIterator]: () => ({
      next: () =>
        new Promise((resolve, reject) => {
          waiting = { resolve, reject }
          if (end !== undefined) return settle()
          if (!isListening) listen()
          incoming.resume()
        }),
      return() {
        stop('complete')
        return Promise.resolve(over)
      },
    }),
  }
}

const ends = ['end', 'close', 'error'] as const
