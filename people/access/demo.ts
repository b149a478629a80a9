import { randomBytes } from 'node:crypto'
import type { Store } from '../store/store.js'
import { hashApiKey, makeApiKey } from './api-key.js'
import { createPasswords } from './passwords.js'
import { allScopes } from './scopes.js'

const name = 'demo'

/**
 * Creates a key and a login to try the service with, but only in a database without any credentials: one in
 * use must not get them by an accidental start outside production. Returns the lines to print.
 */
export async function createDemo(store: Store): Promise<readonly string[]> {
  const keys = await store.keys.list('') // their usage does not matter
  const logins = await store.logins.list()
  if (keys.length + logins.length === 0) return createCredentials(store)
  return [
    ...(keys.some((key) => key.name === name && key.revokedAt === null) ? [formatKey()] : []),
    ...(logins.some(({ login }) => login === name) ? [formatLogin()] : []),
  ]
}

const existing = 'already exists; it was printed when it was created'

function formatKey(key = existing): string {
  return `demo key: ${key}`
}

function formatLogin(login = existing): string {
  return `demo login: ${login}`
}

/** Both or neither, so that an interrupted start does not leave a key that was never printed. */
async function createCredentials(store: Store): Promise<readonly string[]> {
  const key = makeApiKey()
  const password = randomBytes(12).toString('base64url')
  const hash = await createPasswords().hash(password)
  if (!hash.ok) throw new Error('The password queue is full.')
  // Another process may have been faster.
  const isNew = await store.createBoth(
    { name, hash: hashApiKey(key), scopes: allScopes, limit: null },
    { login: name, passwordHash: hash.value, scopes: allScopes },
  )
  return [
    formatKey(isNew.key ? key : undefined),
    formatLogin(isNew.login ? `${name} / ${password}` : undefined),
  ]
}
