import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { exitCodes, formatHelp, readArguments, spellingOf } from '../command-line.js'
import type { Flag, FlagTable } from '../command-line.js'
import { settingTable } from '../settings.js'
import { openStore, type Store } from '../store/open-store.js'
import { StoreError } from '../store/store.js'

/** What a command can do outside the store. */
export type CommandIo = ReturnType<typeof createTerminal>

interface Work extends CommandIo {
  /** Its only argument, if it has one. */
  readonly argument: string
  /** Opens the database; it is closed when the command has ended. */
  readonly store: () => Promise<Store>
  /** Prints what was done, or why it was not. */
  readonly tell: (isDone: boolean, done: string, refusal: string) => number
}

interface OfAll {
  readonly db: string
}

/** The exit code; a text says what is wrong with the arguments. */
type Done = Promise<number | string>

/** A command such as `keys create`, without the types of its own flags. */
export interface Command {
  readonly summary: string
  readonly flags: FlagTable<OfAll>
  /** The name of its only argument, if it has one. */
  readonly argument: string | undefined
  run(values: OfAll, work: Work): Done
}

/** `--db`: the database that the service would open. */
const db: Flag<string> = { ...settingTable.database, placeholder: 'path|url' }

/** Defines a command with its flags besides --db. */
export function defineCommand<Values>(
  summary: string,
  flags: FlagTable<Values>,
  run: (values: Values & OfAll, work: Work) => Done,
  argument?: string,
): Command {
  // Its values are read by its own flags.
  return { summary, flags: { ...flags, db }, argument, run }
}

/** Runs the command that the arguments name: `backup`, or `keys list`, whose group is `keys`. */
export async function runCommand(
  commands: { readonly [name: string]: Command },
  args: readonly string[],
  io: CommandIo,
): Promise<number> {
  const [group = '', second = ''] = args
  const name = Object.hasOwn(commands, group) ? group : `${group} ${second}`
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    const named = Object.entries(commands).filter(([one]) => one.startsWith(`${group} `))
    if (['--help', '-h'].includes(second)) return printHelp(io, `The commands of ${group}.`, named)
    const names = named.map(([one]) => one.slice(group.length + 1)).join(', ')
    return refuse(io, `${group} requires a command: ${names}.`, group)
  }
  const { flags, argument, summary } = command
  const rest = args.slice(name.split(' ').length)
  const words = readArguments(rest, flags, io.env, argument === undefined ? [] : [argument])
  if (!words.ok) return refuse(io, words.reason, name)
  if (typeof words.value === 'string') return printHelp(io, summary, [[name, command]])
  const { values, positionals } = words.value
  let store: Store | undefined
  try {
    const end = await command.run(values, {
      ...io,
      argument: positionals[0] ?? '',
      store: async () => (store = await io.openStore(values.db)),
      tell(isDone, done, refusal) {
        io.err(isDone ? done : refusal)
        return isDone ? exitCodes.ok.code : exitCodes.refused.code
      },
    })
    return typeof end === 'string' ? refuse(io, end, name) : end
  } finally {
    await store?.close()
  }
}

/** Prints rows, whose columns are members by their titles. */
export function printTable<Row extends object>(
  out: CommandIo['out'],
  rows: readonly Row[],
  columns: { readonly [title: string]: keyof Row },
): number {
  const members = Object.values(columns)
  const cells = rows.map((row) => members.map((member) => String(row[member] ?? '-')))
  const lines = [Object.keys(columns), ...cells]
  const widths = members.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  for (const line of lines) {
    const padded = line.map((cell, at) => cell.padEnd(widths[at] ?? 0))
    out(padded.join('  ').trimEnd())
  }
  return exitCodes.ok.code
}

function refuse(io: CommandIo, fault: string, place: string): number {
  io.err(`${fault}\nRun "${place} --help" for usage.`)
  return exitCodes.usage.code
}

function printHelp(io: CommandIo, summary: string, commands: readonly [string, Command][]): number {
  const usage = commands.map(([name, { summary: doc, argument, flags }]) => {
    const words = Object.values<Flag<unknown>>(flags).map((flag) =>
      flag.isRequired ? spellingOf(flag) : `[${spellingOf(flag)}]`,
    )
    return [[name, ...(argument ? [`<${argument}>`] : []), ...words].join(' '), doc] as const
  })
  const flags = commands.flatMap(([, command]) => Object.values<Flag<unknown>>(command.flags))
  io.out(formatHelp(summary, usage, [...new Map(flags.map((one) => [one.flag, one])).values()]))
  return exitCodes.ok.code
}

export function createTerminal(env: NodeJS.ProcessEnv) {
  return {
    env,
    /** Writes a line of data. */
    out: (line: string): void => void process.stdout.write(`${line}\n`),
    /** Writes a message. */
    err: (line: string): void => void process.stderr.write(`${line}\n`),
    readPassword,
    async openStore(database: string): Promise<Store> {
      if (database !== ':memory:') return openStore({ database })
      throw new StoreError(
        'A :memory: database belongs to one process. Use --db to name the database of the service.',
      )
    },
  }
}

/** Reads a password: piped text without its last line break, or a typed line that is not shown. */
export async function readPassword(): Promise<string> {
  const { stdin, stderr } = process
  if (!stdin.isTTY) return (await text(stdin)).replace(/\r?\n$/, '')
  // A raw terminal does not echo, and readline without an output does not either.
  const lines = createInterface({ input: stdin, terminal: true })
  stderr.write('Password: ')
  // Ctrl-C and Ctrl-D close it, which leaves the password empty.
  const [line = ''] = await Promise.race([once(lines, 'line'), once(lines, 'close')])
  lines.close()
  stderr.write('\n')
  return String(line)
}
