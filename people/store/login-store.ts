import { failure, success } from 'graphwire'
import type { Selectable } from 'kysely'
import type { Database } from './database.js'
import { formatScopes, toScopes } from './scopes.js'
import type { LoginRecord, LoginStore } from './store.js'
import type { Tables } from './tables.js'

/** Who may log in. */
export function loginStore({ ask, now }: Database): LoginStore {
  return {
    async create({ login, passwordHash, scopes }) {
      const row = await ask((db) =>
        db
          .insertInto('logins')
          .values({
            login,
            password_hash: passwordHash,
            scopes: formatScopes(scopes),
            created_at: now().toISOString(),
          })
          .onConflict((conflict) => conflict.doNothing())
          .returningAll()
          .executeTakeFirst(),
      )
      return row === undefined ? failure('taken') : success(toLogin(row))
    },
    async find(login) {
      const row = await ask((db) =>
        db.selectFrom('logins').selectAll().where('login', '=', login).executeTakeFirst(),
      )
      return row && toLogin(row)
    },
    async list() {
      const rows = await ask((db) => db.selectFrom('logins').selectAll().orderBy('login').execute())
      return rows.map(toLogin)
    },
    async remove(login) {
      const { numDeletedRows } = await ask((db) =>
        db.deleteFrom('logins').where('login', '=', login).executeTakeFirstOrThrow(),
      )
      return numDeletedRows > 0n
    },
  }
}

function toLogin(row: Selectable<Tables['logins']>): LoginRecord {
  return {
    login: row.login,
    passwordHash: row.password_hash,
    scopes: toScopes(row.scopes),
    createdAt: row.created_at,
  }
}
