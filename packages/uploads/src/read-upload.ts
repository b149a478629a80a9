import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { cutText, failure, success, type Outcome, type Resolved } from 'graphwire/base'
import type { OpenUpload, UploadBody, Refusal } from 'graphwire/surface/parts'
import { placeFiles } from './place-files.js'
import type { IncomingFile } from './upload.js'
import {
  closed,
  cutOff,
  fileTooLarge,
  missing,
  skipped,
  tooLarge,
  tooManyFiles,
  type Fault,
} from './upload-faults.js'
import type { UploadNumbers } from './upload-numbers.js'

/** A part of the body whose head has arrived. */
interface MultipartPart {
  readonly name: string | undefined
  readonly filename: string | undefined
  readonly mediaType: string
  readonly bytes: BusboyFileStream
}

/** The body is parsed in slices of this size, which is also the limit for heads of parts and the text around them. */
const sliceBytes = 64 * 1024

const noRoom: Refusal = { kind: 'overloaded', by: 'uploads' }

/** A chunk of fewer bytes costs more to receive than it contains; many of them are suspicious. */
const smallChunkBytes = 64
const maxSmallChunks = 10_000

/**
 * A body that is being read. The parts are read one after the other, and only as far as resolvers want them: the rest stays
 * with the client.
 */
export class UploadReading implements OpenUpload {
  readonly json: Promise<Outcome<unknown, Refusal>>
  readonly #body: UploadBody
  readonly #limits: Resolved<UploadNumbers>
  readonly #onClose: () => void
  readonly #chunks: AsyncIterator<Uint8Array> | Iterator<Uint8Array>
  readonly #parser: BusboyInstance
  readonly #parts: MultipartPart[] = []
  #settle: (outcome: Outcome<unknown, Refusal>) => void = () => {}
  #files: ReadonlyMap<string, IncomingFile> = new Map()
  #partCount = 0
  #readBytes = 0
  #fileBytes = 0
  #isParsed = false
  #isRead = false
  #isOver = false
  #wake: () => void = () => {}

