/** The SHA-256 of the UTF-8 of a text, as base64. */
export type Digest = (text: string) => string | Promise<string>

/** By Web Crypto, which every runtime has, and which is always asynchronous. */
export async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
}

/** The part of `node:crypto` that is used. Node has it from 20.12 on. */
export interface SyncCrypto {
  readonly hash?: (algorithm: 'sha256', text: string, encoding: 'base64') => string
}

/** Makes a digest that is synchronous if the runtime has `node:crypto`; an import of that would fail in other runtimes. */
export function createDigest(crypto: SyncCrypto | undefined = findCrypto()): Digest {
  const { hash } = crypto ?? {}
  return hash === undefined ? digestOf : (text) => hash('sha256', text, 'base64')
}

function findCrypto(): SyncCrypto | undefined {
  return globalThis.process?.getBuiltinModule?.('node:crypto')
}
