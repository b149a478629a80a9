import type { Outcome } from 'graphwire'
import { sql } from 'kysely'
import type { Run } from './backend.js'
import type { Database } from './database.js'
import { toUnavailable } from './failures.js'
import { messageStore } from './message-store.js'
import { peopleStore } from './people-store.js'
import type { Actor, KeptResponse, KeyedOutcome, KeyedRequest } from './request-records.js'
import { StoreUnavailable, type KeyedStore, type RequestStores } from './store.js'

/** For how long a response is kept, in milliseconds. */
export const keptFor = 86_400_000

/** Thrown to undo a transaction, with the outcome that its caller gets. */
class Undone<Reason> extends Error {
  readonly outcome: KeyedOutcome<Reason>

  constructor(outcome: KeyedOutcome<Reason>) {
    super('undone')
    this.outcome = outcome
  }
}

/**
 * Responses by key, at most `most` of each principal. A key has no row while its request runs: its transaction holds a
 * lock, which ends with the process that has it, so that nothing has to be cleaned up after a crash.
 */
export function keyedStore(database: Database, most: number): KeyedStore {
  const { now, backend, changeListeners } = database
  /** In SQLite, a transaction of this process would wait for the other instead of finding its lock. */
  const running = new Set<string>()
  const cutoff = (): string => new Date(now().getTime() - keptFor).toISOString()

  const doOnce = async <Reason>(
    request: KeyedRequest,
    actor: Actor | undefined,
    work: (stores: RequestStores) => Promise<Outcome<KeptResponse, Reason>>,
    name: string,
  ): Promise<KeyedOutcome<Reason>> => {
    let hasChanged = false
    const outcome = await database.transact(async (run): Promise<KeyedOutcome<Reason>> => {
      if (!(await backend.tryLock(run, name))) return { kind: 'running' }
      const kept = await find(run, request, cutoff())
      if (kept !== undefined) return kept
      const retryAfter = await waitOf(run, request.principal, most, now())
      if (retryAfter !== undefined) return { kind: 'full', retryAfter }
      const bound = bindDatabase({ ...database, actor }, run)
      const stores = { people: peopleStore(bound), messages: messageStore(bound) }
      const worked = await endAfter(bound, work(stores))
      if (bound.failure !== undefined) throw bound.failure
      if (!worked.ok) throw new Undone({ kind: 'undone', reason: worked.reason })
      await insert(run, request, worked.value, now())
      hasChanged = bound.hasChanged
      return { kind: 'done', response: worked.value }
    }, 1)
    if (hasChanged) for (const listener of changeListeners) listener()
    return outcome
  }
  return {
    async once<Reason>(
      request: KeyedRequest,
      actor: Actor | undefined,
      work: (stores: RequestStores) => Promise<Outcome<KeptResponse, Reason>>,
    ) {
      const name = JSON.stringify([request.principal, request.key])
      if (running.has(name)) return { kind: 'running' }
      running.add(name)
      try {
        return await doOnce(request, actor, work, name)
      } catch (fault) {
        if (fault instanceof Undone) return (fault as Undone<Reason>).outcome
        throw fault
      } finally {
        running.delete(name)
      }
    },
    async sweep(rows) {
      const deleted = await database.write(sql`
        delete from idempotency_keys where (principal, key) in (
          select principal, key from idempotency_keys where created_at <= ${cutoff()}
          order by created_at limit ${rows}
        ) returning key
      `)
      return deleted.length
    },
  }
}

interface KeptRow extends Omit<KeptResponse, 'headers'> {
  readonly fingerprint: string
  readonly headers: string
}

/** What is known of the key; undefined if it is free. */
async function find(
  run: Run,
  { principal, key, fingerprint }: KeyedRequest,
  cutoff: string,
): Promise<KeyedOutcome<never> | undefined> {
  const [row] = await run(sql<KeptRow>`
    select fingerprint, status, headers, body from idempotency_keys
    where principal = ${principal} and key = ${key} and created_at > ${cutoff}
  `)
  if (row === undefined) return undefined
  if (row.fingerprint !== fingerprint) return { kind: 'other' }
  const { status, body } = row
  return { kind: 'kept', response: { status, headers: JSON.parse(row.headers) as string[], body } }
}

/** Also after a failure: what is still running must not meet the next user of the connection. */
async function endAfter<Value>(bound: BoundDatabase, work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } finally {
    await bound.end()
  }
}

/** In how many seconds there is room for another key; undefined if there is now. */
async function waitOf(
  run: Run,
  principal: string,
  most: number,
  now: Date,
): Promise<number | undefined> {
  const cutoff = new Date(now.getTime() - keptFor).toISOString()
  const [count] = await run(sql<{ readonly rows: number; readonly oldest: string | null }>`
    select count(*) as rows, min(created_at) as oldest from idempotency_keys
    where principal = ${principal} and created_at > ${cutoff}
  `)
  if (count === undefined || count.rows < most) return undefined
  const end = (count.oldest === null ? now.getTime() : Date.parse(count.oldest)) + keptFor
  return Math.max(1, Math.ceil((end - now.getTime()) / 1_000))
}

/** Takes the place of an expired row; the lock excludes any other. */
async function insert(
  run: Run,
  { principal, key, fingerprint }: KeyedRequest,
  { status, headers, body }: KeptResponse,
  now: Date,
): Promise<void> {
  await run(sql`delete from idempotency_keys where principal = ${principal} and key = ${key}`)
  await run(sql`
    insert into idempotency_keys (principal, key, fingerprint, status, headers, body, created_at)
    values (${principal}, ${key}, ${fingerprint}, ${status}, ${JSON.stringify(headers)}, ${body}, ${now.toISOString()})
  `)
}

/** A database whose statements all belong to one open transaction. */
interface BoundDatabase extends Database {
  /** Waits for running work and starts no more. */
  end(): Promise<void>
  /** Why the transaction cannot be committed as a whole. */
  readonly failure: unknown
  /** Whether it has changed what others follow. */
  readonly hasChanged: boolean
}

/**
 * Binds a database to a transaction. Its reads see its writes. Work is done one after the other, since the connection has
 * one statement at a time, and none after a failure: all or nothing.
 */
function bindDatabase(database: Database, run: Run): BoundDatabase {
  let last: Promise<unknown> = Promise.resolve()
  let hasEnded = false
  let hasChanged = false
  let failure: unknown
  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(async () => {
      if (hasEnded) throw new StoreUnavailable('The transaction has ended', { reason: 'busy' })
      if (failure !== undefined) throw failure
      try {
        return await work()
      } catch (fault) {
        failure = toUnavailable(fault)
        throw failure
      }
    })
    last = done.catch(() => {})
    return done
  }
  const runInTurn: Run = (statement) => inTurn(() => run(statement))
  return {
    ...database,
    read: runInTurn,
    write: runInTurn,
    transact: (work) => inTurn(() => work(run)),
    changeListeners: new Set([() => void (hasChanged = true)]),
    get failure() {
      return failure
    },
    get hasChanged() {
      return hasChanged
    },
    async end() {
      hasEnded = true
      await last
    },
  }
}
