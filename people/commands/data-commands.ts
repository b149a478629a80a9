import { aSwitch, textLike, wholeNumber, type Flag, type Kind } from '../command-line.js'
import { exitCodes } from '../exit-codes.js'
import { isPostgresUrl, mayHoldPassword } from '../store/database-url.js'
import { copyDatabase } from '../store/sqlite-file.js'
import { StoreError } from '../store/store.js'
import { defineCommand, printTable, storeCommand, type Command } from './run-command.js'

const { ok, refused } = exitCodes

/** A flag that restricts a list; without it all is listed. */
function filterFlag<Value>(flag: string, doc: string, kind: Kind<Value>): Flag<Value | undefined> {
  return { flag, doc, fallback: undefined, defaultText: 'all', ...kind }
}

const aTime = {
  placeholder: 'time',
  expected: 'a date or time in UTC such as 2026-08-01 or 2026-08-01T12:00:00Z',
  read(text: string): Date | undefined {
    const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/.test(text)
    const time = new Date(isTime ? text : Number.NaN)
    return Number.isNaN(time.getTime()) ? undefined : time
  },
}

/** `audit list`. */
export const listAudit = storeCommand(
  {
    summary:
      'Lists the latest writes to people: when, what, to whom, by whom and in which request.',
    flags: {
      personId: filterFlag(
        'person',
        'Only writes to this person.',
        textLike('id', /^\d{1,15}$/, 'the id of a person'),
      ),
      principal: filterFlag(
        'principal',
        'Only writes of this principal, such as key:ci or login:ann@example.org.',
        textLike(
          'name',
          /^(?:(?:key|login):.{1,128}|anonymous)$/,
          'key: and the name of a key, login: and a login, or anonymous',
        ),
      ),
      since: filterFlag('since', 'Only writes at this time or later.', aTime),
      until: filterFlag('until', 'Only writes before this time.', aTime),
      limit: {
        flag: 'limit',
        doc: 'Maximum number of writes.',
        fallback: 100,
        ...wholeNumber(1, 100_000),
      },
      json: { flag: 'json', doc: 'Print one line of JSON for each.', fallback: false, ...aSwitch },
    },
  },
  async ({ audit }, { json, ...filter }, io) => {
    const entries = await audit.list(filter)
    if (json) {
      for (const entry of entries) io.out(JSON.stringify(entry))
      return ok.code
    }
    const rows = entries.map(
      ({ at, operation, personId, versionBefore, versionAfter, principal, requestId }) => {
        const versions = [versionBefore ?? '-', versionAfter ?? '-']
        return [at, operation, personId, ...versions, principal, requestId].map(String)
      },
    )
    const titles = ['AT', 'OPERATION', 'PERSON', 'BEFORE', 'AFTER', 'BY', 'REQUEST']
    return printTable(io, [titles, ...rows])
  },
)

/** For databases in a file. It does not open the store: that would migrate it. */
function copyCommand(
  name: string,
  summary: string,
  instead: string,
  done: string,
  /** Which of the two files is read, and which is created. */
  files: (database: string, file: string) => readonly [from: string, to: string],
): Command {
  return defineCommand({ summary, flags: {}, argument: 'file' }, async ({ db }, io, file) => {
    if (isPostgresUrl(db)) {
      return `${name} copies files. For PostgreSQL use its own program: ${instead}`
    }
    if (file === '' || db === ':memory:' || [db, file].some(mayHoldPassword)) {
      return `${name} needs two files: a backup, and --db with the path of the database.`
    }
    try {
      const [from, to] = files(db, file)
      const { people, bytes } = copyDatabase(from, to)
      io.err(`${done} ${to}: ${people} people, ${bytes} bytes.`)
      return ok.code
    } catch (fault) {
      if (!(fault instanceof StoreError)) throw fault
      io.err(fault.message)
      return refused.code
    }
  })
}

export const backup = copyCommand(
  'backup',
  'Copies the database to a new file, as it is at one moment. The service may go on.',
  'pg_dump --format=custom --file=FILE',
  'Wrote the backup',
  (database, file) => [database, file],
)

export const restore = copyCommand(
  'restore',
  'Creates the database from a backup. Stop the service, and move the old file away.',
  'pg_restore --no-owner --dbname=',
  'Restored',
  (database, file) => [file, database],
)
