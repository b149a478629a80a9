import type { RequestHead, TextResponse } from '../../http/message.js'
import { toHeaders } from '../../http/to-headers.js'
import type { SocketOperations } from '../../websocket/operations.js'
import type { Sessions } from '../../websocket/sessions.js'
import { checkSubprotocol, tooManySockets } from './check-handshake.js'

/** The response to a handshake that is refused, on runtimes that do the handshake themselves. */
export function refuseHandshake(
  head: RequestHead,
  { checkUpgrade, refused }: SocketOperations,
  sessions: Sessions,
): Response | undefined {
  const refusal =
    checkUpgrade(head) ??
    checkSubprotocol(head) ??
    (sessions.hasRoomFor(head) ? undefined : tooManySockets)
  if (refusal === undefined) return undefined
  refused(head, refusal)
  const { status, headers, body } = refusal as TextResponse
  return new Response(body, { status, headers: toHeaders(headers) })
}
