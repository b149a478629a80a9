import { fieldValue, type RequestHead, type TextResponse } from '../../http/message.js'
import { splitList } from '../../http/split-list.js'
import { toHeaders } from '../../http/to-headers.js'
import { subprotocol } from '../../websocket/messages.js'
import type { SocketOperations } from '../../websocket/operations.js'
import type { Sessions } from '../../websocket/sessions.js'
import { badRequest, hostError, methodNotAllowed, overloaded } from '../host-error.js'

/** Checks the handshake of a WebSocket (RFC 6455 section 4.2.1), and which subprotocols it offers. */
export function checkHandshake(head: RequestHead): TextResponse | undefined {
  const { method, headers } = head
  if (method !== 'GET') {
    return methodNotAllowed('A WebSocket is opened with GET.', 'GET')
  }
  if (fieldValue(headers, 'upgrade')?.toLowerCase() !== 'websocket') {
    return badRequest('The only supported upgrade is to "websocket".')
  }
  if (fieldValue(headers, 'sec-websocket-version') !== version) {
    return hostError(
      426,
      'UPGRADE_REQUIRED',
      `The only supported version of the WebSocket protocol is ${version}.`,
      // RFC 6455 section 4.4, and RFC 9110 section 15.5.22.
      ['Sec-WebSocket-Version', version, 'Upgrade', 'websocket', 'Connection', 'Upgrade'],
    )
  }
  if (!key.test(fieldValue(headers, 'sec-websocket-key') ?? '')) {
    return badRequest('Sec-WebSocket-Key must be 16 bytes in base64.')
  }
  return checkSubprotocol(head)
}

/** RFC 6455 section 4.1: a list of tokens, none of them twice. Runtimes with their own handshake do not check it. */
function checkSubprotocol({ headers }: RequestHead): TextResponse | undefined {
  const offered = splitList(fieldValue(headers, 'sec-websocket-protocol') ?? '', ',')
  const isValid = offered.every((name) => token.test(name))
  if (isValid && offered.includes(subprotocol) && new Set(offered).size === offered.length) {
    return undefined
  }
  return badRequest(`The only supported subprotocol is "${subprotocol}".`)
}

const version = '13'

/** 16 bytes in base64; the last character has four unused bits. */
const key = /^[+/\dA-Za-z]{22}==$/

const token = /^[\w!#$%&'*+.^`|~-]+$/

export const tooManySockets: TextResponse = overloaded('Too many open sockets')

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
