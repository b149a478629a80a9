import type { JsonObject } from '../base/json.js'
import { failure } from '../base/outcome.js'
import { isPromise } from '../base/promise.js'
import { fieldValue, type GoneListener, type RequestHead } from '../http/message.js'
import type { HeldBytes } from './message-reader.js'
import type { SocketOperations } from './operations.js'

interface ClientInit {
  readonly head: RequestHead
  readonly payload: JsonObject | undefined
  /** The size of the message. */
  readonly bytes: number
  /** Registers what is called when the socket closes. */
  readonly onClientGone: (listener: () => void) => void
}

type Identified = ReturnType<SocketOperations['authenticate']>

/** Identifies a client. Its message counts until `authenticate` has ended, even if the client leaves before that. */
export function identify(
  { head, payload, bytes, onClientGone }: ClientInit,
  held: HeldBytes,
  { authenticate }: SocketOperations,
): Identified {
  if (!held.add(bytes)) return failure({ kind: 'overloaded', message: '' })
  const giveBack = (): unknown => held.add(-bytes)
  let outcome: Identified | undefined
  let left: ReturnType<GoneListener>
  try {
    outcome = authenticate(head, payload, (listener) => {
      onClientGone(() => void (left = listener()))
    })
    return outcome
  } finally {
    const work = (): typeof left => left
    if (isPromise(outcome)) void outcome.then(work, work).then(giveBack, giveBack)
    else giveBack()
  }
}

/**
 * Browsers cannot set headers of a handshake, so clients send their credentials in `connection_init`. Only
 * `Authorization` is taken, as the header that it would be, and only where the handshake had none: everything else
 * in the payload is what the client says about itself. Credentials that no header could carry are ignored.
 */
export function completeHead(head: RequestHead, payload: JsonObject | undefined): RequestHead {
  if (payload === undefined || fieldValue(head.headers, 'authorization') !== undefined) return head
  const names = Object.keys(payload).filter((name) => name.toLowerCase() === 'authorization')
  const value = names.length === 1 ? payload[names[0] as string] : undefined
  if (typeof value !== 'string' || value.length > maxCredentials) return head
  if (!fieldContent.test(value)) return head
  return { ...head, headers: [...head.headers, 'authorization', value] }
}

/** As long as the head of a request may be by default: the socket keeps them until it closes. */
const maxCredentials = 16_384

/** RFC 9110 section 5.5: no control characters, nor blanks at the ends. */
const fieldContent = /^[\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?$/
