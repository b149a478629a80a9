import { connect } from 'node:net'

/**
 * A keep-alive connection that sends one request after the other. Less than an HTTP client and therefore fast: it reads only
 * the responses that the servers of this benchmark send.
 */
export class Connection {
  #port
  #socket
  #chunks = []
  #received = 0
  /** The whole length of the answer, when it is known. */
  #expected
  #chunked = false
  #head = ''
  #answered
  #failed
  #ends = false

  constructor(port) {
    this.#port = port
  }

  /** Sends a request as text; `answered(status, body)` gets a body of bytes, `failed(error)` what went wrong. */
  ask(request, answered, failed) {
    this.#answered = answered
    this.#failed = failed
    if (this.#socket === undefined) this.#open()
    this.#socket.write(request, 'latin1')
  }

  close() {
    this.#socket?.destroy()
    this.#socket = undefined
  }

  #open() {
    const socket = connect({ port: this.#port, host: '127.0.0.1', noDelay: true })
    socket.on('data', (chunk) => this.#read(chunk))
    socket.on('error', (error) => this.#fail(error))
    socket.on('close', () => {
      if (this.#socket !== socket) return
      this.#socket = undefined
      this.#fail(new Error('the server closed the connection before it had answered'))
    })
    this.#socket = socket
  }

  #fail(error) {
    const failed = this.#failed
    this.#failed = undefined
    failed?.(error)
  }

  #read(chunk) {
    this.#chunks.push(chunk)
    this.#received += chunk.length
    if (this.#expected === undefined && !this.#chunked) this.#readHead()
    if (this.#chunked ? endsChunked(chunk, this.#chunks) : this.#received === this.#expected) {
      this.#finish()
    }
  }

  #readHead() {
    const bytes = joined(this.#chunks)
    this.#chunks = [bytes]
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) return
    this.#head = bytes.latin1Slice(0, end + 4)
    const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head)
    if (length !== null) this.#expected = this.#head.length + Number(length[1])
    this.#chunked = length === null && /\r\ntransfer-encoding: *chunked/i.test(this.#head)
    this.#ends = /\r\nconnection: *close/i.test(this.#head)
  }

  #finish() {
    const status = Number(this.#head.slice(9, 12))
    const body = joined(this.#chunks).subarray(this.#head.length)
    const answered = this.#answered
    const isChunked = this.#chunked
    this.#chunks = []
    this.#received = 0
    this.#expected = undefined
    this.#chunked = false
    this.#failed = undefined
    // A server may close after some number of requests; the next one finds a new connection.
    if (this.#ends) this.close()
    answered(status, isChunked ? withoutChunks(body) : body)
  }
}

function joined(chunks) {
  return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
}

/** JSON has no CR LF in it, so the last chunk cannot be mistaken. */
function endsChunked(last, chunks) {
  return (last.length >= 5 ? last : joined(chunks)).subarray(-5).latin1Slice() === '0\r\n\r\n'
}

function withoutChunks(bytes) {
  const parts = []
  for (let at = 0; ;) {
    const line = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.latin1Slice(at, line), 16)
    if (size === 0) return joined([Buffer.alloc(0), ...parts])
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
}
