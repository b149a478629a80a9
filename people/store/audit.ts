import { sql, type Kysely, type Selectable } from 'kysely'
import type { Database } from './database.js'
import { toNumber } from './id.js'
import type { AuditEntry, AuditOperation, AuditStore } from './request-records.js'

import type { Tables } from './tables.js'

/** A write, as it is recorded. */
export interface Audited {
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
  transaction: Kysely<Tables>,
  { actor, now }: Pick<Database, 'actor' | 'now'>,
  writes: readonly Audited[],
): Promise<void> {
  if (actor === undefined) return
  const at = now().toISOString()
  const rows = writes.map(({ operation, personId, version }) => {
    const [before, after] = version === undefined ? [null, null] : versions[operation](version)
    return {
      at,
      principal: actor.principal,
      operation,
      person_id: personId,
      version_before: before,
      version_after: after,
      request_id: actor.requestId,
    }
  })
  await transaction.insertInto('audit').values(rows).execute()
}

/** Who has written what. */
export function auditStore({ read, write }: Database): AuditStore {
  return {
    async list({ personId, principal, since, until, limit }) {
      const person = personId === undefined ? undefined : toNumber(personId)
      if (personId !== undefined && person === undefined) return []
      const rows = await read((db) =>
        db
          .selectFrom('audit')
          .selectAll()
          .$if(person !== undefined, (query) => query.where('person_id', '=', person ?? 0))
          .$if(principal !== undefined, (query) => query.where('principal', '=', principal ?? ''))
          .$if(since !== undefined, (query) => query.where('at', '>=', isoOf(since)))
          .$if(until !== undefined, (query) => query.where('at', '<', isoOf(until)))
          .orderBy('id', 'desc')
          .limit(limit)
          .execute(),
      )
      return rows.toReversed().map(toEntry)
    },
    async prune(before, most) {
      const { numDeletedRows } = await write((db) =>
        db
          .deleteFrom('audit')
          .where('id', 'in', (build) =>
            build
              .selectFrom('audit')
              .select('id')
              .where('at', '<', before.toISOString())
              .orderBy('at')
              .limit(sql.lit(most)),
          )
          .executeTakeFirstOrThrow(),
      )
      return Number(numDeletedRows)
    },
  }
}

function isoOf(time: Date | undefined): string {
  return time?.toISOString() ?? ''
}

function toEntry(row: Selectable<Tables['audit']>): AuditEntry {
  return {
    id: row.id,
    at: row.at,
    principal: row.principal,
    operation: row.operation as AuditOperation,
    personId: String(row.person_id),
    versionBefore: row.version_before,
    versionAfter: row.version_after,
    requestId: row.request_id,
  }
}
