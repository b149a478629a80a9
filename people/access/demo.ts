import { randomBytes } from 'node:crypto'
import type { Store } from '../store/store.js'
import { hashApiKey, makeApiKey } from './api-key.js'
import { createPasswords } from './passwords.js'
import { allScopes } from './scopes.js'

const name = 'demo'

/** Makes a key and a login to try the service with, unless there are some; gives the lines to print. */
export async function createDemo(store: Store): Promise<readonly string[]> {
  return [`demo key: ${await createKey(store)}`, `demo login: ${await createLogin(store)}`]
}

const existing = 'exists already, and was printed when it was made'

async function createKey({ keys }: Store): Promise<string> {
  const key = makeApiKey()
  const made = await keys.create({ name, hash: hashApiKey(key), scopes: allScopes, limit: null })
  return made.ok ? key : existing
}

async function createLogin({ logins }: Store): Promise<string> {
  if ((await logins.find(name)) !== undefined) return existing
  const password = randomBytes(12).toString('base64url')
  const passwordHash = await createPasswords().hash(password)
  if (!passwordHash.ok) return 'could not be made now'
  const made = await logins.create({
    login: name,
    passwordHash: passwordHash.value,
    scopes: allScopes,
  })
  return made.ok ? `${name} / ${password}` : existing
}