  constructor(body: UploadBody, limits: Resolved<UploadNumbers>, onClose: () => void) {
    this.#body = body
    this.#limits = limits
    this.#onClose = onClose
    const { content } = body
    this.#chunks =
      content instanceof Uint8Array ? [content].values() : content[Symbol.asyncIterator]()
    this.json = new Promise((resolve) => {
      this.#settle = resolve
    })
    this.#parser = new Busboy({
      headers: { 'content-type': `multipart/form-data; boundary="${body.boundary}"` },
      // All parts are treated alike: `operations` and `map` are recognized by name, not by a type that the client chooses.
      isPartAFile: () => true,
      // The head of a part has two or three lines.
      limits: { parts: limits.maxFiles + 2, headerPairs: 16, headerSize: 4096 },
    })
    this.#listen()
    const fail = (): void => this.#stop(cutOff())
    this.#pump().catch(fail)
    this.#readParts().catch(fail)
  }

  close(reason: Error = closed()): void {
    this.#onClose()
    this.#stop({ ...cutOff(), error: reason })
  }

  #listen(): void {
    this.#parser.on('file', (name, bytes, filename, _, mediaType) => {
      // A part that is cut off is also an error of the parser.
      bytes.on('error', () => {})
      this.#partCount += 1
      this.#parts.push({ name, filename, mediaType, bytes })
      this.#wake()
    })
    this.#parser.on('partsLimit', () => this.#stop(tooManyFiles(this.#limits.maxFiles)))
    this.#parser.on('finish', () => {
      this.#isParsed = true
      this.#wake()
    })
    this.#parser.on('error', () => this.#stop(cutOff()))
  }

  async #pump(): Promise<void> {
    let smallChunks = 0
    for (;;) {
      const { done, value } = await this.#chunks.next()
      if (this.#isOver) return
      if (done === true) break
      if (value.byteLength < smallChunkBytes) smallChunks += 1
      if (smallChunks > maxSmallChunks) return this.#stop(cutOff())
      for (let at = 0; at < value.byteLength; at += sliceBytes) {
        await this.#parse(value.subarray(at, at + sliceBytes))
        if (this.#isOver) return
      }
    }
    this.#isRead = true
    this.#parser.end()
    this.#wake()
  }

  /** Waits while a part has more bytes than its reader wants. */
  async #parse(slice: Uint8Array): Promise<void> {
    this.#readBytes += slice.byteLength
    await new Promise<void>((resolve) => {
      this.#parser.write(slice, () => resolve())
    })
    const { maxBodyBytes } = this.#body
    const beforeFiles = maxBodyBytes + sliceBytes
    // Everything before the files counts: text before the first boundary and heads of parts too.
    if (this.#partCount <= 2 && this.#readBytes > beforeFiles) {
      return this.#stop(tooLarge('parameters', maxBodyBytes))
    }
    const { maxTotalBytes } = this.#limits
    if (this.#readBytes > beforeFiles + maxTotalBytes) this.#stop(tooLarge('files', maxTotalBytes))
  }

  async #readParts(): Promise<void> {
    const { maxBodyBytes, maxJsonNesting } = this.#body
    const { maxFiles } = this.#limits
    const operations = await this.#take('operations', maxBodyBytes)
    if (operations === undefined) return
    const map = await this.#take('map', maxBodyBytes - operations.byteLength)
    if (map === undefined) return
    const onDemand = (): void => this.#wake()
    const placed = placeFiles({ operations, map, maxFiles, maxJsonNesting, onDemand })
    if (!placed.ok) return this.#stop({ refusal: placed.reason })
    this.#files = placed.value.files
    this.#settle(success(placed.value.json))
    await this.#readFiles()
  }

  /** Files end only when what follows shows that they are complete. */
  async #readFiles(): Promise<void> {
    let read: IncomingFile | undefined
    for (;;) {
      const part = await this.#next()
      read?.end()
      if (part === undefined) break
      read = await this.#readFile(part)
    }
    for (const [name, file] of this.#files) {
      if (!file.hasArrived) file.fail(missing(name))
    }
  }

  /** The next part, or undefined at the end of the body. */
  async #next(): Promise<MultipartPart | undefined> {
    while (this.#parts.length === 0 && !(this.#isRead && this.#isParsed)) await this.#change()
    return this.#parts.shift()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  /** The bytes of a part that has to be the next one. */
  async #take(name: string, limit: number): Promise<Uint8Array | undefined> {
    const part = await this.#next()
    if (part?.name !== name) {
      const found =
        part === undefined
          ? 'it is missing'
          : `found ${JSON.stringify(cutText(part.name ?? '', 100))}`
      const place = name === 'map' ? 'second' : 'first'
      const problem = `expected the part "${name}" ${place}, but ${found}`
      this.#stop({ refusal: { kind: 'upload-malformed', problem } })
      return undefined
    }
    const chunks: Uint8Array[] = []
    const { content, maxBodyBytes } = this.#body
    let size = 0
    for await (const chunk of part.bytes as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      const hasRoom = content instanceof Uint8Array || content.hold?.(chunk) !== false
      if (size > limit || !hasRoom) {
        this.#stop(hasRoom ? tooLarge('parameters', maxBodyBytes) : { refusal: noRoom })
        return undefined
      }
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }

  /** Passes a file on; undefined if no resolver gets it. */
  async #readFile({
    name = '',
    filename = '',
    mediaType,
    bytes,
  }: MultipartPart): Promise<IncomingFile | undefined> {
    const { maxFileBytes, maxTotalBytes } = this.#limits
    const mapped = this.#files.get(name)
    const file = mapped?.hasArrived === false ? mapped : undefined
    file?.arrive(filename, mediaType)
    let size = 0
    for await (const chunk of bytes as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      this.#fileBytes += chunk.byteLength
      if (this.#fileBytes > maxTotalBytes) this.#stop(tooLarge('files', maxTotalBytes))
      if (size > maxFileBytes) file?.fail(fileTooLarge(maxFileBytes))
      file?.add(chunk)
      while (file !== undefined && !this.#mayGoOn(file)) await this.#change()
    }
    return file
  }

  /**
   * Whether more of a file may be read: if its reader wants it, or if a resolver waits for a later file. Then a file that no resolver
   * reads is kept in memory, within limits, and beyond them it is given up.
   */
  #mayGoOn(file: IncomingFile): boolean {
    if (file.isOver || !file.isFull) return true
    const files = [...this.#files.values()]
    const isInTheWay = !file.isRead && files.some((it) => it.isOpened && !it.hasArrived)
    if (!isInTheWay) return false
    const { maxHeldBytes } = this.#limits
    const held = files.reduce((sum, it) => sum + it.held, 0)
    if (held > maxHeldBytes) file.fail(skipped(maxHeldBytes))
    return true
  }

  #stop({ refusal, error = closed() }: Fault): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#settle(failure(refusal))
    for (const file of this.#files.values()) file.fail(error)
    this.#parser.destroy()
    void Promise.resolve(this.#chunks.return?.()).catch(() => {})
  }
}
