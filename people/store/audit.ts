import { sql } from 'kysely'
import type { Run } from './backend.js'
import type { Database } from './database.js'
import { toNumber } from './id.js'
import type { AuditEntry, AuditOperation, AuditStore } from './request-records.js'

/** A write, as it is recorded. */
interface Audited {
  readonly operation: AuditOperation
  readonly personId: number
  /** That of the person after the write, or the last one; undefined for messages. */
  readonly version: number | undefined
}

/** The versions before and after each operation. */
const versions: {
  readonly [operation in AuditOperation]: (
    version: number,
  ) => readonly [before: number | null, after: number | null]
} = {
  create: (version) => [null, version],
  update: (version) => [version - 1, version],
  replace: (version) => [version - 1, version],
  remove: (version) => [version, null],
  befriend: (version) => [version, version],
  unfriend: (version) => [version, version],
  send: () => [null, null],
}

/** Adds entries to the transaction of their writes; none for what the service does by itself. */
export async function addAudit(
  run: Run,
  { actor, now }: Pick<Database, 'actor' | 'now'>,
  writes: readonly Audited[],
): Promise<void> {
  if (actor === undefined) return
  for (const { operation, personId, version = 0 } of writes) {
    const [before, after] = versions[operation](version)
    await run(sql`
      insert into audit (at, principal, operation, person_id, version_before, version_after, request_id)
      values (${now().toISOString()}, ${actor.principal}, ${operation}, ${personId}, ${before}, ${after}, ${actor.requestId})
    `)
  }
}

/** Who has written what. */
export function auditStore({ read, write }: Database): AuditStore {
  return {
    async list({ personId, principal, since, until, limit }) {
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
    async prune(before, most) {
      const deleted = await write(sql`
        delete from audit where id in (
          select id from audit where at < ${before.toISOString()} order by at limit ${most}
        ) returning id
      `)
      return deleted.length
    },
  }
}
