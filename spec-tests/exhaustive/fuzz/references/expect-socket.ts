import { opcodes, type Frame } from '../../hosts/node/websocket/raw-web-socket.js'

/** What a server does with frames, as RFC 6455 and the protocol say it. */
export interface Expected {
  /** The code of its close frame; undefined if it closes nothing. 1005 is a close frame without a code. */
  readonly code: number | undefined
  /** The same if a message waits for its turn: a slow machine may end a turn at any of them. */
  readonly codeOfFrames: number | undefined
  /** What it sends before, in this order. */
  readonly messages: readonly object[]
  /** The payloads of its pongs, if it answers every ping. */
  readonly pongs: readonly string[]
  /** Whether it waits for the rest of a frame. */
  readonly isCut: boolean
}

/** The limits of the server. */
export const maxMessageBytes = 1024
const maxFragments = 64

const { continuation, text, binary, close, ping } = opcodes

/** The end: a code, or the wait for more. */
class End {
  readonly code: number | undefined

  constructor(code: number | undefined) {
    this.code = code
  }
}

/** A query has an answer at once, `silent` has none, and everything else here is invalid. */
export const echo = '{ echo(text: "é") }'
export const silent = 'subscription { silent }'

class Model {
  readonly #readsMessages: boolean
  readonly messages: object[] = []
  readonly pongs: string[] = []
  #isAcknowledged = false
  readonly #running = new Set<string>()
  #fragments: Buffer[] = []
  #begun: number | undefined

  constructor(readsMessages: boolean) {
    this.#readsMessages = readsMessages
  }

  take(frame: Frame): void {
    checkHead(frame, this.#begun !== undefined)
    if (frame.opcode >= close) return this.#control(frame)
    const before = this.#fragments.reduce((total, { length }) => total + length, 0)
    if (BigInt(before) + lengthOf(frame) > maxMessageBytes) throw new End(1009)
    if (isCut(frame)) throw new End(undefined)
    this.#fragments.push(frame.payload)
    if (this.#fragments.length > maxFragments) throw new End(1008)
    this.#begun ??= frame.opcode
    if (frame.fin === false) return
    const whole = Buffer.concat(this.#fragments)
    const opcode = this.#begun
    this.#fragments = []
    this.#begun = undefined
    if (opcode === binary) throw new End(4400)
    const source = decode(whole)
    if (this.#readsMessages) this.#message(source)
  }

  #control(frame: Frame): void {
    if (isCut(frame)) throw new End(undefined)
    const { opcode, payload } = frame
    if (opcode === ping) this.pongs.push(payload.toString('latin1'))
    if (opcode !== close) return
    if (payload.length === 0) throw new End(1005)
    const code = payload.readUInt16BE(0)
    if (!isCloseCode(code)) throw new End(1002)
    decode(payload.subarray(2))
    throw new End(code)
  }

  #message(source: string): void {
    const message = parse(source)
    const { type, id, payload } = message
    const isId = typeof id === 'string' && id.length > 0 && id.length <= 128
    const hasPayload = payload === undefined || payload === null || isObject(payload)
    switch (type) {
      case 'connection_init':
        if (!hasPayload) throw new End(4400)
        if (this.#isAcknowledged) throw new End(4429)
        this.#isAcknowledged = true
        this.messages.push({ type: 'connection_ack' })
        return
      case 'ping':
        if (!hasPayload) throw new End(4400)
        this.messages.push({ type: 'pong', ...(isObject(payload) && { payload }) })
        return
      case 'pong':
        if (!hasPayload) throw new End(4400)
        return
      case 'complete':
        if (!isId) throw new End(4400)
        this.#running.delete(id)
        return
      case 'subscribe':
        if (!isId || !isObject(payload) || typeof payload['query'] !== 'string') throw new End(4400)
        if (!this.#isAcknowledged) throw new End(4401)
        if (this.#running.has(id)) throw new End(4409)
        return this.#run(id, payload['query'])
      default:
        throw new End(4400)
    }
  }

  #run(id: string, query: string): void {
    if (query === silent) this.#running.add(id)
    else if (query === echo) {
      this.messages.push({ id, type: 'next', payload: { data: { echo: 'é' } } })
      this.messages.push({ id, type: 'complete' })
    } else this.messages.push({ id, type: 'error' })
  }
}

/** What has to come back for frames that arrive in this order. */
export function expectSocket(frames: readonly Frame[]): Expected {
  const model = new Model(true)
  const { messages, pongs } = model
  const end = endOf(model, frames)
  const codeOfFrames = endOf(new Model(false), frames)?.code
  return {
    messages,
    pongs,
    code: end?.code,
    codeOfFrames,
    isCut: end !== undefined && end.code === undefined,
  }
}

function endOf(model: Model, frames: readonly Frame[]): End | undefined {
  try {
    for (const frame of frames) model.take(frame)
  } catch (end) {
    if (end instanceof End) return end
    throw end
  }
  return undefined
}

function checkHead(frame: Frame, isWithin: boolean): void {
  const { opcode, fin = true, rsv = 0, isMasked = true } = frame
  const isKnown = opcode <= binary || (opcode >= close && opcode <= opcodes.pong)
  const length = lengthOf(frame)
  const isBroken =
    rsv !== 0 ||
    !isKnown ||
    !isMasked ||
    (opcode === continuation && !isWithin) ||
    ((opcode === text || opcode === binary) && isWithin) ||
    (opcode >= close && (!fin || length > 125n)) ||
    (opcode === close && length === 1n)
  if (isBroken) throw new End(1002)
}

function lengthOf({ payload, stated }: Frame): bigint {
  return stated ?? BigInt(payload.length)
}

function isCut(frame: Frame): boolean {
  return lengthOf(frame) > frame.payload.length
}

/** RFC 6455 section 7.4, and the codes that were registered since. */
function isCloseCode(code: number): boolean {
  const isOfProtocol = code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)
  return isOfProtocol || (code >= 3000 && code <= 4999)
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new End(1007)
  }
}

type JsonObject = { readonly [name: string]: unknown }

function parse(source: string): JsonObject {
  try {
    const json: unknown = JSON.parse(source)
    if (isObject(json)) return json
  } catch {
    // It is not JSON.
  }
  throw new End(4400)
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
