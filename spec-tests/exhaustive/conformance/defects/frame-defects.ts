import type { DefectTable, Layers, Wire } from './defect.js'
import { frames, fromClient, fromServer, opcodeOf } from './sockets.js'
import type { Frame, Middle } from './sockets.js'

/** Changes the request or the response of a handshake. */
const handshake = (wire: Wire): Layers => ({
  wire: () => ({
    client: (bytes) => (wire.client && /\r\nupgrade:/i.test(bytes) ? wire.client(bytes) : bytes),
    server: (bytes) => (wire.server && bytes.startsWith('HTTP/1.1 ') ? wire.server(bytes) : bytes),
  }),
})
const asking = (client: (head: string) => string): Layers => handshake({ client })
const answering = (server: (head: string) => string): Layers => handshake({ server })
const key = '\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='
const own = 'graphql-transport-ws'

const isControl = (frame: Frame): boolean => opcodeOf(frame) >= 8
/** Drops frames of the client for which the server would fail the connection. */
export const ignoring = (test: (frame: Frame) => boolean): Layers =>
  fromClient((frame) => (test(frame) ? undefined : frame))
export const closing = (frame: Frame): boolean => opcodeOf(frame) === 8
export const closeCode = ({ payload }: Frame): number =>
  Buffer.from(payload, 'latin1').readUInt16BE(0)

/** Whether a continuation has nothing to continue. */
function isStray(frame: Frame, { seen }: Middle): boolean {
  const opcode = opcodeOf(frame)
  const isStrayOne = opcode === 0 && seen.get('open') !== true
  if (opcode < 3 && !isStrayOne) seen.set('open', (frame.first & 0x80) === 0)
  return isStrayOne
}

