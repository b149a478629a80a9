import { failure, success, type Outcome } from '../outcome.js'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8 strictly: a leading byte order mark is dropped, a broken sequence is a failure. */
export function readText(bytes: Uint8Array): Outcome<string, 'invalid-utf-8'> {
  try {
    return success(utf8.decode(bytes))
  } catch {
    return failure('invalid-utf-8')
  }
}
