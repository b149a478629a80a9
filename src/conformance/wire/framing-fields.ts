const lineFeed = 0x0a
const tab = 0x09
const space = 0x20

/** The fields by which undici frames a response, and decides whether the connection stays. */
const framing = /^(?:content-length|transfer-encoding|connection):/i

/** As much of a line as tells what it is. */
const longestStart = 'transfer-encoding:'.length

/**
 * Makes the tabs of framing fields spaces, as the bytes come: any mix of both may stand around a value and its members
 * (RFC 9112 section 5), and undici takes only spaces. Without this a correct response would be cut or never end, and
 * asking again would execute twice.
 */
export class FramingFields {
  #isInHead = false
  #isInterim = false
  /** The beginning of the line that is being read. */
  #start = ''

  /** The next byte is the first of a response. */
  begin(): void {
    this.#isInHead = true
    this.#isInterim = false
    this.#start = ''
  }

  /** Changes the bytes in place; those of a body stay. */
  replaceTabs(bytes: Uint8Array): void {
    for (const [at, byte] of bytes.entries()) {
      if (!this.#isInHead) return
      if (byte === lineFeed) this.#endLine()
      else if (byte === tab && framing.test(this.#start)) bytes[at] = space
      else if (this.#start.length < longestStart) this.#start += String.fromCharCode(byte)
    }
  }

  #endLine(): void {
    const status = /^HTTP\/1\.[01] (\d)/.exec(this.#start)?.[1]
    if (status !== undefined) this.#isInterim = status === '1'
    // Behind an interim response comes another one.
    if (this.#start === '' || this.#start === '\r') this.#isInHead = this.#isInterim
    this.#start = ''
  }
}
