import { randomBytes } from 'node:crypto'
import { hashApiKey, makeApiKey } from '../access/api-keys.js'
import { allScopes, readScopes } from '../access/principal.js'
import { createPasswords, faultOfPassword } from '../access/passwords.js'
import { required, setting, textLike, type Kind } from '../command-line.js'
import { perMinute } from '../settings.js'
import type { Scope } from '../store/credential-stores.js'
import type { Store } from '../store/open-store.js'
import { backup, listAudit, restore } from './data-commands.js'
import { defineCommand, type Commands } from './run-command.js'

const scopes: Kind<readonly Scope[]> = {
  placeholder: 'scopes',
  expected: `${allScopes.join(', ')} or ${allScopes.join(',')}`,
  read: (text) => readScopes(text, ','),
}

/** The scopes of a new key or login. */
const scopeFlag = required(
  'scope',
  scopes,
  `What it may do: ${allScopes.join(', ')} or both, separated by a comma.`,
)

const nameOfKey = textLike(
  'name',
  /^[A-Za-z0-9][\w.-]{0,63}$/,
  '1 to 64 letters, digits, dots, underscores and hyphens',
)

const aLogin = textLike(
  'login',
  /^[A-Za-z0-9][\w.@+-]{0,127}$/,
  '1 to 128 letters, digits and .@+_-',
)

const limitFlag = setting(
  { flag: 'limit' },
  perMinute,
  null,
  'Root fields per minute of this key.',
  'the limit of the service',
)

/** The commands of the service. */
export const commands: Commands = {
  'keys create': defineCommand(
    'Creates an API key and prints it. It is shown only once.',
    { name: required('name', nameOfKey, 'Name of the key.'), scopes: scopeFlag, limit: limitFlag },
    async (flags, { store, out, tell }) => {
      const key = makeApiKey()
      const { keys } = await store()
      const isNew = await keys.create({ ...flags, hash: hashApiKey(key) })
      if (isNew) out(key)
      return tell(
        isNew,
        `Created the key ${flags.name}. Keep it, it is not shown again. Send it in X-API-Key.`,
        `A key named ${flags.name} exists or has existed: choose another name.`,
      )
    },
  ),

  'keys list': defineCommand(
    'Lists the keys, and how many root fields each has used today (UTC).',
    {},
    async (_, { store, table }) => {
      const { keys } = await store()
      const list = await keys.list(new Date().toISOString().slice(0, 10))
      const rows = list.map(({ name, scopes: granted, limit, createdAt, used, revokedAt }) =>
        [name, granted.join(','), limit ?? '-', createdAt, used, revokedAt ?? '-'].map(String),
      )
      return table([['NAME', 'SCOPES', 'LIMIT', 'CREATED', 'USED TODAY', 'REVOKED'], ...rows])
    },
  ),

  'keys revoke': defineCommand(
    'Revokes a key. Running services refuse it within five seconds.',
    {},
    async (_, { store, argument: name, tell }) => {
      const { keys } = await store()
      const isRevoked = await keys.revoke(name)
      const refusal = `No active key is named ${name}: see keys list.`
      return tell(isRevoked, `Revoked the key ${name}.`, refusal)
    },
    'name',
  ),

  'logins create': defineCommand(
    'Creates a login. The password is read from stdin, or prompted for.',
    { login: required('login', aLogin, 'The login, such as ann@example.org.'), scopes: scopeFlag },
    async ({ login, scopes: granted }, { store, readPassword, tell }) => {
      const password = await readPassword()
      const fault = faultOfPassword(password)
      if (fault !== undefined) return fault
      const { logins } = await store()
      const passwordHash = await createPasswords().hash(password)
      const isNew = await logins.create({ login, passwordHash, scopes: granted })
      return tell(isNew, `Created the login ${login}.`, `The login ${login} already exists.`)
    },
  ),

  'logins list': defineCommand('Lists the logins.', {}, async (_, { store, table }) => {
    const { logins } = await store()
    const list = await logins.list()
    const rows = list.map((one) => [one.login, one.scopes.join(','), one.createdAt])
    return table([['LOGIN', 'SCOPES', 'CREATED'], ...rows])
  }),

  'logins remove': defineCommand(
    'Removes a login. Its tokens remain valid until they expire, within an hour.',
    {},
    async (_, { store, argument: login, tell }) => {
      const { logins } = await store()
      const isRemoved = await logins.remove(login)
      const refusal = `No login is named ${login}: see logins list.`
      return tell(isRemoved, `Removed the login ${login}.`, refusal)
    },
    'login',
  ),

  'audit list': listAudit,
  backup,
  restore,
}

const demoName = 'demo'

/**
 * Creates a key and a login to try the service with, but only in a database without any credentials: an accidental start
 * outside production must not add them to one in use. Returns the lines to print, which alone have the key. The link passes
 * it to the page behind a #, which browsers do not send.
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

/** Creates both or neither, so that an interrupted start leaves no key that was never printed. */
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