/** What can be wrong with the handshake and the frames of a WebSocket. */
// oxfmt-ignore
export const frameDefects: DefectTable = {
  'ws-subprotocol-missing': ['No subprotocol is chosen.', 'ws.handshake ws.subprotocol.among', answering((head) => head.replace(/\r\nsec-websocket-protocol:[^\r]*/i, ''))],
  'ws-subprotocol-first': ['The first subprotocol that is offered is chosen.', 'ws.subprotocol.among', (): Layers => ({ wire: () => {
    let first = own
    return {
      client: (bytes) => { first = /\r\nsec-websocket-protocol: *([^,\r]*)/i.exec(bytes)?.[1] ?? first; return bytes },
      server: (bytes) => bytes.replace(/(\r\nsec-websocket-protocol: *)[^\r]*/i, `$1${first}`) } } })],
  'ws-subprotocol-forced': ['graphql-transport-ws is chosen even if it is not offered.', 'ws.subprotocol.legacy-only', asking((head) => head.replace(/(\r\nsec-websocket-protocol: *)[^\r]*/i, `$1${own}`))],
  'ws-accept-wrong': ['The key is not answered with its hash.', 'ws.handshake', answering((head) => head.replace(/(\r\nsec-websocket-accept: *)[^\r]*/i, '$1d3Jvbmc='))],
  'ws-version-ignored': ['Every version of the protocol is accepted.', 'ws.version', asking((head) => head.replace(/(\r\nsec-websocket-version: *)[^\r]*/i, '$113'))],
  'ws-version-unnamed': ['The refusal of a version does not say which are known.', 'ws.version', answering((head) => head.replaceAll(/\r\nsec-websocket-version:[^\r]*/gi, ''))],
  'ws-key-ignored': ['A handshake without a key is accepted.', 'ws.key.missing', asking((head) => (/\r\nsec-websocket-key:/i.test(head) ? head : head.replace('\r\n', `${key}\r\n`)))],
  'ws-key-unchecked': ['A key of any length is accepted.', 'ws.key.short', asking((head) => head.replace(/\r\nsec-websocket-key:[^\r]*/i, key))],
  'ws-method-ignored': ['A handshake by POST is accepted.', 'ws.method', asking((head) => head.replace(/^POST /, 'GET ').replace(/\r\ncontent-length:[^\r]*/i, ''))],
  'ws-origin-ignored': ['Every Origin is accepted.', 'ws.origin', asking((head) => head.replace(/\r\norigin:[^\r]*/i, ''))],
  'ws-unmasked-accepted': ['A frame without a mask is read.', 'ws.frame.unmasked', fromClient((frame) => (frame.isMasked ? frame : { ...frame, isMasked: true }))],
  'ws-rsv-accepted': ['Reserved bits are ignored.', 'ws.frame.rsv', fromClient((frame) => ({ ...frame, first: frame.first & 0x8f }))],
  'ws-opcode-accepted': ['Frames with a reserved opcode are ignored.', 'ws.frame.opcode', ignoring((frame) => ![0, 1, 2, 8, 9, 10].includes(opcodeOf(frame)))],
  'ws-control-long-accepted': ['A control frame may be of any length.', 'ws.frame.control-long', ignoring((frame) => isControl(frame) && frame.payload.length > 125)],
  'ws-control-fragmented': ['A control frame may be fragmented.', 'ws.frame.control-fragmented', fromClient((frame) => (isControl(frame) ? { ...frame, first: frame.first | 0x80 } : frame))],
  'ws-continuation-accepted': ['A continuation of nothing is ignored.', 'ws.frame.continuation', fromClient((frame, middle) => (isStray(frame, middle) ? undefined : frame))],
  'ws-utf8-unchecked': ['Malformed UTF-8 is replaced.', 'ws.frame.utf8', fromClient((frame) => (opcodeOf(frame) === 1 ? { ...frame, payload: Buffer.from(Buffer.from(frame.payload, 'latin1').toString()).toString('latin1') } : frame))],
  'ws-fragments-refused': ['A fragmented message closes the connection.', 'ws.frame.fragmented', fromClient((frame, { close }) => { if ((frame.first & 0x80) === 0) close(1002); return frame })],
  'ws-fragments-lost': ['Only the first fragment of a message is read.', 'ws.frame.fragmented', fromClient((frame) => (opcodeOf(frame) === 0 ? { ...frame, payload: '' } : frame))],
  'ws-ping-frame-ignored': ['A ping frame gets no pong frame.', 'ws.frame.ping', ignoring((frame) => opcodeOf(frame) === 9)],
  'ws-pong-frame-empty': ['A pong frame has none of the data of its ping frame.', 'ws.frame.ping', fromServer((frame) => (opcodeOf(frame) === 10 ? { ...frame, payload: '' } : frame))],
  'ws-ping-frame-resets': ['A ping frame drops the fragments before it.', 'ws.frame.ping-between-fragments', fromClient((frame, { seen }) => {
    if (opcodeOf(frame) === 9) seen.set('isReset', true)
    return opcodeOf(frame) === 0 && seen.get('isReset') === true ? { ...frame, payload: '' } : frame })],
  'ws-close-unanswered': ['The connection is cut without a close frame.', 'ws.frame.close-echo ws.frame.close-empty', fromServer((frame, { cut }) => { if (!closing(frame)) return frame; cut(); return undefined })],
  'ws-close-ignored': ['A close frame is ignored.', 'ws.frame.close-echo', ignoring(closing)],
  'ws-close-empty-ignored': ['A close frame without a code is ignored.', 'ws.frame.close-empty', ignoring((frame) => closing(frame) && frame.payload === '')],
  'ws-close-code-unchecked': ['A close frame with a reserved code is ignored.', 'ws.frame.close-code', ignoring((frame) => closing(frame) && frame.payload.length > 1 && closeCode(frame) < 1000)],
  'ws-close-half-accepted': ['A close frame with half a code is ignored.', 'ws.frame.close-half', ignoring((frame) => closing(frame) && frame.payload.length === 1)],
  'ws-frames-masked': ['The frames of the server are masked.', 'ws.frame.server ws.subscribe.messages', fromServer((frame) => ({ ...frame, isMasked: true }))],
  'ws-long-length': ['Every frame has a length of 64 bits.', 'ws.frame.server', frames({ server: ({ first, payload }, { raw }) => {
    raw(String.fromCharCode(first, 127, 0, 0, 0, 0, 0, 0, payload.length >> 8, payload.length & 255) + payload)
    return undefined } })],
  'ws-message-unlimited': ['A message may be of any length.', 'ws.limit.message', ignoring((frame) => frame.payload.length > 200_000)],
}
