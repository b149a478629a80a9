import { randomBytes } from 'node:crypto'
import { hashApiKey, makeApiKey } from '../access/api-keys.js'
import { allScopes, readScopes } from '../access/principal.js'
import { createPasswords, faultOfPassword } from '../access/passwords.js'
import { aSwitch, exitCodes, required, setting, textLike, wholeNumber } from '../command-line.js'
import type { Kind } from '../command-line.js'
import { perMinute } from '../settings.js'
import type { Scope } from '../store/credential-stores.js'
import { isPostgresUrl, mayHoldPassword } from '../store/database-url.js'
import type { Store } from '../store/open-store.js'
import { copyDatabase } from '../store/sqlite-file.js'
import { StoreError } from '../store/store.js'
import { defineCommand, printTable, type Command } from './run-command.js'

const scopes: Kind<readonly Scope[]> = {
  placeholder: 'scopes',
  expected: `${allScopes.join(', ')} or ${allScopes.join(',')}`,
  read: (text) => readScopes(text, ','),
}
const ofScopes = `What it may do: ${allScopes.join(', ')} or both, separated by a comma.`
const aName = '1 to 64 letters, digits, dots, underscores and hyphens'

// oxfmt-ignore
const keyFlags = {
  name:   required('name', textLike('name', /^[A-Za-z0-9][\w.-]{0,63}$/, aName), 'Name of the key.'),
  scopes: required('scope', scopes, ofScopes),
  limit:  setting({ flag: 'limit' }, perMinute, null, 'Root fields per minute of this key.', 'the limit of the service'),
}

const aLogin = '1 to 128 letters, digits and .@+_-'

// oxfmt-ignore
const loginFlags = {
  login:  required('login', textLike('login', /^[A-Za-z0-9][\w.@+-]{0,127}$/, aLogin), 'The login, such as ann@example.org.'),
  scopes: required('scope', scopes, ofScopes),
}

const aTime = {
  placeholder: 'time',
  expected: 'a date or time in UTC such as 2026-08-01 or 2026-08-01T12:00:00Z',
  read(text: string): Date | undefined {
    const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/.test(text)
    const time = new Date(isTime ? text : Number.NaN)
    // Date reads February 30 as March 2.
    const isDay = !Number.isNaN(time.getTime()) && text.startsWith(time.toISOString().slice(0, 10))
    return isDay ? time : undefined
  },
}

const anId = textLike('id', /^\d{1,15}$/, 'the id of a person')
const aPrincipal = textLike(
  'name',
  /^(?:(?:key|login):.{1,128}|anonymous)$/,
  'key: and the name of a key, login: and a login, or anonymous',
)

// oxfmt-ignore
const auditFlags = {
  personId:  setting({ flag: 'person' }, anId, undefined, 'Only writes to this person.', 'all'),
  principal: setting({ flag: 'principal' }, aPrincipal, undefined, 'Only writes of this principal, such as key:ci or login:ann@example.org.', 'all'),
  since:     setting({ flag: 'since' }, aTime, undefined, 'Only writes at this time or later.', 'all'),
  until:     setting({ flag: 'until' }, aTime, undefined, 'Only writes before this time.', 'all'),
  limit:     setting({ flag: 'limit' }, wholeNumber(1, 100_000), 100, 'Maximum number of writes.'),
  json:      setting({ flag: 'json' }, aSwitch, false, 'Print one line of JSON for each.', 'off'),
}

// oxfmt-ignore
const keyColumns = {
  NAME: 'name', SCOPES: 'scopes', LIMIT: 'limit', CREATED: 'createdAt', 'USED TODAY': 'used', REVOKED: 'revokedAt',
} as const

const loginColumns = { LOGIN: 'login', SCOPES: 'scopes', CREATED: 'createdAt' } as const

// oxfmt-ignore
const auditColumns = {
  AT: 'at', OPERATION: 'operation', PERSON: 'personId', BEFORE: 'versionBefore', AFTER: 'versionAfter', BY: 'principal', REQUEST: 'requestId',
} as const

/** For databases in a file. It does not open the store: that would migrate it. */
function copyCommand(
  name: string,
  summary: string,
  instead: string,
  done: string,
  files: (database: string, file: string) => readonly [from: string, to: string],
): Command {
  const run: Command['run'] = async ({ db }, { argument: file, err }) => {
    if (isPostgresUrl(db)) {
      return `${name} copies files. For PostgreSQL use its own program: ${instead}`
    }
    if (file === '' || db === ':memory:' || [db, file].some(mayHoldPassword)) {
      return `${name} needs two files: a backup, and --db with the path of the database.`
    }
    try {
      const [from, to] = files(db, file)
      const { people, bytes } = copyDatabase(from, to)
      err(`${done} ${to}: ${people} people, ${bytes} bytes.`)
      return exitCodes.ok.code
    } catch (fault) {
      if (!(fault instanceof StoreError)) throw fault
      err(fault.message)
      return exitCodes.refused.code
    }
  }
  return defineCommand(summary, {}, run, 'file')
}

export const commands: { readonly [name: string]: Command } = {
  'keys create': defineCommand(
    'Creates an API key and prints it. It is shown only once.',
    keyFlags,
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
    async (_, { store, out }) => {
      const today = new Date().toISOString().slice(0, 10)
      const { keys } = await store()
      return printTable(out, await keys.list(today), keyColumns)
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
    loginFlags,
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

  'logins list': defineCommand('Lists the logins.', {}, async (_, { store, out }) => {
    const { logins } = await store()
    return printTable(out, await logins.list(), loginColumns)
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

  'audit list': defineCommand(
    'Lists the latest writes to people: when, what, to whom, by whom and in which request.',
    auditFlags,
    async ({ json, ...filter }, { store, out }) => {
      const entries = await (await store()).audit.list(filter)
      if (!json) return printTable(out, entries, auditColumns)
      for (const entry of entries) out(JSON.stringify(entry))
      return exitCodes.ok.code
    },
  ),

  backup: copyCommand(
    'backup',
    'Copies the database to a new file, as it is at one moment. The service may go on.',
    'pg_dump --format=custom --file=FILE',
    'Wrote the backup',
    (database, file) => [database, file],
  ),

  restore: copyCommand(
    'restore',
    'Creates the database from a backup. Stop the service, and move the old file away.',
    'pg_restore --no-owner --dbname=',
    'Restored',
    (database, file) => [file, database],
  ),
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
  const existing = 'already exists; it was printed when it was created'
  if (keys.length + logins.length > 0) {
    const hasKey = keys.some(({ name, revokedAt }) => name === demoName && revokedAt === null)
    const hasLogin = logins.some(({ login }) => login === demoName)
    const names = [...(hasKey ? ['key'] : []), ...(hasLogin ? ['login'] : [])]
    return names.map((name) => `demo ${name}: ${existing}`)
  }
  const key = makeApiKey()
  const password = randomBytes(12).toString('base64url')
  const hash = await createPasswords().hash(password)
  // Both or neither, so that an interrupted start leaves no key that was never printed. Another process may be faster.
  const isNew = await store.createBoth(
    { name: demoName, hash: hashApiKey(key), scopes: allScopes, limit: null },
    { login: demoName, passwordHash: hash, scopes: allScopes },
  )
  return [
    `demo key: ${isNew.key ? key : existing}`,
    `demo login: ${isNew.login ? `${demoName} / ${password}` : existing}`,
    ...(isNew.key ? [`demo page: ${origin}/#key=${key}`] : []),
  ]
}
