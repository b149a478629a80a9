import { formatHelp } from '../command-line/format-help.js'
import { readValues, readWords } from '../command-line/read-words.js'
import { exitCodes } from '../exit-codes.js'
import { copyDatabase } from '../store/copy-database.js'
import { mayHoldPassword, misplacedUrl } from '../store/may-hold-password.js'
import { isPostgresUrl } from '../store/postgres-url.js'
import { StoreError } from '../store/store.js'
import { databaseFlag } from './run-command.js'
import type { CommandIo } from './terminal.js'

type Name = 'backup' | 'restore'

const commands: {
  readonly [name in Name]: {
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
  name: Name,
  args: readonly string[],
  io: Pick<CommandIo, 'out' | 'err' | 'databaseOf'>,
): Promise<number> {
  const { summary, instead, done, files } = commands[name]
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
