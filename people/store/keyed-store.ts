import { failure, success, type Outcome } from 'graphwire'
import { sql } from 'kysely'
import type { Actor } from './audit.js'
import type { Run } from './backend.js'
import { transactChange } from './changes.js'
import type { Database } from './database.js'
import { toUnavailable } from './failures.js'
import { peopleStore } from './people-store.js'
import { StoreUnavailable, toNumber, type Message } from './store.js'

export type RequestStores = ReturnType<typeof storesOf>

export function storesOf(database: Database) {
  return { people: peopleStore(database), messages: messageStore(database) }
}

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  readonly principal: string
  readonly key: string
  /** A digest of the request; equal for a repetition. */
  readonly fingerprint: string
}

export interface KeptResponse {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
}

/**
 * How a keyed request ended: its work was done and committed now or before, or nothing was written: another request with the
 * key is running, the key belongs to another request, the principal has too many keys, or the work itself gave a reason.
 */
export type KeyedOutcome<Reason> =
  | { readonly kind: 'done' | 'kept'; readonly response: KeptResponse }
  | { readonly kind: 'running' | 'other' }
  /** The seconds until there is room for another key. */
  | { readonly kind: 'full'; readonly retryAfter: number }
  | { readonly kind: 'undone'; readonly reason: Reason }

/** For how long a response is kept, in milliseconds. */
export const keptFor = 86_400_000

/**
 * Responses by key, at most `most` of each principal. A key has no row while its request runs: its transaction holds a
 * lock, which ends with the process that has it, so that nothing has to be cleaned up after a crash.
 */
export function keyedStore(database: Database, most: number) {
  const { now, backend } = database
  /** In SQLite, a transaction of this process would wait for the other instead of finding its lock. */
  const running = new Set<string>()
  const cutoff = (): string => new Date(now().getTime() - keptFor).toISOString()
  return {
    /**
     * Does the work of a key once: what it writes through the stores it gets, and its response, are committed together or
     * not at all. A failure undoes everything. Throws a StoreUnavailable if it is not known to be committed.
     */
    async once<Reason>(
      request: KeyedRequest,
      actor: Actor | undefined,
      work: (stores: RequestStores) => Promise<Outcome<KeptResponse, Reason>>,
    ): Promise<KeyedOutcome<Reason>> {
      const name = JSON.stringify([request.principal, request.key])
      if (running.has(name)) return { kind: 'running' }
      running.add(name)
      let undone: KeyedOutcome<Reason> | undefined
      try {
        return await database.transact(async (run, changed): Promise<KeyedOutcome<Reason>> => {
          if (!(await backend.tryLock(run, name))) return { kind: 'running' }
          const known = await find(run, request, { most, now: now(), cutoff: cutoff() })
          if (known !== undefined) return known
          const done = await oneByOne((inTurn) => {
            const write: Run = (statement) => inTurn(() => run(statement))
            const transact: Database['transact'] = (step) => inTurn(() => step(run, changed))
            return work(storesOf({ ...database, actor, read: write, write, transact }))
          })
          if (!done.ok) {
            undone = { kind: 'undone', reason: done.reason }
            throw new Error('The transaction is undone.')
          }
          await insert(run, request, done.value, now())
          return { kind: 'done', response: done.value }
        }, 1)
      } catch (fault) {
        if (undone !== undefined) return undone
        throw fault
      } finally {
        running.delete(name)
      }
    },
    /** Deletes expired keys, at most `rows` of them; returns how many. */
    async sweep(rows: number): Promise<number> {
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

type KeptRow = Omit<KeptResponse, 'headers'> & { fingerprint: string; headers: string }

/** What is known of the key; undefined if it is free, and there is room for it. */
async function find(
  run: Run,
  { principal, key, fingerprint }: KeyedRequest,
  { most, now, cutoff }: { readonly most: number; readonly now: Date; readonly cutoff: string },
): Promise<KeyedOutcome<never> | undefined> {
  const [row] = await run(sql<KeptRow>`
    select fingerprint, status, headers, body from idempotency_keys
    where principal = ${principal} and key = ${key} and created_at > ${cutoff}
  `)
  if (row !== undefined) {
    const { status, headers, body } = row
    return row.fingerprint === fingerprint
      ? { kind: 'kept', response: { status, headers: JSON.parse(headers) as string[], body } }
      : { kind: 'other' }
  }
  const [count] = await run(sql<{ readonly rows: number; readonly oldest: string | null }>`
    select count(*) as rows, min(created_at) as oldest from idempotency_keys
    where principal = ${principal} and created_at > ${cutoff}
  `)
  if (count === undefined || count.rows < most) return undefined
  const age = count.oldest === null ? 0 : now.getTime() - Date.parse(count.oldest)
  return { kind: 'full', retryAfter: Math.max(1, Math.ceil((keptFor - age) / 1_000)) }
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

/**
 * Does work whose steps all belong to one open transaction. They run one after the other, since the connection has one
 * statement at a time, and none after a failure: all or nothing. Ends when all have ended: none may still run when the
 * connection gets its next user.
 */
async function oneByOne<Value>(
  work: (inTurn: <Result>(step: () => Promise<Result>) => Promise<Result>) => Promise<Value>,
): Promise<Value> {
  let last: Promise<unknown> = Promise.resolve()
  let fault: unknown
  try {
    const value = await work(async (step) => {
      const done = last.then(() => (fault === undefined ? step() : Promise.reject(fault)))
      last = done.catch((reason: unknown) => (fault ??= toUnavailable(reason)))
      return done.catch(() => Promise.reject(fault))
    })
    if (fault !== undefined) throw fault
    return value
  } finally {
    fault ??= new StoreUnavailable('The transaction has ended', { reason: 'busy' })
    await last
  }
}

/** Messages to people, readable as long as the recipient exists. */
function messageStore(database: Database) {
  const { read, now, backend } = database
  return {
    send(to: string, text: string) {
      const sentAt = now().toISOString()
      return transactChange(database, async (run, record) => {
        // One statement finds the person and writes, so that a removal of the person clears this message, too.
        const [row] = await run(sql<{ readonly id: number }>`
          insert into messages (to_id, text, sent_at)
          select p.id, ${text}, ${sentAt} from persons p where p.id = ${toNumber(to)} ${backend.keepPersons}
          returning id
        `)
        if (row === undefined) return failure('absent')
        return success(await record('send', { id: String(row.id), to, text, sentAt }))
      })
    },
    async byId(id: string): Promise<Message | undefined> {
      const [row] = await read(sql<Message>`
        select cast(m.id as text) as id, cast(m.to_id as text) as "to", m.text, m.sent_at as "sentAt"
        from messages m join persons p on p.id = m.to_id where m.id = ${toNumber(id)}
      `)
      return row
    },
  }
}
