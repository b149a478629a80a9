import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { buildSchema, createEndpoint } from '../../../../src/index.js'
import { createHostServer, toNodeListener } from '../../../../src/hosts/node/index.js'
import { createWebSocketHost } from '../../../../src/hosts/node/websocket/index.js'
import {
  opcodes,
  RawWebSocket,
  toBytes,
  type Frame,
} from '../../hosts/node/websocket/raw-web-socket.js'
import { listen } from '../../../hosts/start-node.js'
import { expectSocket, maxMessageBytes } from '../references/expect-socket.js'
import { watchBugs } from '../probe.js'
import { smallerLists } from '../../../fuzz/smaller.js'
import { makeSocketInput, type Leave, type SocketInput } from '../socket-frames.js'
import type { Target, Verdict } from '../../../fuzz/target.js'
import { until, within } from '../within.js'

/** Frames and messages over a real socket, whose client then goes in one way or another. */
export async function sockets(): Promise<Target<SocketInput>> {
  const { onBug, verdict } = watchBugs()
  const sources = { open: 0 }
  const endpoint = createEndpoint({ schema: createSchema(sources), onBug })
  const host = createWebSocketHost(endpoint, { maxMessageBytes })
  const hosted = createHostServer(toNodeListener(endpoint.handler), { sockets: host })
  const port = await listen(hosted.server)
  const isAllClosed = (): boolean => sources.open === 0 && host.stats().open === 0
  const check = async (input: SocketInput): Promise<Verdict> => {
    const raw = await RawWebSocket.open(port)
    try {
      const fault = await within(converse(raw, input, sources), 'no answer')
      if (fault !== undefined) return fault
    } finally {
      raw.socket.destroy()
    }
    return verdict() ?? within(until(isAllClosed), 'open: something stays open')
  }
  return {
    name: 'sockets',
    generate: makeSocketInput,
    check,
    *smaller({ frames, pieceBytes, leave }) {
      for (const fewer of smallerLists(frames, () => [])) yield { frames: fewer, pieceBytes, leave }
      if (pieceBytes < 1_000_000) yield { frames, pieceBytes: 1_000_000, leave }
    },
    row: ({ frames, ...others }) => JSON.stringify({ frames: frames.map(shown), ...others }),
    close: async () => void (await hosted.close({ grace: 0, spread: 0, deadline: 1000 })),
  }
}

/** What counts its open sources. */
function createSchema(sources: { open: number }) {
  const sdl = `
    type Query { echo(text: String!): String }
    type Subscription { silent: Int }`
  const subscribe = (): AsyncIterableIterator<unknown> => {
    sources.open += 1
    let end: ((result: IteratorResult<unknown>) => void) | undefined
    const ended = new Promise<IteratorResult<unknown>>((resolve) => (end = resolve))
    let isOpen = true
    return {
      [Symbol.asyncIterator]() {
        return this
      },
      next: () => ended,
      return() {
        if (isOpen) sources.open -= 1
        isOpen = false
        end?.({ done: true, value: undefined })
        return ended
      },
    }
  }
  return buildSchema(sdl, {
    Query: { echo: (_: unknown, { text }: { text: string }) => text },
    Subscription: { silent: { subscribe } },
  })
}

/** So many messages are read in a turn of the event loop; the others wait. */
const messagesPerTurn = 16

