import { resolve } from 'node:path'
import { sql } from 'kysely'
import type { Backend } from './backend.js'
import { sqliteDialect } from './sqlite-driver.js'
import { makeFile } from './sqlite-file.js'

/** The embedded database: a file, or memory. */
export function sqliteBackend(database: string): Backend {
  // libsql treats some relative names as addresses of servers.
  const path = database === ':memory:' ? database : resolve(database)
  const isInPlace = path === ':memory:' ? () => true : makeFile(path)
  return {
    name: 'sqlite',
    dialect: sqliteDialect(path, 'writing', isInPlace),
    // A database in memory has one connection, and no other process uses it.
    readingDialect: path === ':memory:' ? undefined : sqliteDialect(path, 'reading', isInPlace),
    writers: undefined,
    place: path,
    locksRows: false,
    nextPosition: sql`(select position + 1 from change_clock)`,
    isAmong: (column, ids) =>
      sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`,
    // Without LATERAL, the last friend of each is found first. A cross join keeps its order.
    firstFriends: (ids, limit) => sql`(
      select friendships.person_id, friendships.friend_id
      from json_each(${JSON.stringify(ids)}) as asked
      cross join friendships on friendships.person_id = asked.value
        and friendships.friend_id <= ifnull(
          (
            select friend_id from friendships as earlier
            where earlier.person_id = asked.value order by friend_id limit 1 offset ${limit - 1}
          ),
          ${Number.MAX_SAFE_INTEGER}
        )
    )`,
    async alone(one, work) {
      await sql`begin immediate`.execute(one)
      try {
        const value = await work()
        await sql`commit`.execute(one)
        return value
      } catch (failure) {
        // A full disk has ended the transaction already.
        await sql`rollback`.execute(one).catch(() => {})
        throw failure
      }
    },
    tryLock: async () => true,
    async lockUnused(transaction) {
      const used = await sql`select 1 from sqlite_sequence where name = 'persons'`.execute(
        transaction,
      )
      return used.rows.length === 0
    },
    // AUTOINCREMENT does so automatically.
    continueAfter: async () => {},
  }
}
