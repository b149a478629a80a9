import { hashApiKey, makeApiKey } from '../access/api-key.js'
import { createPasswords, faultOfPassword } from '../access/passwords.js'
import { allScopes, readScopes } from '../access/scopes.js'
import type { Flag } from '../command-line/flag.js'
import { exitCodes } from '../exit-codes.js'
import { perMinute } from '../settings.js'
import type { Scope, Store } from '../store/store.js'
import { formatTable } from './format-table.js'
import { defineCommand, type Group } from './run-command.js'
import { randomBytes } from 'node:crypto'

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

const createKey = defineCommand({
  summary: 'Creates an API key and prints it. It is shown only once.',
  flags: {
    name: {
      flag: 'name',
      placeholder: 'name',
      doc: 'Name of the key.',
      fallback: '',
      isRequired: true,
      expected: '1 to 64 letters, digits, dots, underscores and hyphens',
      read: (text: string) => (/^[A-Za-z0-9][\w.-]{0,63}$/.test(text) ? text : undefined),
    },
    scopes: scopeFlag,
    limit: {
      flag: 'limit',
      doc: 'Root fields per minute of this key.',
      fallback: undefined,
      defaultText: 'the limit of the service',
      ...perMinute,
    },
  },
  prepare({ name, scopes, limit }) {
    return async (store, io) => {
      const key = makeApiKey()
      const record = { name, hash: hashApiKey(key), scopes, limit: limit ?? null }
      const created = await store.keys.create(record)
      if (!created.ok) {
        io.err(`A key named ${name} exists or has existed: choose another name.`)
        return exitCodes.refused.code
      }
      io.out(key)
      io.err(`Created the key ${name}. Keep it, it is not shown again. Send it in X-API-Key.`)
      return exitCodes.ok.code
    }
  },
})

const listKeys = defineCommand({
  summary: 'Lists the keys, and how many root fields each has used today (UTC).',
  flags: {},
  prepare: () => async (store, io) => {
    const day = (io.now?.() ?? new Date()).toISOString().slice(0, 10)
    const rows = (await store.keys.list(day)).map((key) => [
      key.name,
      key.scopes.join(','),
      key.limit === null ? '-' : String(key.limit),
      key.createdAt,
      String(key.used),
      key.revokedAt ?? '-',
    ])
    const titles = ['NAME', 'SCOPES', 'LIMIT', 'CREATED', 'USED TODAY', 'REVOKED']
    for (const line of formatTable([titles, ...rows])) io.out(line)
    return exitCodes.ok.code
  },
})

const revokeKey = defineCommand({
  summary: 'Revokes a key. Running services refuse it within five seconds.',
  flags: {},
  argument: 'name',
  prepare: (_, name) => async (store, io) => {
    if (await store.keys.revoke(name)) {
      io.err(`Revoked the key ${name}.`)
      return exitCodes.ok.code
    }
    io.err(`No active key is named ${name}: see keys list.`)
    return exitCodes.refused.code
  },
})

/** `keys create`, `keys list` and `keys revoke`. */
export const keyCommands: Group = {
  name: 'keys',
  summary: 'Manages API keys.',
  commands: { create: createKey, list: listKeys, revoke: revokeKey },
}

const createLogin = defineCommand({
  summary: 'Creates a login. The password is read from stdin, or prompted for.',
  flags: {
    login: {
      flag: 'login',
      placeholder: 'login',
      doc: 'The login, such as ann@example.org.',
      fallback: '',
      isRequired: true,
      expected: '1 to 128 letters, digits and .@+_-',
      read: (text: string) => (/^[A-Za-z0-9][\w.@+-]{0,127}$/.test(text) ? text : undefined),
    },
    scopes: scopeFlag,
  },
  async prepare({ login, scopes }, _, io) {
    const password = await io.readPassword()
    const fault = faultOfPassword(password)
    if (fault !== undefined) return fault
    return async (store) => {
      const hash = await createPasswords().hash(password)
      if (!hash.ok) throw new Error('A queue of one is full.')
      const created = await store.logins.create({ login, passwordHash: hash.value, scopes })
      io.err(created.ok ? `Created the login ${login}.` : `The login ${login} already exists.`)
      return created.ok ? exitCodes.ok.code : exitCodes.refused.code
    }
  },
})

const listLogins = defineCommand({
  summary: 'Lists the logins.',
  flags: {},
  prepare: () => async (store, io) => {
    const logins = await store.logins.list()
    const rows = logins.map(({ login, scopes, createdAt }) => [login, scopes.join(','), createdAt])
    for (const line of formatTable([['LOGIN', 'SCOPES', 'CREATED'], ...rows])) io.out(line)
    return exitCodes.ok.code
  },
})

const removeLogin = defineCommand({
  summary: 'Removes a login. Its tokens remain valid until they expire, within an hour.',
  flags: {},
  argument: 'login',
  prepare: (_, login) => async (store, io) => {
    if (await store.logins.remove(login)) {
      io.err(`Removed the login ${login}.`)
      return exitCodes.ok.code
    }
    io.err(`No login is named ${login}: see logins list.`)
    return exitCodes.refused.code
  },
})

/** `logins create`, `logins list` and `logins remove`. */
export const loginCommands: Group = {
  name: 'logins',
  summary: 'Manages logins.',
  commands: { create: createLogin, list: listLogins, remove: removeLogin },
}

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

function formatKey(key = existing): string {
  return `demo key: ${key}`
}

function formatLogin(login = existing): string {
  return `demo login: ${login}`
}

/** Both or neither, so that an interrupted start does not leave a key that was never printed. */
async function createDemoCredentials(store: Store, origin: string): Promise<readonly string[]> {
  const key = makeApiKey()
  const password = randomBytes(12).toString('base64url')
  const hash = await createPasswords().hash(password)
  if (!hash.ok) throw new Error('The password queue is full.')
  // Another process may have been faster.
  const isNew = await store.createBoth(
    { name: demoName, hash: hashApiKey(key), scopes: allScopes, limit: null },
    { login: demoName, passwordHash: hash.value, scopes: allScopes },
  )
  return [
    formatKey(isNew.key ? key : undefined),
    formatLogin(isNew.login ? `${demoName} / ${password}` : undefined),
    ...(isNew.key ? [`demo page: ${origin}/#key=${key}`] : []),
  ]
}
