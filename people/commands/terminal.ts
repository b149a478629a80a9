import { createInterface } from 'node:readline'
import type { ReadStream } from 'node:tty'
import { maxPasswordBytes } from '../access/passwords.js'
import type { Environment } from '../command-line.js'
import { openStore } from '../store/open-store.js'
import { StoreError } from '../store/store.js'
import type { CommandIo } from './run-command.js'

/** The terminal of this process. */
export function createTerminal(env: Environment): CommandIo {
  return {
    env,
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
    readPassword: () => readPassword(process.stdin, process.stderr),
    async openStore(database) {
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
