import { randomBytes } from 'node:crypto'
import type { Store } from '../store/store.js'
import { hashApiKey, makeApiKey } from './api-key.js'
import { createPasswords } from './passwords.js'
import { allScopes } from './scopes.js'

const name = 'demo'

/**
 * Makes a key and a login to try the service with where nobody has a credential yet: a database in use
 * gets none by being opened once without care. Gives the lines to print.
 */
export async function createDemo(store: Store): Promise<readonly string[]> {
  const keys = await store.keys.list('') // what they have used does not matter
  const logins = await store.logins.list()
  if (keys.length + logins.length === 0) {
    return [formatKey(await createKey(store)), formatLogin(await createLogin(store))]
  }
  return [
    ...(keys.some((key) => key.name === name && key.revokedAt === null) ? [formatKey()] : []),
    ...(logins.some(({ login }) => login === name) ? [formatLogin()] : []),
  ]
}

const existing = 'exists already, and was printed when it was made'

function formatKey(key = existing): string {
  return `demo key: ${key}`
}

function formatLogin(login = existing): string {
  return `demo login: ${login}`
}

/** Undefined where another process has just been faster. */
async function createKey({ keys }: Store): Promise<string | undefined> {
  const key = makeApiKey()
  const made = await keys.create({ name, hash: hashApiKey(key), scopes: allScopes, limit: null })
  return made.ok ? key : undefined
}

async function createLogin({ logins }: Store): Promise<string | undefined> {
  const password = randomBytes(12).toString('base64url')
  const hash = await createPasswords().hash(password)
  if (!hash.ok) throw new Error('A queue of one is full.')
  const made = await logins.create({ login: name, passwordHash: hash.value, scopes: allScopes })
  return made.ok ? `${name} / ${password}` : undefined
}
