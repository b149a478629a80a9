import { sql } from 'kysely'
import { addAudit } from './audit.js'
import type { Run } from './backend.js'
import type { Database } from './database.js'
import type { AuditOperation } from './request-records.js'
import type { Change, ChangeStore, Message, Person } from './store.js'

/** The writes that others follow, and what they are told. */
const kinds = {
  create: 'ADDED',
  update: 'CHANGED',
  replace: 'CHANGED',
  remove: 'REMOVED',
  send: 'MESSAGE',
} as const satisfies { readonly [operation in AuditOperation]?: Change['kind'] }

/** Adds a change to the transaction and the audit, as its last statements; returns what was written. */
type RecordChange = <Written extends Person | Message>(
  operation: keyof typeof kinds,
  written: Written,
) => Promise<Written>

/**
 * Runs a transaction that may record a change, and reports it once it has been committed.
 *
 * A change is written by its transaction; its position is given when that has been committed. If transactions took their
 * positions themselves, they could commit only one after the other: a fifth of the writes per second on PostgreSQL.
 */
export async function transactChange<Value>(
  database: Database,
  work: (run: Run, record: RecordChange) => Promise<Value>,
): Promise<Value> {
  const { transact, now, backend, changeListeners } = database
  let hasChanged = false
  const value = await transact((run) => {
    hasChanged = false
    return work(run, async (operation, written) => {
      const personId = Number('to' in written ? written.to : written.id)
      const version = 'version' in written ? written.version : undefined
      await addAudit(run, database, [{ operation, personId, version }])
      const body = operation === 'remove' ? null : JSON.stringify(written)
      await run(sql`
        insert into changes (position, kind, person_id, body, changed_at)
        values (${backend.nextPosition}, ${kinds[operation]}, ${personId}, ${body}, ${now().toISOString()})
      `)
      hasChanged = true
      return written
    })
  })
  if (hasChanged) for (const listener of changeListeners) listener()
  return value
}

/**
 * Gives positions to all committed changes that have none. Who has locked the clock sees what those before have placed. The
 * changes of one person have ids in the order of their commits, since each waits for the person before it is inserted.
 */
async function place({ read, transact }: Database): Promise<void> {
  const found = await read(sql`select 1 from changes where position is null limit 1`)
  if (found.length === 0) return
  await transact(async (run) => {
    await run(sql`select position from change_clock for update`)
    await run(sql`
      with numbered as (
        select id, row_number() over (order by id) as number from changes where position is null
      ), placed as (
        update changes set position = change_clock.position + numbered.number
        from numbered, change_clock where changes.id = numbered.id
        returning 1
      )
      update change_clock set position = position + (select count(*) from placed)
    `)
  })
}

/** Who follows changes later must not read what has been deleted. */
export async function forgetPerson(run: Run, personId: number): Promise<void> {
  await run(sql`update changes set body = null where person_id = ${personId}`)
}

/** For how long changes are kept at least, in milliseconds. */
const keptFor = 600_000

interface ChangeRow {
  readonly position: number
  readonly kind: Change['kind']
  readonly person_id: number
  readonly body: string | null
}

/** The changes that are kept, `keptChanges` of them at least. */
export function changeStore(database: Database, keptChanges: number): ChangeStore {
  const { read, write, now, changeListeners } = database
  return {
    async last() {
      await place(database)
      const [clock] = await read(
        sql<{ readonly position: number }>`select position from change_clock`,
      )
      return clock?.position ?? 0
    },
    async after(position, limit) {
      await place(database)
      const rows = await read(sql<ChangeRow>`
        select position, kind, person_id, body from changes
        where position > ${position} order by position limit ${limit}
      `)
      return rows.map(toChange)
    },
    async prune() {
      const cutoff = new Date(now().getTime() - keptFor).toISOString()
      await write(sql`
        delete from changes where changed_at < ${cutoff}
          and position <= (select position - ${sql.lit(keptChanges)} from change_clock)
      `)
    },
    listen: (listener) => void changeListeners.add(listener),
  }
}

function toChange({ position, kind, person_id, body }: ChangeRow): Change {
  const value = body === null ? null : (JSON.parse(body) as unknown)
  return {
    position,
    kind,
    personId: String(person_id),
    person: kind === 'MESSAGE' ? null : (value as Person | null),
    message: kind === 'MESSAGE' ? (value as Message | null) : null,
  }
}
