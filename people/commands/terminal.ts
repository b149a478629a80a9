import { createInterface } from 'node:readline'
import type { ReadStream } from 'node:tty'
import { maxPasswordBytes } from '../access/passwords.js'
import { settingTable } from '../settings.js'
import { openStore } from '../store/open-store.js'
import { StoreError, type Store } from '../store/store.js'

/** What a command can do outside the store. */
export interface CommandIo {
  /** Writes a line of data to stdout. */
  out(line: string): void
  /** Writes a message to stderr. */
  err(line: string): void
  readPassword(): Promise<string>
  /** The name of the database of `--db`; without it, of the one that the service would open. */
  databaseOf(flagValue: string | undefined): string
  /** Opens the database of `--db`; without it, the one that the service would open. */
  openStore(database: string | undefined): Promise<Store>
  readonly now?: () => Date
}

/** The terminal of this process, and the database that the service would open. */
export function createTerminal(env: { readonly [name: string]: string | undefined }): CommandIo {
  const { env: variable = '', fallback } = settingTable.database
  const databaseOf = (flagValue: string | undefined): string =>
    flagValue ?? (env[variable] || fallback)
  return {
    databaseOf,
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    readPassword: () => readPassword(process.stdin, process.stderr),
    async openStore(flagValue) {
      const database = databaseOf(flagValue)
      if (database !== ':memory:') return openStore({ database })
      throw new StoreError(
        'A :memory: database belongs to one process. Use --db to name the database of the service.',
      )
    },
  }
}

/** Reads a password: piped text without its last line break, or a typed line that is not shown. */
export function readPassword(stdin: ReadStream, stderr: NodeJS.WritableStream): Promise<string> {
  return stdin.isTTY ? ask(stdin, stderr) : readPipe(stdin)
}

/** Text beyond the maximum length is cut after one more character, so that the check refuses it. */
async function readPipe(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stdin) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size > maxPasswordBytes + 2) break
  }
  return Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '')
}

function ask(stdin: ReadStream, stderr: NodeJS.WritableStream): Promise<string> {
  // A raw terminal does not echo, and readline without an output does not either.
  const lines = createInterface({ input: stdin, terminal: true })
  stderr.write('Password: ')
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    // Also by Ctrl-C and Ctrl-D, which leave the password empty.
    lines.once('close', () => {
      stderr.write('\n')
      resolve('')
    })
  })
}
