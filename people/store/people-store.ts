import { failure, success } from 'graphwire'
import { sql, type RawBuilder } from 'kysely'
import { addAudit } from './audit.js'
import { forgetPerson, transactChange } from './changes.js'
import type { Database } from './database.js'
import { toNumber, toNumbers } from './store.js'
import type { Address, Person, PersonInput, PersonPatch, Written } from './store.js'

interface PersonRow extends Omit<Person, 'id' | 'address'>, Address {
  readonly id: number
}

/** The columns that clients write. */
const writable = ['name', 'age', 'email', 'street', 'city', 'country'] as const

type Values = {
  readonly [column in (typeof writable)[number]]?: string | number | null | undefined
}

const columns = sql`id, name, age, email, version, street, city, country`
const noAddress: Address = { street: null, city: null, country: null }

/** An address without any member is none. */
function toPerson({ id, name, age, email, version, street, city, country }: PersonRow): Person {
  const isNone = street === null && city === null && country === null
  const address = isNone ? null : { street, city, country }
  return { id: String(id), name, age, email, version, address }
}

/** People, their addresses and friendships. No person has a malformed id. */
export function peopleStore(database: Database) {
  return { ...readPeople(database), ...writePeople(database), ...friendships(database) }
}

export type PeopleStore = ReturnType<typeof peopleStore>

function readPeople({ read, backend }: Database) {
  return {
    /** In order of creation. One statement: it starts at the person of `after`, and so sees whether there is one. */
    async page(limit: number, after?: string) {
      const first = after === undefined ? 0 : toNumber(after)
      const skipped = after === undefined ? 0 : 1
      const rows = await read(sql<PersonRow>`
        select ${columns} from persons where id >= ${first} order by id limit ${limit + skipped + 1}
      `)
      if (skipped === 1 && rows[0]?.id !== first) return failure('unknown-after')
      const people = rows.slice(skipped, limit + skipped).map(toPerson)
      return success({ people, hasMore: rows.length > limit + skipped })
    },
    /** In one statement for all; absent ids are absent from the map. */
    async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, Person>> {
      const numbers = toNumbers(ids)
      if (numbers.length === 0) return new Map()
      const rows = await read(sql<PersonRow>`
        select ${columns} from persons where id ${backend.among(numbers)}
      `)
      return new Map(rows.map((row) => [String(row.id), toPerson(row)]))
    },
    /** At most `limit` friends of each, in order of their creation; one statement for all. */
    async friendsOf(ids: readonly string[], limit: number): Promise<ReadonlyMap<string, Person[]>> {
      const numbers = toNumbers(ids)
      const friends = new Map<string, Person[]>(numbers.map((number) => [String(number), []]))
      if (numbers.length === 0 || limit < 1) return friends
      const rows = await read(sql<PersonRow & { readonly person_id: number }>`
        select first.person_id, ${columns} from (${backend.firstFriends(numbers, limit)}) as first
        join persons on id = first.friend_id order by first.person_id, first.friend_id
      `)
      for (const row of rows) friends.get(String(row.person_id))?.push(toPerson(row))
      return friends
    },
  }
}

function writePeople(database: Database) {
  /** Writes one person. The statement that compares the version also raises it. */
  const write = (
    operation: 'update' | 'replace' | 'remove',
    id: string,
    statement: RawBuilder<unknown>,
    ifVersion: number | null | undefined,
  ): Promise<Written> =>
    transactChange(database, async (run, record) => {
      const number = toNumber(id)
      // A number that cannot be a version matches no person.
      const version = Number.isSafeInteger(ifVersion) ? ifVersion : 0
      const isIt = ifVersion == null ? sql`` : sql`and version = cast(${version} as bigint)`
      const [row] = await run(sql<PersonRow>`
        ${statement} where id = ${number} ${isIt} returning ${columns}
      `)
      if (row === undefined) {
        const found = await run(sql`select 1 from persons where id = ${number}`)
        return failure(found.length === 0 ? 'absent' : 'conflict')
      }
      if (operation === 'remove') {
        // The person goes first: writers of new friendships then wait for the end of this transaction, and
        // the friendships deleted last are all there are.
        await run(sql`delete from friendships where person_id = ${number} or friend_id = ${number}`)
        await forgetPerson(run, number)
      }
      return success(await record(operation, toPerson(row)))
    })
  return {
    create: (input: PersonInput): Promise<Person> =>
      transactChange(database, async (run, record) => {
        const values = whole(input)
        const [row] = await run(sql<PersonRow>`
          insert into persons (${sql.join(writable.map((column) => sql.ref(column)))})
          values (${sql.join(writable.map((column) => values[column] ?? null))}) returning ${columns}
        `)
        if (row === undefined) throw new Error('No person was created.')
        return record('create', toPerson(row))
      }),
    /** Merges the address, member by member; null clears it. */
    update: (id: string, { address, ...others }: PersonPatch, ifVersion?: number | null) =>
      write(
        'update',
        id,
        set({ ...others, ...(address === null ? noAddress : address) }),
        ifVersion,
      ),
    /** Clears members that the input does not have. */
    replace: (id: string, input: PersonInput, ifVersion?: number | null) =>
      write('replace', id, set(whole(input)), ifVersion),
    /** Messages to the person can no longer be read. */
    remove: (id: string, ifVersion?: number | null) =>
      write('remove', id, sql`delete from persons`, ifVersion),
  }
}

/** Keeps the columns without a value. */
function set(values: Values): RawBuilder<unknown> {
  const changes = writable.flatMap((column) =>
    values[column] === undefined ? [] : [sql`${sql.ref(column)} = ${values[column]}`],
  )
  return sql`update persons set ${sql.join([...changes, sql`version = version + 1`])}`
}

function whole({ name, age = null, email = null, address }: PersonInput): Values {
  return { name, age, email, ...noAddress, ...address }
}

/** Mutual, and without effect on the versions of persons. Beginning or ending one twice has no further effect. */
function friendships(database: Database) {
  const { transact, backend } = database
  const change = (operation: 'befriend' | 'unfriend') => (id: string, friend: string) =>
    transact(async (run) => {
      const ids = toNumbers([id, friend])
      const found = await run(sql<PersonRow>`
        select ${columns} from persons p
        where id ${backend.among(ids)} order by id ${backend.keepPersons}
      `)
      const person = found.find((row) => row.id === toNumber(id))
      if (person === undefined) return failure('absent')
      const [low, high] = found.map((row) => row.id)
      if (low === undefined || high === undefined) return failure('friend-absent')
      // The rows in the same order from both sides, so that two who befriend each other never deadlock.
      const rows = await run(
        operation === 'befriend'
          ? sql`
              insert into friendships (person_id, friend_id) values (${low}, ${high}), (${high}, ${low})
              on conflict do nothing returning person_id
            `
          : sql`
              delete from friendships where (person_id = ${low} and friend_id = ${high})
                or (person_id = ${high} and friend_id = ${low}) returning person_id
            `,
      )
      if (rows.length > 0) {
        for (const row of found) await addAudit(run, database, operation, row.id, row.version)
      }
      return success(toPerson(person))
    })
  return { befriend: change('befriend'), unfriend: change('unfriend') }
}
