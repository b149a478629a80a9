import { hashApiKey, makeApiKey } from '../access/api-key.js'
import { readScopes } from '../access/scopes.js'
import {
  runCommand,
  type Command,
  type CommandIo,
  type Commands,
  type ExitCode,
} from './command.js'
import { formatTable } from './format-table.js'

/** Runs `keys create`, `keys list` and `keys revoke`; the arguments are those behind `keys`. */
export function runKeys(args: readonly string[], io: CommandIo): Promise<ExitCode> {
  return runCommand('keys', keyCommands, args, io)
}

const maxLimit = 1_000_000

const create: Command = {
  usage: '--name NAME --scope read,write [--limit N] [--db PATH|URL]',
  summary: 'Makes an API key and prints it: it is shown this one time only.',
  flags: ['name', 'scope', 'limit'],
  read({ name = '', scope, limit }) {
    if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) {
      return '--name must be 1 to 64 letters, digits, dots, underscores and hyphens: --name ci'
    }
    const scopes = scope === undefined ? undefined : readScopes(scope, ',')
    if (scopes === undefined) return '--scope must be read, write or both: --scope read,write'
    const perMinute = limit === undefined ? null : readLimit(limit)
    if (perMinute === undefined) {
      return `--limit must be a number of root fields a minute, 1 to ${maxLimit}: --limit 60`
    }
    return async (store, io) => {
      const key = makeApiKey()
      const record = { name, hash: hashApiKey(key), scopes, limit: perMinute }
      const made = await store.keys.create(record)
      if (!made.ok) {
        io.err(`There is or was a key of the name ${name}: choose another name.`)
        return 1
      }
      io.out(key)
      io.err(`The key ${name} was made. Keep it: it is not shown again. Send it in X-API-Key.`)
      return 0
    }
  },
}

const list: Command = {
  usage: '[--db PATH|URL]',
  summary: 'Lists the keys, with what each has used today (UTC).',
  flags: [],
  read: () => async (store, io) => {
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
    return 0
  },
}

const revoke: Command = {
  usage: 'NAME [--db PATH|URL]',
  summary: 'Revokes a key: running services refuse it within five seconds.',
  flags: [],
  argument: 'NAME',
  read: (_, name) => async (store, io) => {
    if (await store.keys.revoke(name)) {
      io.err(`The key ${name} is revoked.`)
      return 0
    }
    io.err(`No live key has the name ${name}: see keys list.`)
    return 1
  },
}

const keyCommands: Commands = { create, list, revoke }

function readLimit(text: string): number | undefined {
  const limit = /^\d{1,7}$/.test(text) ? Number(text) : 0
  return limit >= 1 && limit <= maxLimit ? limit : undefined
}
