import { sql, type Transaction } from 'kysely'
import { addAudit } from './audit.js'
import type { Database } from './database.js'
import type { AuditOperation } from './request-records.js'
import type { Change, ChangeStore, Message, Person } from './store.js'
import type { Tables } from './tables.js'

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
  work: (transaction: Transaction<Tables>, record: RecordChange) => Promise<Value>,
): Promise<Value> {
  const { transact, now, backend, changeListeners } = database
  let hasChanged = false
  const value = await transact((transaction) => {
    hasChanged = false
    return work(transaction, async (operation, written) => {
      const personId = Number('to' in written ? written.to : written.id)
      const version = 'version' in written ? written.version : undefined
      await addAudit(transaction, database, [{ operation, personId, version }])
      await transaction
        .insertInto('changes')
        .values({
          position: backend.nextPosition,
          kind: kinds[operation],
          person_id: personId,
          body: operation === 'remove' ? null : JSON.stringify(written),
          changed_at: now().toISOString(),
        })
        .execute()
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
async function place({ transact }: Database): Promise<void> {
  await transact(async (transaction) => {
    await sql`select position from change_clock for update`.execute(transaction)
    await sql`
      with numbered as (
        select id, row_number() over (order by id) as number from changes where position is null
      ), placed as (
        update changes set position = change_clock.position + numbered.number
        from numbered, change_clock where changes.id = numbered.id
        returning 1
      )
      update change_clock set position = position + (select count(*) from placed)
    `.execute(transaction)
  })
}

/** Who follows changes later must not read what has been deleted. */
export async function forgetPerson(
  transaction: Transaction<Tables>,
  personId: number,
): Promise<void> {
  await transaction
    .updateTable('changes')
    .set({ body: null })
    .where('person_id', '=', personId)
    .execute()
}

/** For how long changes are kept at least, in milliseconds. */
const keptFor = 600_000

/** The changes that are kept, `keptChanges` of them at least. */
export function changeStore(database: Database, keptChanges: number): ChangeStore {
  const { read, write, now, changeListeners } = database
  const placeAll = async (): Promise<void> => {
    const found = await read((db) =>
      db.selectFrom('changes').select('id').where('position', 'is', null).limit(1).execute(),
    )
    if (found.length > 0) await place(database)
  }
  return {
    async last() {
      await placeAll()
      const { position } = await read((db) =>
        db.selectFrom('change_clock').select('position').executeTakeFirstOrThrow(),
      )
      return position
    },
    async after(position, limit) {
      await placeAll()
      const rows = await read((db) =>
        db
          .selectFrom('changes')
          .select(['position', 'kind', 'person_id', 'body'])
          .where('position', '>', position)
          .orderBy('position')
          .limit(limit)
          .$narrowType<{ position: number }>()
          .execute(),
      )
      return rows.map(toChange)
    },
    async prune() {
      const cutoff = new Date(now().getTime() - keptFor).toISOString()
      await write((db) =>
        db
          .deleteFrom('changes')
          .where('changed_at', '<', cutoff)
          .where('position', '<=', (build) =>
            build.selectFrom('change_clock').select(sql<number>`position - ${keptChanges}`.as('p')),
          )
          .execute(),
      )
    },
    listen: (listener) => void changeListeners.add(listener),
  }
}

function toChange(row: {
  readonly position: number
  readonly kind: string
  readonly person_id: number
  readonly body: string | null
}): Change {
  const kind = row.kind as Change['kind']
  const body = row.body === null ? null : (JSON.parse(row.body) as unknown)
  return {
    position: row.position,
    kind,
    personId: String(row.person_id),
    person: kind === 'MESSAGE' ? null : (body as Person | null),
    message: kind === 'MESSAGE' ? (body as Message | null) : null,
  }
}
