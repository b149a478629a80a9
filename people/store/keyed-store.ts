import type { Outcome } from 'graphwire'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { Database } from './database.js'
import { isTransient, toUnavailable } from './failures.js'
import { keptFor, KeyQuota } from './key-quota.js'
import { messageStore, peopleStore } from './people-store.js'
import type { Actor, KeptResponse, KeyedOutcome, KeyedRequest } from './request-records.js'
import { StoreUnavailable, type KeyedStore, type RequestStores } from './store.js'
import type { Tables } from './tables.js'

/** The work of a keyed request. */
type Work<Reason> = (stores: RequestStores) => Promise<Outcome<KeptResponse, Reason>>

/** What the work has done, in a transaction that is still open. */
interface Done {
  readonly response: KeptResponse
  readonly hasChanged: boolean
}

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
export function keyedStore(database: Database, most: number): KeyedStore {
  const running = new Set<string>()
  const quota = new KeyQuota(database, most)
  const cutoff = (): string => new Date(database.now().getTime() - keptFor).toISOString()

  const run = async <Reason>(
    request: KeyedRequest,
    work: (transaction: Transaction<Tables>) => Promise<Done>,
    name: string,
  ): Promise<KeyedOutcome<Reason>> => {
    let hasChanged = false
    const outcome = await database.transactOnce(async (transaction) => {
      if (!(await database.backend.tryLock(transaction, name))) return { kind: 'running' } as const
      // Another instance may have committed meanwhile.
      const late = await find(transaction, request, cutoff())
      if (late !== undefined) return late
      const done = await work(transaction)
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
        const kept = await database.read((db) => find(db, request, cutoff()))
        if (kept !== undefined) return kept
        return await quota.during(request.principal, () =>
          run(request, (transaction) => doWork(database, transaction, actor, work), name),
        )
      } catch (fault) {
        if (fault instanceof Undone) return (fault as Undone<Reason>).outcome
        throw fault
      } finally {
        running.delete(name)
      }
    },
    async sweep(rows) {
      const { numAffectedRows = 0n } = await database.write((db) =>
        sql`
          delete from idempotency_keys where (principal, key) in (
            select principal, key from idempotency_keys where created_at <= ${cutoff()}
            order by created_at limit ${sql.lit(rows)}
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
): Promise<Done> {
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

/** A database whose statements all belong to one open transaction. */
interface BoundDatabase extends Database {
  /** Waits for running work and starts no more; throws if the transaction cannot be committed as a whole. */
  end(): Promise<void>
  /** Whether it has changed what others follow. */
  readonly hasChanged: boolean
}

/** How often work is repeated after a deadlock with another transaction. */
const attempts = 4

/**
 * Binds a database to a transaction. Its reads see its writes. A transaction inside it is a savepoint: its failure undoes it alone, unless
 * the database itself has failed. Work is done one after the other: the connection has one statement at a time.
 */
function bindDatabase(
  database: Database,
  transaction: Transaction<Tables>,
  actor: Actor | undefined,
): BoundDatabase {
  let last: Promise<unknown> = Promise.resolve()
  let hasEnded = false
  let hasChanged = false
  let broken: unknown

  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(async () => {
      // SQLite has ended the transaction on a full disk: each further statement would be committed by itself.
      if (broken !== undefined) throw broken
      if (hasEnded) throw new StoreUnavailable('The transaction has ended', { reason: 'busy' })
      try {
        return await work()
      } catch (failure) {
        const shown = toUnavailable(failure)
        if (shown instanceof StoreUnavailable) broken = shown
        throw shown
      }
    })
    last = done.catch(() => {})
    return done
  }
  const run = <Value>(work: (db: Kysely<Tables>) => Promise<Value>): Promise<Value> =>
    inTurn(() => work(transaction))
  return {
    ...database,
    actor,
    read: run,
    write: run,
    transact: (work) => inTurn(() => withSavepoint(transaction, () => work(transaction))),
    transactOnce: (work) => inTurn(() => withSavepoint(transaction, () => work(transaction))),
    changeListeners: new Set([() => void (hasChanged = true)]),
    get hasChanged() {
      return hasChanged
    },
    async end() {
      hasEnded = true
      await last
      if (broken !== undefined) throw broken
    },
  }
}

async function withSavepoint<Value>(
  transaction: Transaction<Tables>,
  work: () => Promise<Value>,
): Promise<Value> {
  for (let count = 1; ; count += 1) {
    await sql`savepoint inner_work`.execute(transaction)
    try {
      const value = await work()
      await sql`release savepoint inner_work`.execute(transaction)
      return value
    } catch (failure) {
      const isOver = toUnavailable(failure) !== failure && !isTransient(failure)
      if (isOver) throw failure
      await sql`rollback to savepoint inner_work`.execute(transaction)
      if (count === attempts || !isTransient(failure)) throw failure
    }
  }
}
