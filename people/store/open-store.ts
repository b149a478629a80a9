import { sql } from 'kysely'
import { auditStore, type Actor } from './audit.js'
import { changeStore } from './changes.js'
import { createBoth, keyStore, loginStore } from './credential-stores.js'
import { openDatabase, type Database } from './database.js'
import { explainFailure } from './failures.js'
import { keyedStore, storesOf } from './keyed-store.js'
import { migrate } from './migrate.js'
import type { Address, StoreOptions } from './store.js'

/** All stored data. Every method throws a StoreUnavailable while the database is unavailable. */
export type Store = Awaited<ReturnType<typeof openStore>>

/** Opens the database and migrates its tables. */
export async function openStore(options: StoreOptions) {
  const database = openDatabase(options)
  const { backend } = database
  try {
    await database.alone((one) => migrate(one, backend.name))
  } catch (failure) {
    await database.close()
    throw explainFailure(failure, backend)
  }
  return {
    ...storesOf(database),
    /** The stores whose writes are recorded in the audit, under this name. */
    as: (actor: Actor) => storesOf({ ...database, actor }),
    audit: auditStore(database),
    keyed: keyedStore(database, options.keptKeys ?? Infinity),
    changes: changeStore(database, options.keptChanges ?? 1_000),
    keys: keyStore(database),
    logins: loginStore(database),
    createBoth: createBoth.bind(undefined, database),
    /** Whether the database was unavailable at the last statement; a locked or full one can still be read. */
    get isAway() {
      return database.isAway
    },
    /** Whether the database responds within a second. */
    check: () => database.check(),
    /** Adds 100 people to a database that never had any; returns whether it did. */
    seed: () => seed(database),
    close: () => database.close(),
  }
}

/** Writes 100 people into a database that never had any; of several processes only one does. */
async function seed({ read, transact, backend }: Database): Promise<boolean> {
  const first = await read(sql`select id from persons limit 1`)
  if (first.length > 0) return false
  return transact(async (run) => {
    if (!(await backend.lockUnused(run))) return false
    const people = seededPeople()
    const persons = people.map(
      ({ id, name, age, email }) => sql`(${id}, ${name}, ${age}, ${email})`,
    )
    const addresses = people.map(
      ({ id, address: { street, city, country } }) => sql`(${id}, ${street}, ${city}, ${country})`,
    )
    const friendships = seededFriendships(people.length).map(
      ([id, friend]) => sql`(${id}, ${friend})`,
    )
    await run(sql`insert into persons (id, name, age, email) values ${sql.join(persons)}`)
    await run(sql`
      insert into addresses (person_id, street, city, country) values ${sql.join(addresses)}
    `)
    await run(sql`insert into friendships (person_id, friend_id) values ${sql.join(friendships)}`)
    await backend.continueAfter(run, people.length)
    return true
  })
}

interface SeededPerson {
  readonly id: number
  readonly name: string
  readonly age: number | null
  readonly email: string
  readonly address: Address
}

const firstNames = 'Ada Ben Clara David Elif Farid Grace Hugo Ines Jonas'.split(' ')
const lastNames = 'Archer Bianchi Costa Dubois Eriksen Fischer García Haddad Ito Jensen'.split(' ')
const streets = ['Mill Lane', 'Station Road', 'Garden Street', 'Harbour Square', 'Hill Avenue']
const cities: readonly (readonly [city: string, country: string])[] = [
  ['London', 'United Kingdom'],
  ['Milan', 'Italy'],
  ['Lisbon', 'Portugal'],
  ['Lyon', 'France'],
  ['Bergen', 'Norway'],
  ['Cologne', 'Germany'],
  ['Seville', 'Spain'],
]

/** How far apart the ids of friends are; every person has one friend on either side for each. */
const distances = [1, 7, 30]

/** Always the same 100, ids 1 to 100: each first name with each last name. */
function seededPeople(): readonly SeededPerson[] {
  return firstNames.flatMap((first, row) =>
    lastNames.map((last, column) => seededPerson(row * lastNames.length + column + 1, first, last)),
  )
}

function seededPerson(id: number, first: string, last: string): SeededPerson {
  const [city, country] = cities[id % cities.length]!
  const address = { street: `${id} ${streets[id % streets.length]}`, city, country }
  return {
    id,
    name: `${first} ${last}`,
    // One in eleven has none.
    age: id % 11 === 0 ? null : 18 + ((id * 37) % 63),
    email: `${asciiOf(first)}.${asciiOf(last)}@example.com`,
    address,
  }
}

function asciiOf(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[^a-z]/gi, '')
    .toLowerCase()
}

/** Both rows of each friendship. */
function seededFriendships(count: number): readonly (readonly [id: number, friend: number])[] {
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((id) =>
    distances.flatMap((distance) => {
      const friend = ((id - 1 + distance) % count) + 1
      return [[id, friend] as const, [friend, id] as const]
    }),
  )
}
