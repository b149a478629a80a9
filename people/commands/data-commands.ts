import { aSwitch, setting, textLike, wholeNumber } from '../command-line.js'
import { exitCodes } from '../exit-codes.js'
import { isPostgresUrl, mayHoldPassword } from '../store/database-url.js'
import { copyDatabase } from '../store/sqlite-file.js'
import { StoreError } from '../store/store.js'
import { defineCommand, type Command } from './run-command.js'

const aTime = {
  placeholder: 'time',
  expected: 'a date or time in UTC such as 2026-08-01 or 2026-08-01T12:00:00Z',
  read(text: string): Date | undefined {
    const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/.test(text)
    const time = new Date(isTime ? text : Number.NaN)
    return Number.isNaN(time.getTime()) ? undefined : time
  },
}

const anId = textLike('id', /^\d{1,15}$/, 'the id of a person')
const aPrincipal = textLike(
  'name',
  /^(?:(?:key|login):.{1,128}|anonymous)$/,
  'key: and the name of a key, login: and a login, or anonymous',
)

// oxfmt-ignore
const auditFlags = {
  personId:  setting({ flag: 'person' }, anId, undefined, 'Only writes to this person.', 'all'),
  principal: setting({ flag: 'principal' }, aPrincipal, undefined, 'Only writes of this principal, such as key:ci or login:ann@example.org.', 'all'),
  since:     setting({ flag: 'since' }, aTime, undefined, 'Only writes at this time or later.', 'all'),
  until:     setting({ flag: 'until' }, aTime, undefined, 'Only writes before this time.', 'all'),
  limit:     setting({ flag: 'limit' }, wholeNumber(1, 100_000), 100, 'Maximum number of writes.'),
  json:      setting({ flag: 'json' }, aSwitch, false, 'Print one line of JSON for each.'),
}

/** `audit list`. */
export const listAudit = defineCommand(
  'Lists the latest writes to people: when, what, to whom, by whom and in which request.',
  auditFlags,
  async ({ json, ...filter }, { store, out, table }) => {
    const { audit } = await store()
    const entries = await audit.list(filter)
    if (json) {
      for (const entry of entries) out(JSON.stringify(entry))
      return exitCodes.ok.code
    }
    const rows = entries.map(
      ({ at, operation, personId, versionBefore, versionAfter, principal, requestId }) => {
        const versions = [versionBefore ?? '-', versionAfter ?? '-']
        return [at, operation, personId, ...versions, principal, requestId].map(String)
      },
    )
    const titles = ['AT', 'OPERATION', 'PERSON', 'BEFORE', 'AFTER', 'BY', 'REQUEST']
    return table([titles, ...rows])
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
  const run: Command['run'] = async ({ db }, { argument: file, err }) => {
    if (isPostgresUrl(db)) {
      return `${name} copies files. For PostgreSQL use its own program: ${instead}`
    }
    if (file === '' || db === ':memory:' || [db, file].some(mayHoldPassword)) {
      return `${name} needs two files: a backup, and --db with the path of the database.`
    }
    try {
      const [from, to] = files(db, file)
      const { people, bytes } = copyDatabase(from, to)
      err(`${done} ${to}: ${people} people, ${bytes} bytes.`)
      return exitCodes.ok.code
    } catch (fault) {
      if (!(fault instanceof StoreError)) throw fault
      err(fault.message)
      return exitCodes.refused.code
    }
  }
  return defineCommand(summary, {}, run, 'file')
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
