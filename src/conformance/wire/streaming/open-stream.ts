import { contentTypeParameter, parseContentType } from '../content-type.js'
import { fieldOf, maxResponseBytes, type FieldLine, type WireResponse } from '../exchange.js'
import { describeFailure } from '../send-request.js'
import { EventLog, type StreamReader } from './event-log.js'
import { EventStreamReader, JsonLinesReader } from './line-reader.js'
import { PartsReader } from './read-parts.js'
import type { ResponseSource } from './response-source.js'

/** A request whose response is read as it comes. */
export class HttpStream {
  readonly log: EventLog = new EventLog()
  readonly sent: string
  readonly #source: ResponseSource
  readonly #chunks: Uint8Array[] = []
  #head: Omit<WireResponse, 'body'> | undefined
  #failure: string | undefined

  /** `sent`: the request as text, for people. */
  constructor(sent: string, source: ResponseSource) {
    this.sent = sent
    this.#source = source
    this.log.note(sent.slice(0, sent.indexOf('\n')).replace(/ HTTP\/1\.1$/, ''))
    void this.#run()
  }

  /** The response, as far as it has come. */
  get response(): WireResponse | undefined {
    return this.#head && { ...this.#head, body: Buffer.concat(this.#chunks) }
  }

  /** Why there is no response. */
  get failure(): string | undefined {
    return this.#head === undefined ? this.#failure : undefined
  }

  /** Waits for the head of the response. */
  async opened(timeout: number): Promise<void> {
    const isHere = await this.log.until(timeout, () => this.#head !== undefined)
    if (!isHere) this.#failure ??= `no response within ${timeout} ms`
  }

  /** Gives up the rest of the response. */
  async cancel(): Promise<void> {
    this.log.close()
    await this.#source.cancel()
  }

  /** Closes the connection, whatever still comes. */
  async destroy(): Promise<void> {
    this.log.close()
    await this.#source.destroy()
  }

  async #run(): Promise<void> {
    try {
      const { body, ...head } = await this.#source.response
      this.#head = head
      this.log.wake()
      await this.#read(head, body)
    } catch (error) {
      this.#failure ??= describeFailure(error)
      this.log.fail(this.#failure)
    }
  }

  async #read(
    { status, headers }: Omit<WireResponse, 'body'>,
    body: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const reader = readerFor(status, headers, this.log)
    let size = 0
    for await (const chunk of body) {
      size += chunk.length
      if (size > maxResponseBytes) {
        throw new Error(`the response is larger than ${maxResponseBytes} bytes`)
      }
      this.#chunks.push(chunk)
      reader?.add(chunk)
    }
    reader?.end()
    this.log.end()
  }
}

/** The reader for the media type of a response; undefined if it is no stream. */
export function readerFor(
  status: number,
  headers: readonly FieldLine[],
  log: EventLog,
): StreamReader | undefined {
  const field = fieldOf({ status, headers, body: new Uint8Array(0) }, 'content-type')
  if (field === undefined) return undefined
  switch (parseContentType(field)?.essence) {
    case 'text/event-stream':
      return new EventStreamReader(log)
    case 'multipart/mixed':
      return new PartsReader(log, contentTypeParameter(field, 'boundary'))
    case 'application/jsonl':
      return new JsonLinesReader(log)
    default:
      return undefined
  }
}
