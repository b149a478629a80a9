import type { ParsedJson } from '../../http/message.js'
import { BodyBudget } from './body-budget.js'
import { parsedBody } from './parsed-body.js'
import type { Incoming } from './exchange.js'

/** Who gets the body. */
export interface BodyReceiver {
  /** Gets it whole, or as far as it was when it grew beyond the limit. */
  readonly done: (body: Uint8Array | ParsedJson) => void
  /** Is told that there is no room for it in memory now. */
  readonly refused: () => void
}

/**
 * Reads the body and passes it on once, but not when the client goes away first. An async iterator
 * would cost a fifth more.
 */
export function readBody(
  incoming: Incoming,
  maxBytes: number,
  budget: BodyBudget,
  { done, refused }: BodyReceiver,
): void {
  const parsed = parsedBody(incoming)
  if (parsed !== undefined) return done(parsed)
  if (incoming.readableDidRead) throw new Error(consumed)
  if (incoming.readableEnded) return done(new Uint8Array(0))

  let first: Uint8Array | undefined
  let more: Uint8Array[] | undefined
  let size = 0
  let taken = 0
  const release = (): void => {
    budget.give(taken)
    taken = 0
  }
  const stop = (): void => {
    incoming.pause()
    incoming.off('data', onData)
    incoming.off('end', finish)
  }
  const finish = (): void => {
    if (taken > 0) release()
    // HTTP/2 ends the body of a stream that was cut off: what came of it must not run.
    if (incoming.aborted) return
    const body = more === undefined ? (first ?? new Uint8Array(0)) : Buffer.concat(more)
    // A connection remembers its last request for a while, and would remember its body with it.
    first = more = undefined
    done(body)
  }
  const onData = (chunk: Uint8Array | string): void => {
    const bytes = typeof chunk === 'string' ? encode(chunk, incoming) : chunk
    size += bytes.byteLength
    const counted = BodyBudget.countable(bytes.byteLength, size)
    if (counted > 0) {
      if (!budget.take(counted)) {
        stop()
        release()
        return refused()
      }
      if (taken === 0) incoming.once('close', release)
      taken += counted
    }
    if (first === undefined) first = bytes
    else (more ??= [first]).push(bytes)
    if (size > maxBytes) {
      stop()
      finish()
    }
  }
  incoming.on('data', onData)
  incoming.on('end', finish)
  // Where a middleware has paused the request, a listener alone does not make it flow.
  if (incoming.isPaused()) incoming.resume()
}

const consumed =
  'The body was read before graphwire got the request, and nothing of it was left on `request.body`. ' +
  'Put graphwire before whatever reads it, or let that leave what it has read: parsed JSON, text or ' +
  'bytes as `request.body` (answerNodeRequest takes it as its option `body`).'

/** A middleware that has called `setEncoding` gets text; back to bytes by the same encoding. */
function encode(text: string, { readableEncoding }: Incoming): Uint8Array {
  return Buffer.from(text, readableEncoding ?? 'utf8')
}
