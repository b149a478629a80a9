import { randomBytes } from 'node:crypto'
import { allScopes, hashApiKey, makeApiKey } from '../access/credentials.js'
import { createPasswords } from '../access/passwords.js'
import type { Store } from '../store/open-store.js'

const demoName = 'demo'

/**
 * Creates a key and a login to try the service with, but only in a database without any credentials: one in
 * use must not get them by an accidental start outside production. Returns the lines to print. Only they have the key:
 * the link gives it to the page behind a #, which browsers do not send.
 */
export async function createDemo(store: Store, origin: string): Promise<readonly string[]> {
  const keys = await store.keys.list('') // their usage does not matter
  const logins = await store.logins.list()
  if (keys.length + logins.length === 0) return createDemoCredentials(store, origin)
  return [
    ...(keys.some((key) => key.name === demoName && key.revokedAt === null) ? [formatKey()] : []),
    ...(logins.some(({ login }) => login === demoName) ? [formatLogin()] : []),
  ]
}

const existing = 'already exists; it was printed when it was created'
const formatKey = (key = existing): string => `demo key: ${key}`
const formatLogin = (login = existing): string => `demo login: ${login}`

/** Both or neither, so that an interrupted start does not leave a key that was never printed. */
async function createDemoCredentials(store: Store, origin: string): Promise<readonly string[]> {
  const key = makeApiKey()
  const password = randomBytes(12).toString('base64url')
  const hash = await createPasswords().hash(password)
  // Another process may have been faster.
  const isNew = await store.createBoth(
    { name: demoName, hash: hashApiKey(key), scopes: allScopes, limit: null },
    { login: demoName, passwordHash: hash, scopes: allScopes },
  )
  return [
    formatKey(isNew.key ? key : undefined),
    formatLogin(isNew.login ? `${demoName} / ${password}` : undefined),
    ...(isNew.key ? [`demo page: ${origin}/#key=${key}`] : []),
  ]
}
