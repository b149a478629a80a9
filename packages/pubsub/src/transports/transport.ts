import type { Shape } from 'graphwire/base'
import { PubSubError } from '../channel/pub-sub-error.js'

/**
 * Connects a pub/sub to those of other instances. It is called once by `createPubSub`; what it returns is used by that
 * pub/sub alone. It knows names and texts only: JSON, reference counts and the policy for gaps are not its concern.
 */
export type Transport = (receiver: Receiver) => Link

/** Gets the reports of a transport. Before the first one, the transport counts as connecting. */
export interface Receiver {
  text(name: string, text: string): void
  /** The connection was lost, or could not be made: texts may be missing until `regained`. */
  lost(cause: unknown): void
  /** The service can be reached, for the first time or again. `listen` is then called for every name. */
  regained(): void
}

export interface Link {
  /** Sends a text to all instances that listen to the name, this one too. Rejects if that failed or may have failed. */
  publish(name: string, text: string): Promise<void>
  /**
   * Resolves when the service has confirmed it. A name that is listened to already stays so. Like `unlisten`, it is only
   * called while the service can be reached.
   */
  listen(name: string): Promise<void>
  /** Also called for a name that the client may have kept during an outage. Rejects if it has to be called again after one. */
  unlisten(name: string): Promise<void>
  /** Ends what the transport itself opened, and leaves the clients of the embedder as they are. */
  close(): void
}

/** A client by its methods, and by the property that other clients of the same service do not have. */
export function clientWith(example: string, methods: readonly string[], property?: string): Shape {
  const expected = `a client such as ${example}`
  return {
    expected,
    fits: (value) => typeof value === 'object' && value !== null,
    findInside: (value: { readonly [name: string]: unknown }) => {
      const absent =
        methods.find((name) => typeof value[name] !== 'function') ??
        (property !== undefined && value[property] === undefined ? property : undefined)
      return absent && `expected ${expected}, got one without \`${absent}\`.`
    },
  }
}

/** Throws if a text is larger than `most` bytes, which `holder` is said to accept. */
export function checkSize(name: string, text: string, most: number, holder: string): void {
  // A character has at most 3 bytes for each of its UTF-16 units.
  if (text.length * 3 <= most) return
  const size = new TextEncoder().encode(text).length
  if (size <= most) return
  const message = `The event for "${name}" has ${size} bytes; ${holder} ${most}. Publish an id, and read the rest in the resolver.`
  throw new PubSubError('EVENT_TOO_LARGE', message)
}

export const aTransport: Shape = {
  expected: 'a transport such as redisTransport(client)',
  fits: (value) => typeof value === 'function',
  hint: (value) =>
    typeof value === 'object' && value !== null && 'publish' in value
      ? ' Pass the client to the transport for it.'
      : '',
}
