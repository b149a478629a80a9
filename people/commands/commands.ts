import { randomBytes } from 'node:crypto'
import { allScopes, hashApiKey, makeApiKey, readScopes } from '../access/credentials.js'
import { createPasswords, faultOfPassword } from '../access/passwords.js'
import { textLike, type Flag } from '../command-line.js'
import { exitCodes } from '../exit-codes.js'
import { perMinute } from '../settings.js'
import type { Scope } from '../store/credential-stores.js'
import type { Store } from '../store/open-store.js'
import { backup, listAudit, restore } from './data-commands.js'
import {
  defineCommand,
  printTable,
  storeCommand,
  withStore,
  type CommandIo,
  type Commands,
} from './run-command.js'

const { ok, refused } = exitCodes

/** Prints the result of a command, or why it failed. */
function tell(io: CommandIo, isDone: boolean, done: string, refusal: string): number {
  io.err(isDone ? done : refusal)
  return isDone ? ok.code : refused.code
}

/** The scopes of a new key or login. */
const scopeFlag: Flag<readonly Scope[]> = {
  flag: 'scope',
  placeholder: 'scopes',
  doc: `What it may do: ${allScopes.join(', ')} or both, separated by a comma.`,
  fallback: [],
  isRequired: true,
  expected: `${allScopes.join(', ')} or ${allScopes.join(',')}`,
  read: (text) => readScopes(text, ','),
}

const nameFlag: Flag<string> = {
  flag: 'name',
  doc: 'Name of the key.',
  fallback: '',
  isRequired: true,
  ...textLike(
    'name',
    /^[A-Za-z0-9][\w.-]{0,63}$/,
    '1 to 64 letters, digits, dots, underscores and hyphens',
  ),
}

const limitFlag: Flag<number | undefined> = {
  flag: 'limit',
  doc: 'Root fields per minute of this key.',
  fallback: undefined,
  defaultText: 'the limit of the service',
  ...perMinute,
}

const createKey = storeCommand(
  {
    summary: 'Creates an API key and prints it. It is shown only once.',
    flags: { name: nameFlag, scopes: scopeFlag, limit: limitFlag },
  },
  async ({ keys }, { name, scopes, limit = null }, io) => {
    const key = makeApiKey()
    const isNew = await keys.create({ name, hash: hashApiKey(key), scopes, limit })
    if (isNew) io.out(key)
    return tell(
      io,
      isNew,
      `Created the key ${name}. Keep it, it is not shown again. Send it in X-API-Key.`,
      `A key named ${name} exists or has existed: choose another name.`,
    )
  },
)

const listKeys = storeCommand(
  {
    summary: 'Lists the keys, and how many root fields each has used today (UTC).',
    flags: {},
  },
  async ({ keys }, _, io) => {
    const list = await keys.list(new Date().toISOString().slice(0, 10))
    const rows = list.map(({ name, scopes, limit, createdAt, used, revokedAt }) =>
      [name, scopes.join(','), limit ?? '-', createdAt, used, revokedAt ?? '-'].map(String),
    )
    return printTable(io, [
      ['NAME', 'SCOPES', 'LIMIT', 'CREATED', 'USED TODAY', 'REVOKED'],
      ...rows,
    ])
  },
)

const revokeKey = storeCommand(
  {
    summary: 'Revokes a key. Running services refuse it within five seconds.',
    flags: {},
    argument: 'name',
  },
  async ({ keys }, _, io, name) =>
    tell(
      io,
      await keys.revoke(name),
      `Revoked the key ${name}.`,
      `No active key is named ${name}: see keys list.`,
    ),
)

const loginFlag: Flag<string> = {
  flag: 'login',
  doc: 'The login, such as ann@example.org.',
  fallback: '',
  isRequired: true,
  ...textLike('login', /^[A-Za-z0-9][\w.@+-]{0,127}$/, '1 to 128 letters, digits and .@+_-'),
}

const createLogin = defineCommand(
  {
    summary: 'Creates a login. The password is read from stdin, or prompted for.',
    flags: { login: loginFlag, scopes: scopeFlag },
  },
  async ({ db, login, scopes }, io) => {
    const password = await io.readPassword()
    const fault = faultOfPassword(password)
    if (fault !== undefined) return fault
    return withStore(db, io, async ({ logins }) => {
      const passwordHash = await createPasswords().hash(password)
      const created = await logins.create({ login, passwordHash, scopes })
      return tell(io, created, `Created the login ${login}.`, `The login ${login} already exists.`)
    })
  },
)

const listLogins = storeCommand(
  { summary: 'Lists the logins.', flags: {} },
  async ({ logins }, _, io) => {
    const list = await logins.list()
    const rows = list.map(({ login, scopes, createdAt }) => [login, scopes.join(','), createdAt])
    return printTable(io, [['LOGIN', 'SCOPES', 'CREATED'], ...rows])
  },
)

const removeLogin = storeCommand(
  {
    summary: 'Removes a login. Its tokens remain valid until they expire, within an hour.',
    flags: {},
    argument: 'login',
  },
  async ({ logins }, _, io, login) =>
    tell(
      io,
      await logins.remove(login),
      `Removed the login ${login}.`,
      `No login is named ${login}: see logins list.`,
    ),
)

/** The commands of the service. */
export const commands: Commands = {
  'keys create': createKey,
  'keys list': listKeys,
  'keys revoke': revokeKey,
  'logins create': createLogin,
  'logins list': listLogins,
  'logins remove': removeLogin,
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
