import { failure, success, type Outcome } from 'graphwire'
import type { Transaction } from 'kysely'
import type { Database } from './database.js'
import { toNumber, toNumbers } from './id.js'
import { personColumns, toPerson } from './person-row.js'
import type { Person } from './store.js'
import type { Tables } from './tables.js'

/** At most `limit` friends of each, ranked before the persons are joined. */
export async function friendsOf(
  { ask, engine }: Database,
  ids: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, readonly Person[]>> {
  const numbers = toNumbers(ids)
  if (numbers.length === 0) return new Map()
  const rows = await ask((db) =>
    db
      .selectFrom((from) =>
        from
          .selectFrom('friendships')
          .select(['person_id', 'friend_id'])
          .select(({ fn }) =>
            fn
              .agg<number>('row_number')
              .over((over) => over.partitionBy('person_id').orderBy('friend_id'))
              .as('place'),
          )
          .where(engine.isAmong('friendships.person_id', numbers))
          .as('ranked'),
      )
      .innerJoin('persons', 'persons.id', 'ranked.friend_id')
      .select(['ranked.person_id', ...personColumns])
      .where('ranked.place', '<=', limit)
      .orderBy('ranked.person_id')
      .orderBy('ranked.friend_id')
      .execute(),
  )
  const friends = new Map<string, Person[]>(numbers.map((number) => [String(number), []]))
  for (const row of rows) friends.get(String(row.person_id))?.push(toPerson(row))
  return friends
}

/** Mutual; a friendship that begins twice or ends twice is as good as once. */
export async function changeFriendship(
  { transact, engine }: Database,
  change: 'begin' | 'end',
  id: string,
  friend: string,
): Promise<Outcome<Person, 'absent' | 'friend-absent'>> {
  const numbers = toNumbers([id, friend])
  return transact(async (transaction) => {
    const found = await transaction
      .selectFrom('persons')
      .select(personColumns)
      .where(engine.isAmong('persons.id', numbers))
      .orderBy('id')
      // Who is locked like this can be changed, but not removed, until the friendship is written.
      .$if(engine.locksRows, (query) => query.forKeyShare())
      .execute()
    const person = found.find((row) => row.id === toNumber(id))
    if (person === undefined) return failure('absent')
    if (!found.some((row) => row.id === toNumber(friend))) return failure('friend-absent')
    await write[change](transaction, numbers)
    return success(toPerson(person))
  })
}

/** Both rows in the same order from both sides, so that two who befriend each other never deadlock. */
const write = {
  async begin(transaction: Transaction<Tables>, [one, other]: readonly number[]): Promise<void> {
    await transaction
      .insertInto('friendships')
      .values([
        { person_id: one!, friend_id: other! },
        { person_id: other!, friend_id: one! },
      ])
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  },
  async end(transaction: Transaction<Tables>, pair: readonly number[]): Promise<void> {
    for (const [from, to] of [pair, pair.toReversed()]) {
      await transaction
        .deleteFrom('friendships')
        .where('person_id', '=', from!)
        .where('friend_id', '=', to!)
        .execute()
    }
  },
}
