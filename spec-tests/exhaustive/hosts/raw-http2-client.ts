import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectSecure } from 'node:tls'
import { Received } from './received.js'

/** A frame of HTTP/2 (RFC 9113 section 4). */
export interface Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
}

export const frameTypes = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
} as const
export const endStream = 1
const endHeaders = 4

/** A client that writes exactly the frames it is told to, on its first stream unless it names another. */
export interface RawHttp2Client {
  head(stream?: number): void
  data(bytes: string | Uint8Array, flags?: number, stream?: number): void
  reset(code: number): void
  /** Lets the server send as much as the protocol can say, and reads nothing from the connection. */
  takeNothing(): void
  /** Lets the server send one more byte. */
  widen(): void
  destroy(): void
  /** The next frame of the first stream; undefined when the connection ends before it. */
  next(): Promise<Frame | undefined>
  /** The next frame of this type, of any stream. */
  nextOf(type: number): Promise<Frame | undefined>
}

/** Connects to a port of the loopback; `ca` is for TLS. */
export async function rawHttp2Client(port: number, ca?: string): Promise<RawHttp2Client> {
  const raw = connect(port, '127.0.0.1')
  const secure = { socket: raw, host: '127.0.0.1', ca, ALPNProtocols: ['h2'] }
  const socket = ca === undefined ? raw : connectSecure(secure)
  const received = new Received(socket)
  await once(socket, ca === undefined ? 'connect' : 'secureConnect')
  const write = (type: number, flags: number, stream: number, payload = Buffer.alloc(0)): void => {
    socket.write(toBytes({ type, flags, stream, payload }))
  }
  socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
  write(frameTypes.settings, 0, 0)

  const nextWhere = async (isWanted: (frame: Frame) => boolean): Promise<Frame | undefined> => {
    for (;;) {
      const frame = await received.next(parseFrame)
      if (frame === undefined || isWanted(frame)) return frame
    }
  }
  return {
    head: (stream = 1) => write(frameTypes.headers, endHeaders, stream, headOfPost),
    data: (bytes, flags = 0, stream = 1) =>
      write(frameTypes.data, flags, stream, Buffer.from(bytes)),
    reset: (code) => write(frameTypes.reset, 0, 1, Buffer.from([0, 0, 0, code])),
    takeNothing() {
      socket.pause()
      write(frameTypes.settings, 0, 0, Buffer.from([0, initialWindowSize, 0x7f, 0xff, 0xff, 0xff]))
      write(frameTypes.windowUpdate, 0, 0, Buffer.from([0x3f, 0xff, 0xff, 0xff]))
    },
    widen: () => write(frameTypes.windowUpdate, 0, 0, Buffer.from([0, 0, 0, 1])),
    destroy: () => raw.resetAndDestroy(),
    next: () => nextWhere(({ stream, type }) => stream === 1 && type <= frameTypes.reset),
    nextOf: (type) => nextWhere((frame) => frame.type === type),
  }
}

const frameHeadBytes = 9

/** A setting (RFC 9113 section 6.5.2). */
const initialWindowSize = 4

function toBytes({ type, flags, stream, payload }: Frame): Buffer {
  const head = Buffer.alloc(frameHeadBytes)
  head.writeUIntBE(payload.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

function parseFrame(bytes: Buffer): { item: Frame; size: number } | undefined {
  if (bytes.length < frameHeadBytes) return undefined
  const size = frameHeadBytes + bytes.readUIntBE(0, 3)
  if (bytes.length < size) return undefined
  const [type = 0, flags = 0] = bytes.subarray(3, 5)
  const payload = bytes.subarray(frameHeadBytes, size)
  return { item: { type, flags, stream: bytes.readUInt32BE(5), payload }, size }
}

/** Fields as literals without indexing (RFC 7541 section 6.2.2), which need no table. */
const headOfPost = Buffer.concat(
  Object.entries({
    ':method': 'POST',
    ':scheme': 'http',
    ':path': '/graphql',
    ':authority': 'localhost',
    'content-type': 'application/json',
  }).map(([name, value]) =>
    Buffer.concat([Buffer.from([0]), ...[name, value].map((text) => prefixed(text))]),
  ),
)

function prefixed(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text)])
}
