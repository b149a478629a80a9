import { hashApiKey, makeApiKey } from '../access/api-key.js'
import { exitCodes } from '../exit-codes.js'
import { perMinute } from '../settings.js'
import { formatTable } from './format-table.js'
import { defineCommand, runCommand, type CommandIo, type Group } from './run-command.js'
import { scopeFlag } from './scope-flag.js'

/** Runs `keys create`, `keys list` and `keys revoke`; the arguments are those after `keys`. */
export function runKeys(args: readonly string[], io: CommandIo): Promise<number> {
  return runCommand(group, args, io)
}

const create = defineCommand({
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

const list = defineCommand({
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

const revoke = defineCommand({
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

const group: Group = {
  name: 'keys',
  summary: 'Manages API keys.',
  commands: { create, list, revoke },
}