/** Sends the frames, compares what comes back, and goes. */
async function converse(
  raw: RawWebSocket,
  { frames, pieceBytes, leave }: SocketInput,
  sources: { readonly open: number },
): Promise<Verdict> {
  raw.socket.setNoDelay(true)
  if (!(await raw.head()).startsWith('HTTP/1.1 101')) return 'handshake: it is refused'
  // Whatever would follow a frame that is not whole belongs to it.
  const cutAt = frames.findIndex(({ stated }) => stated !== undefined)
  const sent = cutAt < 0 ? frames : frames.slice(0, cutAt + 1)
  await write(raw, Buffer.concat(sent.map(toBytes)), pieceBytes)
  const expected = expectSocket(sent)
  if (expected.isCut) {
    if (leave === 'reset') raw.socket.resetAndDestroy()
    else raw.socket.end()
    return undefined
  }
  const marker = { opcode: opcodes.ping, payload: Buffer.from('the end') }
  if (expected.code === undefined) raw.send(marker)
  const answer = await readAnswer(raw, marker.payload, expected.messages.length)
  const isAsExpected = answer.code === expected.code
  if (!isAsExpected && (answer.code === undefined || answer.code !== expected.codeOfFrames)) {
    return `code: ${answer.code}, and not ${expected.code}`
  }
  // What still waits for a turn when the server closes the socket is dropped.
  const mayWait = expected.code !== undefined && (!isAsExpected || sent.length > messagesPerTurn)
  const wanted = mayWait ? expected.messages.slice(0, answer.messages.length) : expected.messages
  if (!isDeepStrictEqual(answer.messages, wanted)) {
    return `messages: ${JSON.stringify(answer.messages)}, and not ${JSON.stringify(expected.messages)}`
  }
  if (!isPartOf(answer.pongs, expected.pongs)) return `pongs: ${answer.pongs.join()}`
  if (answer.code !== undefined && sources.open > 0) return 'open: sources, behind a close frame'
  // Behind a frame that is not whole, a close frame is not seen.
  return depart(raw, cutAt >= 0 && leave === 'close' ? 'fin' : leave, answer.code)
}

async function write(raw: RawWebSocket, bytes: Buffer, pieceBytes: number): Promise<void> {
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    raw.socket.write(bytes.subarray(at, at + pieceBytes))
    await nextTurn()
  }
}

interface Answer {
  readonly code: number | undefined
  readonly messages: readonly object[]
  readonly pongs: readonly string[]
}

/** Reads until a close frame, or until the pong for `marker`, which may overtake messages that wait for a turn. */
async function readAnswer(raw: RawWebSocket, marker: Buffer, count: number): Promise<Answer> {
  const messages: object[] = []
  const pongs: string[] = []
  let isMarked = false
  for (;;) {
    if (isMarked && messages.length >= count) return { code: undefined, messages, pongs }
    const frame = await raw.next()
    const code = codeOf(frame)
    if (frame === undefined || code !== undefined) return { code, messages, pongs }
    if (frame.opcode === opcodes.text) messages.push(readMessage(frame.payload))
    else if (frame.payload.equals(marker)) isMarked = true
    else pongs.push(frame.payload.toString('latin1'))
  }
}

/** The code of a close frame; 1006 stands for an end without one, as in browsers. */
function codeOf(frame: Frame | undefined): number | undefined {
  if (frame === undefined) return 1006
  if (frame.opcode !== opcodes.close) return undefined
  return frame.payload.length === 0 ? 1005 : frame.payload.readUInt16BE(0)
}

/** A message without the errors that it may have: their texts are those of graphql. */
function readMessage(payload: Buffer): object {
  const { payload: content, ...message } = JSON.parse(payload.toString()) as { payload?: unknown }
  return content === undefined || Array.isArray(content)
    ? message
    : { ...message, payload: content }
}

async function depart(raw: RawWebSocket, leave: Leave, closed?: number): Promise<Verdict> {
  if (leave === 'reset') raw.socket.resetAndDestroy()
  else if (leave === 'fin') raw.socket.end()
  else {
    raw.send({ opcode: opcodes.close, payload: Buffer.from([3, 0xe8]) })
    const code = closed ?? codeOf(await raw.next())
    if (closed === undefined && code !== 1000) return `echo: ${code} for a close frame with 1000`
    await raw.ended()
  }
  return undefined
}

function shown({ payload, stated, ...others }: Frame): object {
  const text = payload.toString('latin1')
  return { ...others, payload: text, ...(stated !== undefined && { stated: String(stated) }) }
}

/** Of pings that arrive at once, only the newest has to be answered. */
function isPartOf(some: readonly string[], all: readonly string[]): boolean {
  let at = 0
  for (const one of all) if (one === some[at]) at += 1
  return at === some.length
}
