/** Bytes, and the conversions between them and strings that the runtime does fastest. */
export interface TextBytes {
  readonly bytes: Uint8Array
  read(start: number, end: number, isAscii: boolean): string
  /** Returns how many bytes were written. */
  writeUtf8(text: string, at: number): number
  writeAscii(text: string, at: number): void
}

export function createTextBytes(length: number): TextBytes {
  return globalThis.Buffer === undefined ? standardBytes(length) : nodeBytes(length)
}

/** Reads a part of bytes in UTF-8 as text. */
export function readText(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end))
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()

function standardBytes(length: number): TextBytes {
  const bytes = new Uint8Array(length)
  const writeUtf8 = (text: string, at: number): number =>
    encoder.encodeInto(text, bytes.subarray(at)).written
  return {
    bytes,
    read: (start, end) => decoder.decode(bytes.subarray(start, end)),
    writeUtf8,
    writeAscii: writeUtf8,
  }
}

function nodeBytes(length: number): TextBytes {
  const bytes = Buffer.allocUnsafeSlow(length)
  return {
    bytes,
    read: (start, end, isAscii) => bytes.toString(isAscii ? 'latin1' : 'utf8', start, end),
    writeUtf8: (text, at) => bytes.write(text, at, 'utf8'),
    writeAscii: (text, at) => {
      bytes.write(text, at, 'latin1')
    },
  }
}
