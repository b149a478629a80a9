import type { StopCause } from './running-operations.js'
/**
 * Why the server closes a socket (closed union). The codes are chosen by what clients do: those of graphql-ws
 * connect again after 1001, 1013, 4403 and 4408, and give up after the others.
 */
export type CloseKind =
  | 'shutdown'
  | 'refused'
  | 'overloaded'
  | 'slow-reader'
  | 'flooded'
  | 'invalid-message'
  | 'not-acknowledged'
  | 'denied'
  | 'expired'
  | 'wrong-subprotocol'
  | 'init-timeout'
  | 'duplicate-id'
  | 'second-init'
  | 'internal'

export interface CloseFrame {
  readonly code: number
  readonly reason: string
}

interface CloseRow {
  readonly code: number
  readonly reason: string | ((detail: string) => string)
}

// oxfmt-ignore
export const closeRows: { readonly [kind in CloseKind]: CloseRow } = {
  shutdown:            { code: 1001, reason: 'Going away: connect again' },
  refused:             { code: 1008, reason: (message) => message },
  overloaded:          { code: 1013, reason: 'The server is overloaded: connect again later' },
  'slow-reader':       { code: 1013, reason: 'The client reads too slowly' },
  flooded:             { code: 1008, reason: 'Too many messages' },
  'invalid-message':   { code: 4400, reason: (message) => message },
  'not-acknowledged':  { code: 4401, reason: 'Unauthorized' },
  denied:              { code: 4403, reason: (message) => message || 'Forbidden' },
  expired:             { code: 4403, reason: 'The credentials have expired or were revoked' },
  'wrong-subprotocol': { code: 4406, reason: 'Subprotocol not acceptable' },
  'init-timeout':      { code: 4408, reason: 'Connection initialisation timeout' },
  'duplicate-id':      { code: 4409, reason: (id) => `Subscriber for ${id} already exists` },
  'second-init':       { code: 4429, reason: 'Too many initialisation requests' },
  internal:            { code: 4500, reason: 'Internal server error' },
}

/** The close frame of a kind; `detail` is what its text is about. */
export function toCloseFrame(kind: CloseKind, detail: string): CloseFrame {
  const { code, reason } = closeRows[kind]
  return { code, reason: typeof reason === 'string' ? reason : cutReason(reason(detail)) }
}

/** RFC 6455 section 5.5: a control frame holds 125 bytes, two of which are the code. */
const maxReasonBytes = 123

const utf8 = new TextEncoder()

/** Cuts a text to what fits into a close frame, between two characters. */
export function cutReason(text: string): string {
  return text.slice(0, utf8.encodeInto(text, new Uint8Array(maxReasonBytes)).read)
}

/** Why operations stop when their socket closes. In all other cases the client is at fault. */
export const stopCauses: { readonly [kind in CloseKind]?: StopCause } = {
  shutdown: 'shutdown',
  expired: 'expired',
  'slow-reader': 'slow-reader',
}
