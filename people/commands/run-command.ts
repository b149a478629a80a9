import { spellingOf, type Flag, type FlagTable } from '../command-line/flag.js'
import { formatHelp } from '../command-line/format-help.js'
import { readValues, readWords } from '../command-line/read-words.js'
import { exitCodes } from '../exit-codes.js'
import { settingTable } from '../settings.js'
import { mayHoldPassword, misplacedUrl } from '../store/may-hold-password.js'
import { isPostgresUrl } from '../store/postgres-url.js'
import { copyDatabase } from '../store/sqlite-file.js'
import { StoreError, StoreUnavailable, type Store } from '../store/store.js'
import type { CommandIo } from './terminal.js'

/** The work of a command, once its arguments are read; returns the exit code. */
type Task = (store: Store, io: CommandIo) => Promise<number>

/** What a command file describes. */
interface CommandPlan<Values> {
  readonly summary: string
  /** Its flags besides --db. */
  readonly flags: FlagTable<Values>
  /** The name of its only argument. */
  readonly argument?: string
  /** Checks what rows cannot check; returns a message for a mistake. */
  prepare(values: Values, argument: string, io: CommandIo): Task | string | Promise<Task | string>
}

/** A command such as `keys create`, without the types of its own flags. */
interface Command {
  readonly summary: string
  readonly flags: readonly Flag<unknown>[]
  readonly positionals: readonly string[]
  /** Reads the arguments; returns a message for a mistake. */
  read(
    args: readonly string[],
    io: CommandIo,
  ): Promise<
    { readonly task: Task; readonly database: string | undefined } | 'help' | { fault: string }
  >
}

type Commands = { readonly [name: string]: Command }

/** Commands that share their first word. */
export interface Group {
  readonly name: string
  readonly summary: string
  readonly commands: Commands
}

interface Database {
  readonly db: string | undefined
}

/** `--db` of all commands. */
const databaseFlag: Flag<string | undefined> = {
  ...settingTable.database,
  placeholder: 'path|url',
  fallback: undefined,
  defaultText: `${settingTable.database.env}, or ${settingTable.database.fallback}`,
}

/** Defines a command that reads its flags before `prepare`. */
export function defineCommand<Values>(plan: CommandPlan<Values>): Command {
  const { summary, argument } = plan
  // The compiler does not see through a spread of a type parameter.
  const table = { ...plan.flags, db: databaseFlag } as FlagTable<Values & Database>
  const flags = Object.values<Flag<unknown>>(table)
  const positionals = argument === undefined ? [] : [argument]
  return {
    summary,
    flags,
    positionals,
    async read(args, io) {
      const words = readWords(args, { flags, positionals })
      if (!words.ok) return { fault: words.reason }
      if (typeof words.value === 'string') return 'help'
      // `openStore` reads the variable, and knows the default.
      const values = readValues<Values & Database>(words.value, table, {})
      if (!values.ok) return { fault: values.reason }
      const [first = ''] = words.value.positionals
      const task = await plan.prepare(values.value, first, io)
      return typeof task === 'string' ? { fault: task } : { task, database: values.value.db }
    },
  }
}

/** Runs the command that the arguments name. */
export async function runCommand(
  group: Group,
  args: readonly string[],
  io: CommandIo,
): Promise<number> {
  const { commands } = group
  const [name = '', ...rest] = args
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    const isHelp = name === '--help' || name === '-h'
    if (isHelp) io.out(helpOf(group, commands))
    else io.err(`${faultOfName(group, name)}\nRun "${group.name} --help" for usage.`)
    return isHelp ? exitCodes.ok.code : exitCodes.usage.code
  }
  const read = await command.read(rest, io)
  if (read === 'help') {
    io.out(helpOf(group, { [name]: command }))
    return exitCodes.ok.code
  }
  if ('task' in read) return runTask(read.task, read.database, io)
  io.err(`${read.fault}\nRun "${group.name} ${name} --help" for usage.`)
  return exitCodes.usage.code
}

