import { createHash, randomBytes } from 'node:crypto'

/** Makes an API key: a prefix by which people and scanners know it, and 32 random bytes. */
export function makeApiKey(): string {
  return `gw_${randomBytes(32).toString('base64url')}`
}

/** Whether a text can be an API key at all, so that nothing else is ever looked up. */
export function isApiKey(text: string): boolean {
  return /^gw_[A-Za-z0-9_-]{43}$/.test(text)
}

/** What is stored of a key. It has 256 bits of its own, so that a plain digest says nothing of it. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
