import { sql } from 'kysely'
import type { Run } from './backend.js'
import type { Database } from './database.js'
import { toNumber } from './store.js'

export interface Actor {
  /** Such as `key:demo`, `login:ann@example.org` or `anonymous`. */
  readonly principal: string
  readonly requestId: string
}

/** The writes, with the event for clients, if there is one, and the versions of the person before and after; messages have none. */
export const operations = {
  create: { event: 'ADDED', versions: (version: number) => [null, version] },
  update: { event: 'CHANGED', versions: (version: number) => [version - 1, version] },
  replace: { event: 'CHANGED', versions: (version: number) => [version - 1, version] },
  remove: { event: 'REMOVED', versions: (version: number) => [version, null] },
  befriend: { versions: (version: number) => [version, version] },
  unfriend: { versions: (version: number) => [version, version] },
  send: { event: 'MESSAGE', versions: () => [null, null] },
} as const

type AuditOperation = keyof typeof operations

/** One write to one person, committed together with it. */
export interface AuditEntry {
  /** Greater for a later entry. */
  readonly id: number
  /** RFC 3339, UTC. */
  readonly at: string
  readonly principal: string
  readonly operation: AuditOperation
  readonly personId: string
  readonly versionBefore: number | null
  readonly versionAfter: number | null
  readonly requestId: string
}

/** Selects entries; absent members do not restrict them. */
export interface AuditFilter {
  readonly personId?: string | undefined
  readonly principal?: string | undefined
  /** At this time or later. */
  readonly since?: Date | undefined
  /** Before this time. */
  readonly until?: Date | undefined
  readonly limit: number
}

/**
 * Adds an entry to the transaction of its write; none for what the service does by itself. `version` is that of the person
 * after the write, or the last one.
 */
export async function addAudit(
  run: Run,
  { actor, now }: Pick<Database, 'actor' | 'now'>,
  operation: AuditOperation,
  personId: number,
  version = 0,
): Promise<void> {
  if (actor === undefined) return
  const [before, after] = operations[operation].versions(version)
  await run(sql`
    insert into audit (at, principal, operation, person_id, version_before, version_after, request_id)
    values (${now().toISOString()}, ${actor.principal}, ${operation}, ${personId}, ${before}, ${after}, ${actor.requestId})
  `)
}

export function auditStore({ read, write }: Database) {
  return {
    /** The latest entries, in order. */
    async list({ personId, principal, since, until, limit }: AuditFilter) {
      const filters = [
        ...(personId === undefined ? [] : [sql`person_id = ${toNumber(personId)}`]),
        ...(principal === undefined ? [] : [sql`principal = ${principal}`]),
        ...(since === undefined ? [] : [sql`at >= ${since.toISOString()}`]),
        ...(until === undefined ? [] : [sql`at < ${until.toISOString()}`]),
      ]
      const rows = await read(sql<AuditEntry>`
        select id, at, principal, operation, cast(person_id as text) as "personId",
          version_before as "versionBefore", version_after as "versionAfter", request_id as "requestId"
        from audit where ${sql.join([sql`true`, ...filters], sql` and `)} order by id desc limit ${limit}
      `)
      return rows.toReversed()
    },
    /** Deletes entries from before a time, at most `most` of them; returns how many. */
    async prune(before: Date, most: number): Promise<number> {
      const deleted = await write(sql`
        delete from audit where id in (
          select id from audit where at < ${before.toISOString()} order by at limit ${most}
        ) returning id
      `)
      return deleted.length
    },
  }
}
