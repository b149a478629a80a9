import { sha256 } from '../base/sha256.js'

/** Longer ids are unknown, and no store is asked for them. */
export const maxIdLength = 256

const prefix = 'sha256:'

/** The hash in an identifier such as `sha256:7f56...`; undefined if it is of another kind. */
export function hashOf(id: string): string | undefined {
  return id.startsWith(prefix) ? id.slice(prefix.length) : undefined
}

/** The identifier of a document with this hash. */
export function idOfHash(hash: string): string {
  return prefix + hash
}

/** Whether a text can be a SHA-256: 64 hexadecimal digits in lower case. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

/** Whether the text has this hash. A text that UTF-8 cannot represent has none, since another text would have the same. */
export function hasHash(text: string, hash: string): boolean {
  return !/\p{Surrogate}/u.test(text) && sha256(text) === hash
}
