/** Bytes that the runtime converts from and to strings as fast as it can: a Buffer, where there is one. */
export function createBytes(length: number): Uint8Array {
  return globalThis.Buffer?.allocUnsafeSlow(length) ?? new Uint8Array(length)
}

/** Reads a part of bytes in UTF-8 as text. */
export function readText(bytes: Uint8Array, start: number, end: number, isAscii: boolean): string {
  return isBuffer(bytes)
    ? bytes.toString(isAscii ? 'latin1' : 'utf8', start, end)
    : decoder.decode(bytes.subarray(start, end))
}

/** Returns how many bytes were written. */
export function writeText(bytes: Uint8Array, text: string, at: number, isAscii: boolean): number {
  return isBuffer(bytes)
    ? bytes.write(text, at, isAscii ? 'latin1' : 'utf8')
    : encoder.encodeInto(text, bytes.subarray(at)).written
}

function isBuffer(bytes: Uint8Array): bytes is Buffer {
  return 'write' in bytes
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const encoder = new TextEncoder()
