import { createPasswords, faultOfPassword } from '../access/passwords.js'
import { exitCodes } from '../exit-codes.js'
import { formatTable } from './format-table.js'
import { defineCommand, runCommand, type CommandIo, type Group } from './run-command.js'
import { scopeFlag } from './scope-flag.js'

/** Runs `logins create`, `logins list` and `logins remove`; the arguments are those after `logins`. */
export function runLogins(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(group, args, io)
}

const create = defineCommand({
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

const list = defineCommand({
  summary: 'Lists the logins.',
  flags: {},
  prepare: () => async (store, io) => {
    const logins = await store.logins.list()
    const rows = logins.map(({ login, scopes, createdAt }) => [login, scopes.join(','), createdAt])
    for (const line of formatTable([['LOGIN', 'SCOPES', 'CREATED'], ...rows])) io.out(line)
    return exitCodes.ok.code
  },
})

const remove = defineCommand({
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

const group: Group = {
  name: 'logins',
  summary: 'Manages logins.',
  commands: { create, list, remove },
}
