import type { Database } from './database.js'
import { seededFriendships, seededPeople } from './seeded-people.js'

/** Writes the first 100 persons where nobody ever was; of several processes one does. */
export async function seed({ ask, transact, engine }: Database): Promise<boolean> {
  const anybody = await ask((db) => db.selectFrom('persons').select('id').limit(1).execute())
  if (anybody.length > 0) return false
  return transact(async (transaction) => {
    if (!(await engine.lockUnused(transaction))) return false
    const people = seededPeople()
    await transaction
      .insertInto('persons')
      .values(people.map(({ id, name, age, email }) => ({ id, name, age, email })))
      .execute()
    await transaction
      .insertInto('addresses')
      .values(people.map(({ id, address }) => ({ person_id: id, ...address })))
      .execute()
    await transaction.insertInto('friendships').values(seededFriendships(people.length)).execute()
    await engine.continueAfter(transaction, people.length)
    return true
  })
}
