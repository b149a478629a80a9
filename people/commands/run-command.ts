import {
  formatHelp,
  readArguments,
  spellingOf,
  type Environment,
  type Flag,
  type FlagTable,
} from '../command-line.js'
import { exitCodes } from '../exit-codes.js'
import { settingTable } from '../settings.js'
import { mayHoldPassword, misplacedUrl } from '../store/may-hold-password.js'
import { StoreError, StoreUnavailable, type Store } from '../store/store.js'
import { createInterface } from 'node:readline'
import type { ReadStream } from 'node:tty'
import { maxPasswordBytes } from '../access/passwords.js'
import { openStore } from '../store/open-store.js'

/** What a command can do outside the store. */
export interface CommandIo {
  readonly env: Environment
  /** Writes a line of data to stdout. */
  out(line: string): void
  /** Writes a message to stderr. */
  err(line: string): void
  readPassword(): Promise<string>
  openStore(database: string): Promise<Store>
  readonly now?: () => Date
}

/** What a command does, which can see its arguments; a text says what is wrong with them. */
type Run<Values> = (
  values: Values & { readonly db: string },
  io: CommandIo,
  argument: string,
) => Promise<number | string>

/** A command such as `keys create`, without the types of its own flags. */
export interface Command {
  readonly summary: string
  readonly flags: readonly Flag<unknown>[]
  readonly positionals: readonly string[]
  /** Returns the exit code, or what is wrong with the arguments. */
  run(args: readonly string[], io: CommandIo): Promise<number | 'help' | { readonly fault: string }>
}

/** `--db` of all commands: the database that the service would open. */
const db: Flag<string> = { ...settingTable.database, placeholder: 'path|url' }

/** Defines a command with its flags besides --db, and the name of its only argument, if it has one. */
export function defineCommand<Values>(
  plan: {
    readonly summary: string
    readonly flags: FlagTable<Values>
    readonly argument?: string
  },
  run: Run<Values>,
): Command {
  const { summary, argument } = plan
  // The compiler does not see through a spread of a type parameter.
  const flags = { ...plan.flags, db } as FlagTable<Values & { readonly db: string }>
  const positionals = argument === undefined ? [] : [argument]
  return {
    summary,
    flags: Object.values<Flag<unknown>>(flags),
    positionals,
    async run(args, io) {
      const words = readArguments(args, { flags, positionals, env: io.env })
      if (!words.ok) return { fault: words.reason }
      if (typeof words.value === 'string') return 'help'
      const [first = ''] = words.value.positionals
      const done = await run(words.value.values, io, first)
      return typeof done === 'string' ? { fault: done } : done
    },
  }
}

/** Does the work with an open store; returns the exit code. */
export async function withStore(
  database: string,
  io: CommandIo,
  work: (store: Store) => Promise<number>,
): Promise<number> {
  let store: Store | undefined
  try {
    store = await io.openStore(database)
    return await work(store)
  } catch (fault) {
    if (fault instanceof StoreUnavailable) io.err(`The database is not available: ${fault.message}`)
    else if (fault instanceof StoreError) io.err(fault.message)
    else throw fault
    return exitCodes.configuration.code
  } finally {
    await store?.close()
  }
}

/** Prints rows with aligned columns. */
export function printTable(io: CommandIo, rows: readonly (readonly string[])[]): number {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((cells) => cells[at]?.length ?? 0)),
  )
  for (const cells of rows) {
    io.out(
      cells
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
  return exitCodes.ok.code
}

/** Commands by name; those of a group have a second word. */
export interface Commands {
  readonly [name: string]: Command
}

/** Runs the command that the arguments name: `backup`, or `keys list`, whose group is `keys`. */
export async function runCommand(
  commands: Commands,
  [group = '', ...rest]: readonly string[],
  io: CommandIo,
): Promise<number> {
  const [second = '', ...others] = rest
  const name = Object.hasOwn(commands, group) ? group : `${group} ${second}`
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  const refuse = (fault: string, place: string): number => {
    io.err(`${fault}\nRun "${place} --help" for usage.`)
    return exitCodes.usage.code
  }
  if (command === undefined) {
    const known = Object.entries(commands).filter(([one]) => one.startsWith(`${group} `))
    if (!['--help', '-h'].includes(second)) return refuse(faultOfName(group, second, known), group)
    io.out(helpOf(`The commands of ${group}.`, known))
    return exitCodes.ok.code
  }
  const done = await command.run(name === group ? rest : others, io)
  if (typeof done === 'number') return done
  if (done !== 'help') return refuse(done.fault, name)
  io.out(helpOf(command.summary, [[name, command]]))
  return exitCodes.ok.code
}

type NamedCommand = readonly [name: string, command: Command]

function faultOfName(group: string, name: string, known: readonly NamedCommand[]): string {
  if (mayHoldPassword(name)) return misplacedUrl
  const names = known.map(([one]) => one.slice(group.length + 1)).join(', ')
  return name === ''
    ? `${group} requires a command: ${names}.`
    : `Unknown command "${group} ${name}": expected one of ${names}.`
}

function helpOf(summary: string, commands: readonly NamedCommand[]): string {
  const flags = commands.flatMap(([, command]) => command.flags)
  return formatHelp({
    summary,
    usage: commands.map(([name, one]) => [usageOf(name, one), one.summary] as const),
    flags: [...new Map(flags.map((flag) => [spellingOf(flag), flag])).values()],
  }).trimEnd()
}

function usageOf(name: string, { flags, positionals }: Command): string {
  const words = flags.map((flag) => (flag.isRequired ? spellingOf(flag) : `[${spellingOf(flag)}]`))
  return [name, ...positionals.map((one) => `<${one}>`), ...words].join(' ')
}

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
