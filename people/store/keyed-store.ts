import type { Outcome } from 'graphwire'
import { sql, type Kysely, type Transaction } from 'kysely'
import { bindDatabase, type BoundDatabase } from './bound-database.js'
import type { Database } from './database.js'
import { messageStore, peopleStore } from './people-store.js'
import type { Actor, KeptResponse, KeyedOutcome, KeyedRequest } from './request-records.js'
import type { KeyedStore, RequestStores } from './store.js'
import type { Tables } from './tables.js'

/** For how long a response is kept, in milliseconds. */
export const keptFor = 86_400_000

/** The work of a keyed request. */
type Work<Reason> = (stores: RequestStores) => Promise<Outcome<KeptResponse, Reason>>

/** Thrown to undo a transaction, with the outcome that its caller gets. */
class Undone<Reason> extends Error {
  readonly outcome: KeyedOutcome<Reason>

  constructor(outcome: KeyedOutcome<Reason>) {
    super('undone')
    this.outcome = outcome
  }
}

/**
 * Responses by key. A key has no row while its request runs: its transaction holds a lock, which ends with the process that has it, so
 * that nothing has to be cleaned up after a crash.
 */
export function keyedStore(database: Database): KeyedStore {
  const running = new Set<string>()
  const cutoff = (): string => new Date(database.now().getTime() - keptFor).toISOString()

  const run = async <Reason>(
    request: KeyedRequest,
    actor: Actor | undefined,
    work: Work<Reason>,
    name: string,
  ): Promise<KeyedOutcome<Reason>> => {
    const kept = await database.read((db) => find(db, request, cutoff()))
    if (kept !== undefined) return kept
    let hasChanged = false
    const outcome = await database.transactOnce(async (transaction) => {
      if (!(await database.backend.tryLock(transaction, name))) return { kind: 'running' } as const
      // Another instance may have committed meanwhile.
      const late = await find(transaction, request, cutoff())
      if (late !== undefined) return late
      const done = await doWork(database, transaction, actor, work)
      await insert(transaction, request, done.response, {
        now: database.now().toISOString(),
        cutoff: cutoff(),
      })
      hasChanged = done.hasChanged
      return { kind: 'done', response: done.response } as const
    })
    if (hasChanged) for (const listener of database.changeListeners) listener()
    return outcome
  }

  return {
    async once<Reason>(request: KeyedRequest, actor: Actor | undefined, work: Work<Reason>) {
      const name = JSON.stringify([request.principal, request.key])
      if (running.has(name)) return { kind: 'running' }
      running.add(name)
      try {
        return await run(request, actor, work, name)
      } catch (fault) {
        if (fault instanceof Undone) return (fault as Undone<Reason>).outcome
        throw fault
      } finally {
        running.delete(name)
      }
    },
    async sweep(most) {
      const { numAffectedRows = 0n } = await database.write((db) =>
        sql`
          delete from idempotency_keys where (principal, key) in (
            select principal, key from idempotency_keys where created_at <= ${cutoff()}
            order by created_at limit ${sql.lit(most)}
          )
        `.execute(db),
      )
      return Number(numAffectedRows)
    },
  }
}

/** What is known of the key; undefined if it is free. */
async function find(
  db: Kysely<Tables>,
  { principal, key, fingerprint }: KeyedRequest,
  cutoff: string,
): Promise<KeyedOutcome<never> | undefined> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'headers', 'body'])
    .where('principal', '=', principal)
    .where('key', '=', key)
    .where('created_at', '>', cutoff)
    .executeTakeFirst()
  if (row === undefined) return undefined
  if (row.fingerprint !== fingerprint) return { kind: 'other' }
  const { status, body } = row
  const headers = JSON.parse(row.headers) as readonly string[]
  return { kind: 'kept', response: { status, headers, body } }
}

/** Throws an `Undone` if the work fails, so that the transaction is undone. */
async function doWork<Reason>(
  database: Database,
  transaction: Transaction<Tables>,
  actor: Actor | undefined,
  work: Work<Reason>,
): Promise<{ readonly response: KeptResponse; readonly hasChanged: boolean }> {
  const bound = bindDatabase(database, transaction, actor)
  const stores = { people: peopleStore(bound), messages: messageStore(bound) }
  const worked = await endAfter(bound, work(stores))
  if (!worked.ok) throw new Undone({ kind: 'undone', reason: worked.reason })
  return { response: worked.value, hasChanged: bound.hasChanged }
}

/** Also after a failure: what is still running must not meet the next user of the connection. */
async function endAfter<Value>(bound: BoundDatabase, work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } finally {
    await bound.end()
  }
}

/** Takes the place of an expired row; the lock excludes any other. */
async function insert(
  transaction: Transaction<Tables>,
  request: KeyedRequest,
  { status, headers, body }: KeptResponse,
  { now, cutoff }: { readonly now: string; readonly cutoff: string },
): Promise<void> {
  const values = {
    fingerprint: request.fingerprint,
    status,
    headers: JSON.stringify(headers),
    body,
    created_at: now,
  }
  const { numInsertedOrUpdatedRows = 0n } = await transaction
    .insertInto('idempotency_keys')
    .values({ principal: request.principal, key: request.key, ...values })
    .onConflict((conflict) =>
      conflict
        .columns(['principal', 'key'])
        .doUpdateSet(values)
        .where('idempotency_keys.created_at', '<=', cutoff),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows !== 1n) throw new Undone({ kind: 'running' })
}
