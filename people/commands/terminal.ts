import { openStore } from '../store/open-store.js'
import { StoreError } from '../store/store.js'
import { settingTable } from '../settings.js'
import type { CommandIo } from './run-command.js'
import { readPassword } from './read-password.js'

/** The terminal of this process, and the database that the service would open. */
export function createTerminal(env: { readonly [name: string]: string | undefined }): CommandIo {
  const { env: variable = '', fallback } = settingTable.database
  return {
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    readPassword: () => readPassword(process.stdin, process.stderr),
    async openStore(flagValue) {
      const database = flagValue ?? (env[variable] || fallback)
      if (database !== ':memory:') return openStore({ database })
      throw new StoreError(
        'A :memory: database belongs to one process. Use --db to name the database of the service.',
      )
    },
  }
}
