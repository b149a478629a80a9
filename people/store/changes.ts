import { sql } from 'kysely'
import { addAudit, operations } from './audit.js'
import type { Run } from './backend.js'
import type { Database } from './database.js'
import type { Message, Person } from './store.js'

type Followed = Exclude<keyof typeof operations, 'befriend' | 'unfriend'>

/** A committed write, at its place in the order of commits. */
export interface Change {
  /** 1 for the first change; each further one has the next number. */
  readonly position: number
  readonly kind: (typeof operations)[Followed]['event']
  /** The person, or the recipient of the message. */
  readonly personId: string
  /** The person as the change left it, or the message; null once the person has been removed. */
  readonly body: Person | Message | null
}

/** Adds a change to the transaction and the audit, as its last statements; returns what was written. */
type RecordChange = <Written extends Person | Message>(
  operation: Followed,
  written: Written,
) => Promise<Written>

/**
 * Runs a transaction that may record a change.
 *
 * A change is written by its transaction; its position is given when that has been committed. If transactions took their
 * positions themselves, they could commit only one after the other: a fifth of the writes per second on PostgreSQL.
 */
export function transactChange<Value>(
  database: Database,
  work: (run: Run, record: RecordChange) => Promise<Value>,
): Promise<Value> {
  const { transact, now, backend } = database
  return transact((run, changed) =>
    work(run, async (operation, written) => {
      const personId = Number('to' in written ? written.to : written.id)
      const version = 'version' in written ? written.version : undefined
      await addAudit(run, database, operation, personId, version)
      const body = operation === 'remove' ? null : JSON.stringify(written)
      await run(sql`
        insert into changes (position, kind, person_id, body, changed_at)
        values (${backend.nextPosition}, ${operations[operation].event}, ${personId}, ${body}, ${now().toISOString()})
      `)
      changed()
      return written
    }),
  )
}

/**
 * Gives positions to all committed changes that have none. The holder of the lock on the clock sees what others have placed
 * before. The changes of one person have ids in the order of their commits, since each waits for the person before it is
 * inserted.
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

/** Removes the person from stored changes: clients that follow later must not see deleted data. */
export async function forgetPerson(run: Run, personId: number): Promise<void> {
  await run(sql`update changes set body = null where person_id = ${personId}`)
}

/** The condition that a change has a topic of the feed. */
function hasTopic(topic: string) {
  const [name, id] = topic.split(':')
  const isKind = name === 'messages' ? sql`kind = 'MESSAGE'` : sql`kind <> 'MESSAGE'`
  return id === undefined ? isKind : sql`${isKind} and person_id = ${Number(id)}`
}

export type ChangeStore = ReturnType<typeof changeStore>

/** The latest changes: at least the last `keptChanges`, and those of the last ten minutes. */
export function changeStore(database: Database, keptChanges: number) {
  const { read, write, now, changeListeners } = database
  return {
    /** The position of the last change; 0 if there never was one. */
    async last(): Promise<number> {
      await place(database)
      const [clock] = await read(sql<{ position: number }>`select position from change_clock`)
      return clock?.position ?? 0
    },
    /**
     * Those that follow a position, in order, of a topic or of all. If the first one is not the next, whatever its topic,
     * those between have been deleted.
     */
    async after(position: number, limit: number, topic?: string): Promise<readonly Change[]> {
      await place(database)
      const wanted =
        topic === undefined ? sql`true` : sql`position = ${position + 1} or ${hasTopic(topic)}`
      const rows = await read(sql<Omit<Change, 'body'> & { readonly body: string | null }>`
        select position, kind, cast(person_id as text) as "personId", body from changes
        where position > ${position} and (${wanted}) order by position limit ${limit}
      `)
      return rows.map((row) =>
        Object.assign(row, { body: JSON.parse(row.body ?? 'null') as Change['body'] }),
      )
    },
    async prune(): Promise<void> {
      const cutoff = new Date(now().getTime() - 600_000).toISOString()
      await write(sql`
        delete from changes where changed_at < ${cutoff}
          and position <= (select position - ${sql.lit(keptChanges)} from change_clock)
      `)
    },
    /** Calls the listener whenever this store has committed a change. */
    listen: (listener: () => void): void => void changeListeners.add(listener),
  }
}
