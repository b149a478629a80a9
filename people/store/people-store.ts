import { failure, success, type Outcome } from 'graphwire'
import type { Transaction } from 'kysely'
import { addAudit } from './audit.js'
import { transactChange } from './changes.js'
import type { Database } from './database.js'
import { toNumber, toNumbers } from './id.js'
import { addressColumns, personColumns, toAddress, toPerson } from './person-row.js'
import type { MessageStore, PeopleStore, Person } from './store.js'
import type { Tables } from './tables.js'
import { writePeople } from './write-person.js'

/** Persons, their addresses and friendships. */
export function peopleStore(database: Database): PeopleStore {
  return {
    ...readPeople(database),
    ...writePeople(database),
    friendsOf: (ids, limit) => friendsOf(database, ids, limit),
    befriend: (id, friend) => changeFriendship(database, 'befriend', id, friend),
    unfriend: (id, friend) => changeFriendship(database, 'unfriend', id, friend),
  }
}

type Reads = Pick<PeopleStore, 'page' | 'byIds' | 'addressesOf'>

function readPeople({ read, backend }: Database): Reads {
  return {
    /** One statement: it starts at the person of `after`, and so sees whether there is one. */
    async page(limit, after) {
      const first = after === undefined ? 0 : toNumber(after)
      if (first === undefined) return failure('unknown-after')
      const skipped = after === undefined ? 0 : 1
      const rows = await read((db) =>
        db
          .selectFrom('persons')
          .select(personColumns)
          .where('id', '>=', first)
          .orderBy('id')
          .limit(limit + skipped + 1)
          .execute(),
      )
      if (skipped === 1 && rows[0]?.id !== first) return failure('unknown-after')
      const people = rows.slice(skipped, limit + skipped).map(toPerson)
      return success({ people, hasMore: rows.length > limit + skipped })
    },
    async byIds(ids) {
      const numbers = toNumbers(ids)
      if (numbers.length === 0) return new Map()
      const rows = await read((db) =>
        db
          .selectFrom('persons')
          .leftJoin('addresses', 'addresses.person_id', 'persons.id')
          .select([...personColumns, ...addressColumns])
          .where(backend.isAmong('persons.id', numbers))
          .execute(),
      )
      return new Map(
        rows.map((row) => [String(row.id), { ...toPerson(row), address: toAddress(row) }]),
      )
    },
    async addressesOf(ids) {
      const numbers = toNumbers(ids)
      if (numbers.length === 0) return new Map()
      const rows = await read((db) =>
        db
          .selectFrom('addresses')
          .select(['person_id', ...addressColumns])
          .where(backend.isAmong('addresses.person_id', numbers))
          .execute(),
      )
      return new Map(rows.map(({ person_id, ...address }) => [String(person_id), address]))
    },
  }
}

/** At most `limit` friends of each. */
async function friendsOf(
  { read, backend }: Database,
  ids: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, readonly Person[]>> {
  const numbers = toNumbers(ids)
  const friends = new Map<string, Person[]>(numbers.map((number) => [String(number), []]))
  if (numbers.length === 0 || limit < 1) return friends
  const rows = await read((db) =>
    db
      .selectFrom(backend.firstFriends(numbers, limit).as('first'))
      .innerJoin('persons', 'persons.id', 'first.friend_id')
      .select(['first.person_id', ...personColumns])
      .orderBy('first.person_id')
      .orderBy('first.friend_id')
      .execute(),
  )
  for (const row of rows) friends.get(String(row.person_id))?.push(toPerson(row))
  return friends
}

/** Mutual; beginning or ending a friendship twice has no further effect. */
async function changeFriendship(
  database: Database,
  change: 'befriend' | 'unfriend',
  id: string,
  friend: string,
): Promise<Outcome<Person, 'absent' | 'friend-absent'>> {
  const { transact, backend } = database
  const numbers = toNumbers([id, friend])
  return transact(async (transaction) => {
    const found = await transaction
      .selectFrom('persons')
      .select(personColumns)
      .where(backend.isAmong('persons.id', numbers))
      .orderBy('id')
      // A person locked like this can be changed, but not removed, until the friendship is written.
      .$if(backend.locksRows, (query) => query.forKeyShare())
      .execute()
    const person = found.find((row) => row.id === toNumber(id))
    if (person === undefined) return failure('absent')
    if (!found.some((row) => row.id === toNumber(friend))) return failure('friend-absent')
    if (await write[change](transaction, numbers)) {
      const writes = found.map((row) => ({
        operation: change,
        personId: row.id,
        version: row.version,
      }))
      await addAudit(transaction, database, writes)
    }
    return success(toPerson(person))
  })
}

/**
 * Both rows in the same order from both sides, so that two who befriend each other never deadlock. True if there is a change.
 */
const write = {
  async befriend(
    transaction: Transaction<Tables>,
    [one = 0, other = 0]: readonly number[],
  ): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await transaction
      .insertInto('friendships')
      .values([
        { person_id: one, friend_id: other },
        { person_id: other, friend_id: one },
      ])
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    return numInsertedOrUpdatedRows > 0n
  },
  async unfriend(transaction: Transaction<Tables>, pair: readonly number[]): Promise<boolean> {
    let count = 0n
    for (const [from = 0, to = 0] of [pair, pair.toReversed()]) {
      const { numDeletedRows } = await transaction
        .deleteFrom('friendships')
        .where('person_id', '=', from)
        .where('friend_id', '=', to)
        .executeTakeFirstOrThrow()
      count += numDeletedRows
    }
    return count > 0n
  },
}

/** Messages to people, readable as long as the recipient exists. */
export function messageStore(database: Database): MessageStore {
  return {
    async send(to, text) {
      const number = toNumber(to)
      if (number === undefined) return failure('absent')
      const sentAt = database.now().toISOString()
      return transactChange(database, async (transaction, record) => {
        // One statement looks for the person and writes.
        const row = await transaction
          .insertInto('messages')
          .columns(['to_id', 'text', 'sent_at'])
          .expression((build) =>
            build
              .selectFrom('persons')
              .select(['persons.id', build.val(text).as('text'), build.val(sentAt).as('sent_at')])
              .where('persons.id', '=', number)
              // Who removes the person then clears this message, too.
              .$if(database.backend.locksRows, (query) => query.forKeyShare()),
          )
          .returning('id')
          .executeTakeFirst()
        if (row === undefined) return failure('absent')
        return success(await record('send', { id: String(row.id), to, text, sentAt }))
      })
    },
    async byId(id) {
      const number = toNumber(id)
      if (number === undefined) return undefined
      const row = await database.read((db) =>
        db
          .selectFrom('messages')
          .innerJoin('persons', 'persons.id', 'messages.to_id')
          .select(['messages.id', 'messages.to_id', 'messages.text', 'messages.sent_at'])
          .where('messages.id', '=', number)
          .executeTakeFirst(),
      )
      if (row === undefined) return undefined
      return { id: String(row.id), to: String(row.to_id), text: row.text, sentAt: row.sent_at }
    },
  }
}
