import { createPasswords, faultOfPassword } from '../access/passwords.js'
import { readScopes } from '../access/scopes.js'
import {
  runCommand,
  type Command,
  type CommandIo,
  type Commands,
  type ExitCode,
} from './command.js'
import { formatTable } from './format-table.js'

/** Runs `logins create`, `logins list` and `logins remove`; the arguments are those behind `logins`. */
export function runLogins(args: readonly string[], io: CommandIo): Promise<ExitCode> {
  return runCommand('logins', loginCommands, args, io)
}

const create: Command = {
  usage: '--login LOGIN --scope read,write [--db PATH|URL]',
  summary: 'Makes a login. The password is read from stdin, or asked for.',
  flags: ['login', 'scope'],
  async read({ login = '', scope }, _, io) {
    if (!/^[A-Za-z0-9][\w.@+-]{0,127}$/.test(login)) {
      return '--login must be 1 to 128 letters, digits and .@+_-, such as --login ann@example.org'
    }
    const scopes = scope === undefined ? undefined : readScopes(scope, ',')
    if (scopes === undefined) return '--scope must be read, write or both: --scope write'
    const password = await io.readPassword()
    const fault = faultOfPassword(password)
    if (fault !== undefined) return fault
    return async (store) => {
      const hash = await createPasswords().hash(password)
      if (!hash.ok) throw new Error('A queue of one is full.')
      const made = await store.logins.create({ login, passwordHash: hash.value, scopes })
      io.err(made.ok ? `The login ${login} was made.` : `There is a login ${login} already.`)
      return made.ok ? 0 : 1
    }
  },
}

const list: Command = {
  usage: '[--db PATH|URL]',
  summary: 'Lists the logins.',
  flags: [],
  read: () => async (store, io) => {
    const logins = await store.logins.list()
    const rows = logins.map(({ login, scopes, createdAt }) => [login, scopes.join(','), createdAt])
    for (const line of formatTable([['LOGIN', 'SCOPES', 'CREATED'], ...rows])) io.out(line)
    return 0
  },
}

const remove: Command = {
  usage: 'LOGIN [--db PATH|URL]',
  summary: 'Removes a login; tokens it has got already hold until they expire, within the hour.',
  flags: [],
  argument: 'LOGIN',
  read: (_, login) => async (store, io) => {
    if (await store.logins.remove(login)) {
      io.err(`The login ${login} is removed.`)
      return 0
    }
    io.err(`There is no login ${login}: see logins list.`)
    return 1
  },
}

const loginCommands: Commands = { create, list, remove }