function faultOfName(group: Group, name: string): string {
  if (mayHoldPassword(name)) return misplacedUrl
  const names = Object.keys(group.commands).join(', ')
  return name === ''
    ? `${group.name} requires a command: ${names}.`
    : `Unknown command "${group.name} ${name}": expected one of ${names}.`
}

async function runTask(task: Task, database: string | undefined, io: CommandIo): Promise<number> {
  let store: Store | undefined
  try {
    store = await io.openStore(database)
    return await task(store, io)
  } catch (fault) {
    if (fault instanceof StoreUnavailable) io.err(`The database is not available: ${fault.message}`)
    else if (fault instanceof StoreError) io.err(fault.message)
    else throw fault
    return exitCodes.configuration.code
  } finally {
    await store?.close()
  }
}

function helpOf(group: Group, commands: Commands): string {
  const all = Object.entries(commands)
  const flags = all.flatMap(([, command]) => command.flags)
  return formatHelp({
    summary: group.summary,
    usage: all.map(([name, one]) => [usageOf(group.name, name, one), one.summary] as const),
    flags: [...new Map(flags.map((flag) => [spellingOf(flag), flag])).values()],
  }).trimEnd()
}

function usageOf(group: string, name: string, { flags, positionals }: Command): string {
  const words = flags.map((flag) => (flag.isRequired ? spellingOf(flag) : `[${spellingOf(flag)}]`))
  return [group, name, ...positionals.map((one) => `<${one}>`), ...words].join(' ')
}

type CopyName = 'backup' | 'restore'

const copyCommands: {
  readonly [name in CopyName]: {
    readonly summary: string
    readonly instead: string
    readonly done: string
    /** Which of the two files is read, and which is created. */
    readonly files: (database: string, file: string) => readonly [from: string, to: string]
  }
} = {
  backup: {
    summary: 'Copies the database to a new file, as it is at one moment. The service may go on.',
    instead: 'pg_dump --format=custom --file=FILE',
    done: 'Wrote the backup',
    files: (database, file) => [database, file],
  },
  restore: {
    summary: 'Creates the database from a backup. Stop the service, and move the old file away.',
    instead: 'pg_restore --no-owner --dbname=',
    done: 'Restored',
    files: (database, file) => [file, database],
  },
}

/** `backup` and `restore`, for databases in a file. They do not open the store: that would migrate it. */
export async function runCopy(
  name: CopyName,
  args: readonly string[],
  io: Pick<CommandIo, 'out' | 'err' | 'databaseOf'>,
): Promise<number> {
  const { summary, instead, done, files } = copyCommands[name]
  const flags = { db: databaseFlag }
  const words = readWords(args, { flags: Object.values(flags), positionals: ['file'] })
  if (words.ok && typeof words.value === 'string') {
    const usage = [[`${name} <file> [--db <path>]`]] as const
    io.out(formatHelp({ summary, usage, flags: Object.values(flags) }).trimEnd())
    return exitCodes.ok.code
  }
  const refuse = (fault: string): number => {
    io.err(`${fault}\nRun "${name} --help" for usage.`)
    return exitCodes.usage.code
  }
  if (!words.ok) return refuse(words.reason)
  if (typeof words.value === 'string') return exitCodes.ok.code
  const values = readValues(words.value, flags, {})
  if (!values.ok) return refuse(values.reason)
  const database = io.databaseOf(values.value.db)
  const [file = ''] = words.value.positionals
  if (isPostgresUrl(database)) {
    return refuse(`${name} copies files. For PostgreSQL use its own program: ${instead}`)
  }
  if (mayHoldPassword(database)) return refuse(misplacedUrl)
  if (file === '' || database === ':memory:') {
    return refuse(`${name} needs two files: a backup, and --db with the path of the database.`)
  }
  try {
    const [from, to] = files(database, file)
    const { people, bytes } = copyDatabase(from, to)
    io.err(`${done} ${to}: ${people} people, ${bytes} bytes.`)
    return exitCodes.ok.code
  } catch (fault) {
    if (!(fault instanceof StoreError)) throw fault
    io.err(fault.message)
    return exitCodes.refused.code
  }
}
