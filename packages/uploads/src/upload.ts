import { alreadyRead } from './upload-faults.js'

/** A file that is being uploaded, as the value of a variable. It may not have begun to arrive. */
export class Upload {
  readonly #file: IncomingFile

  constructor(file: IncomingFile) {
    this.#file = file
  }

  /** Waits until the file begins to arrive. Files arrive one after the other, and each can be read once. */
  open(): Promise<UploadedFile> {
    return this.#file.open()
  }
}

/** A file that has begun to arrive. The client chooses its name and its type, so neither can be trusted. */
export interface UploadedFile {
  /** The last part of the name that the client sent, without folders; empty if it sent none. */
  readonly filename: string
  /** The media type that the client sent, in lower case and without parameters. */
  readonly mediaType: string
  /** The bytes as they arrive. Fails if the file is too large or is cut off. */
  readonly stream: ReadableStream<Uint8Array>
}

/** The functions of a scalar for files: `buildSchema(sdl, { Upload: uploadScalar })`. */
export const uploadScalar: {
  readonly parseValue: (value: unknown) => Upload
  readonly parseLiteral: () => never
  readonly serialize: () => never
} = {
  parseValue(value) {
    if (value instanceof Upload) return value
    throw new TypeError('A file must be sent as a part of a multipart request.')
  },
  parseLiteral() {
    throw new TypeError('A file must be a variable.')
  },
  serialize() {
    throw new TypeError('A file cannot be part of a response.')
  },
}

/** How many bytes of a file are kept until its reader asks for more. */
const readAhead = 64 * 1024

/** The receiving side of a file. */
export class IncomingFile {
  readonly upload: Upload = new Upload(this)
  /** Whether a resolver waits for it, or has got it. */
  isOpened = false
  /** Whether a resolver has begun to read its bytes. */
  isRead = false
  /** Whether nothing more is added: it is complete, has failed, or is not read any further. */
  isOver = false
  /** How many bytes wait to be read. */
  held = 0
  /** Called when a resolver opens it, reads it, or stops reading. */
  readonly #onDemand: () => void
  readonly #queue: Uint8Array[] = []
  #arrived: UploadedFile | undefined
  #failure: Error | undefined
  #settle: { resolve(file: UploadedFile): void; reject(reason: Error): void } | undefined
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Whether a reader waits for bytes. */
  #isAwaited = false

  constructor(onDemand: () => void) {
    this.#onDemand = onDemand
  }

  get hasArrived(): boolean {
    return this.#arrived !== undefined
  }

  get isFull(): boolean {
    return this.held >= readAhead
  }

  open(): Promise<UploadedFile> {
    // Its stream has one reader.
    if (this.isOpened) return Promise.reject(this.#failure ?? alreadyRead())
    this.isOpened = true
    const opening = new Promise<UploadedFile>((resolve, reject) => {
      if (this.#failure !== undefined) return reject(this.#failure)
      if (this.#arrived !== undefined) return resolve(this.#arrived)
      this.#settle = { resolve, reject }
    })
    // A resolver may open two files and wait for one, while the client leaves.
    opening.catch(() => undefined)
    this.#onDemand()
    return opening
  }

  arrive(filename: string, mediaType: string): void {
    const stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#stream = controller
        },
        pull: () => this.#pull(),
        cancel: () => this.#drop(),
      },
      // Nothing waits in the stream itself, so `pull` is called only for a reader that waits.
      { highWaterMark: 0 },
    )
    this.#arrived = { filename, mediaType, stream }
    this.#settle?.resolve(this.#arrived)
  }

  add(bytes: Uint8Array): void {
    if (this.isOver) return
    if (!this.#isAwaited) {
      this.#queue.push(bytes)
      this.held += bytes.byteLength
      return
    }
    this.#isAwaited = false
    this.#stream?.enqueue(bytes)
  }

  end(): void {
    if (this.isOver) return
    this.isOver = true
    if (this.#queue.length === 0) this.#stream?.close()
  }

  /** Ends it with an error, which its reader gets. */
  fail(reason: Error): void {
    if (this.isOver && this.#queue.length === 0) return
    this.#drop()
    this.#failure = reason
    this.#settle?.reject(reason)
    this.#stream?.error(reason)
  }

  #pull(): void {
    this.isRead = true
    const bytes = this.#queue.shift()
    if (bytes === undefined) {
      this.#isAwaited = true
    } else {
      this.held -= bytes.byteLength
      this.#stream?.enqueue(bytes)
      if (this.isOver && this.#queue.length === 0) this.#stream?.close()
    }
    this.#onDemand()
  }

  #drop(): void {
    this.isOver = true
    this.#queue.length = 0
    this.held = 0
    this.#onDemand()
  }
}
