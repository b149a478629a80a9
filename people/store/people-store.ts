import { failure, success } from 'graphwire'
import { sql, type RawBuilder } from 'kysely'
import { addAudit } from './audit.js'
import type { Run } from './backend.js'
import { forgetPerson, transactChange } from './changes.js'
import type { Database } from './database.js'
import { toNumber, toNumbers } from './id.js'
import type { Address, Person, PersonInput, PersonPatch, WriteFault, Written } from './store.js'

/** A person without the address. */
interface PersonRow extends Omit<Person, 'id' | 'address'> {
  readonly id: number
}

/** Selects persons p with their addresses a. */
const columns = sql`p.id, p.name, p.age, p.email, p.version, a.street, a.city, a.country`
const withAddresses = sql`left join addresses a on a.person_id = p.id`
const noAddress: Address = { street: null, city: null, country: null }
const written = sql`returning id, name, age, email, version`

function toPerson({ id, name, age, email, version }: PersonRow, address: Address | null): Person {
  return { id: String(id), name, age, email, version, address }
}

/** An address without any member has no row. */
function joined(row: PersonRow & Address): Person {
  const { street, city, country } = row
  const isNone = street === null && city === null && country === null
  return toPerson(row, isNone ? null : { street, city, country })
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
      const rows = await read(sql<PersonRow & Address>`
        select ${columns} from persons p ${withAddresses}
        where p.id >= ${first} order by p.id limit ${limit + skipped + 1}
      `)
      if (skipped === 1 && rows[0]?.id !== first) return failure('unknown-after')
      const people = rows.slice(skipped, limit + skipped).map(joined)
      return success({ people, hasMore: rows.length > limit + skipped })
    },
    /** In one statement for all; absent ids are absent from the map. */
    async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, Person>> {
      const numbers = toNumbers(ids)
      if (numbers.length === 0) return new Map()
      const rows = await read(sql<PersonRow & Address>`
        select ${columns} from persons p ${withAddresses} where p.id ${backend.among(numbers)}
      `)
      return new Map(rows.map((row) => [String(row.id), joined(row)]))
    },
    /** At most `limit` friends of each, in order of their creation; one statement for all. */
    async friendsOf(ids: readonly string[], limit: number): Promise<ReadonlyMap<string, Person[]>> {
      const numbers = toNumbers(ids)
      const friends = new Map<string, Person[]>(numbers.map((number) => [String(number), []]))
      if (numbers.length === 0 || limit < 1) return friends
      const rows = await read(sql<PersonRow & Address & { readonly person_id: number }>`
        select first.person_id, ${columns} from (${backend.firstFriends(numbers, limit)}) as first
        join persons p on p.id = first.friend_id ${withAddresses}
        order by first.person_id, first.friend_id
      `)
      for (const row of rows) friends.get(String(row.person_id))?.push(joined(row))
      return friends
    },
  }
}

type Operation = 'update' | 'replace'

/** `ifVersion` is compared inside the transaction. */
function writePeople(database: Database) {
  /** Keeps members that the patch does not have. */
  const change = (
    operation: Operation,
    id: string,
    patch: PersonPatch,
    ifVersion?: number | null,
  ) =>
    transactChange(database, async (run, record) => {
      const row = await write(run, id, patch, ifVersion)
      if (typeof row === 'string') return failure(row)
      const address = await mergeAddress(run, row.id, patch.address)
      return success(await record(operation, toPerson(row, address)))
    })
  return {
    create: (input: PersonInput): Promise<Person> =>
      transactChange(database, async (run, record) => {
        const [row] = await run(sql<PersonRow>`
          insert into persons (name, age, email)
          values (${input.name}, ${input.age ?? null}, ${input.email ?? null}) ${written}
        `)
        if (row === undefined) throw new Error('No person was created.')
        const address = input.address ? await setAddress(run, row.id, input.address) : null
        return record('create', toPerson(row, address))
      }),
    update: (id: string, patch: PersonPatch, ifVersion?: number | null): Promise<Written> =>
      change('update', id, patch, ifVersion),
    /** Clears members that the input does not have. */
    replace: (id: string, input: PersonInput, ifVersion?: number | null): Promise<Written> => {
      const { name, age = null, email = null } = input
      const address = input.address ? { ...noAddress, ...input.address } : null
      return change('replace', id, { name, age, email, address }, ifVersion)
    },
    /**
     * The person goes first: writers of new friendships then wait for the end of this transaction, and
     * the friendships deleted last are all there are. Messages to the person can no longer be read.
     */
    remove: (id: string, ifVersion?: number | null): Promise<Written> =>
      transactChange(database, async (run, record) => {
        const number = toNumber(id)
        const [person] = await run(sql<PersonRow>`
          delete from persons where id = ${number} ${andVersion(ifVersion)} ${written}
        `)
        if (person === undefined) return failure(await whyNot(run, number))
        const [address] = await run(sql<Address>`
          delete from addresses where person_id = ${number} returning street, city, country
        `)
        await run(sql`delete from friendships where person_id = ${number} or friend_id = ${number}`)
        await forgetPerson(run, number)
        return success(await record('remove', toPerson(person, address ?? null)))
      }),
  }
}

/** Mutual, and without effect on the versions of persons. Beginning or ending one twice has no further effect. */
function friendships(database: Database) {
  const { transact, backend } = database
  const change = (operation: 'befriend' | 'unfriend') => (id: string, friend: string) =>
    transact(async (run) => {
      const ids = toNumbers([id, friend])
      const found = await run(sql<PersonRow & Address>`
        select ${columns} from persons p ${withAddresses}
        where p.id ${backend.among(ids)} order by p.id ${backend.keepPersons}
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
      const writes = found.map((row) => ({ operation, personId: row.id, version: row.version }))
      if (rows.length > 0) await addAudit(run, database, writes)
      return success(joined(person))
    })
  return { befriend: change('befriend'), unfriend: change('unfriend') }
}

/** A number that cannot be a version matches no person. */
function andVersion(ifVersion: number | null | undefined): RawBuilder<unknown> {
  if (ifVersion == null) return sql``
  return sql`and version = cast(${Number.isSafeInteger(ifVersion) ? ifVersion : 0} as bigint)`
}

/** The one statement that compares the version also raises it, and locks the person for the rest. */
async function write(
  run: Run,
  id: string,
  values: Omit<PersonPatch, 'address'>,
  ifVersion: number | null | undefined,
): Promise<PersonRow | WriteFault> {
  const number = toNumber(id)
  const changes = (['name', 'age', 'email'] as const).flatMap((column) =>
    values[column] === undefined ? [] : [sql`${sql.ref(column)} = ${values[column]}`],
  )
  const [row] = await run(sql<PersonRow>`
    update persons set ${sql.join([...changes, sql`version = version + 1`])}
    where id = ${number} ${andVersion(ifVersion)} ${written}
  `)
  return row ?? whyNot(run, number)
}

/** Why no person was written: it does not exist, or another write came first. */
async function whyNot(run: Run, id: number): Promise<WriteFault> {
  const found = await run(sql`select 1 from persons where id = ${id}`)
  return found.length === 0 ? 'absent' : 'conflict'
}

/** Returns the address as it is stored: none if it has no member. */
async function setAddress(
  run: Run,
  personId: number,
  address: Partial<Address> | null,
): Promise<Address | null> {
  const { street, city, country } = { ...noAddress, ...address }
  if (street === null && city === null && country === null) {
    await run(sql`delete from addresses where person_id = ${personId}`)
    return null
  }
  await run(sql`
    insert into addresses (person_id, street, city, country)
    values (${personId}, ${street}, ${city}, ${country}) on conflict (person_id)
    do update set street = excluded.street, city = excluded.city, country = excluded.country
  `)
  return { street, city, country }
}

/** Keeps the parts that are absent; the person is locked already, so no other merge comes between. */
async function mergeAddress(
  run: Run,
  personId: number,
  patch: Partial<Address> | null | undefined,
): Promise<Address | null> {
  if (patch === null) return setAddress(run, personId, null)
  const [before] = await run(sql<Address>`
    select street, city, country from addresses where person_id = ${personId}
  `)
  if (patch === undefined) return before ?? null
  const parts = Object.entries(patch).filter(([, text]) => text !== undefined)
  return setAddress(run, personId, { ...before, ...Object.fromEntries(parts) })
}
