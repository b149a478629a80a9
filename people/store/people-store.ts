import { failure, success, type Outcome } from 'graphwire'
import { sql, type RawBuilder } from 'kysely'
import { addAudit } from './audit.js'
import type { Run } from './backend.js'
import { forgetPerson, transactChange } from './changes.js'
import type { Database } from './database.js'
import { toNumber, toNumbers } from './id.js'
import type { Address, PeopleStore, Person, PersonPatch, WriteFault, Written } from './store.js'

/** A person without the address. */
interface PersonRow extends Omit<Person, 'id' | 'address'> {
  readonly id: number
}

/** Selects persons p with their addresses a. */
const columns = sql`p.id, p.name, p.age, p.email, p.version, a.street, a.city, a.country`
const withAddresses = sql`left join addresses a on a.person_id = p.id`
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

/** Persons, their addresses and friendships. */
export function peopleStore(database: Database): PeopleStore {
  return { ...readPeople(database), ...writePeople(database) }
}

type Reads = Pick<PeopleStore, 'page' | 'byIds' | 'friendsOf'>

function readPeople({ read, backend }: Database): Reads {
  return {
    /** One statement: it starts at the person of `after`, and so sees whether there is one. */
    async page(limit, after) {
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
    async byIds(ids) {
      const numbers = toNumbers(ids)
      if (numbers.length === 0) return new Map()
      const rows = await read(sql<PersonRow & Address>`
        select ${columns} from persons p ${withAddresses} where p.id ${backend.among(numbers)}
      `)
      return new Map(rows.map((row) => [String(row.id), joined(row)]))
    },
    async friendsOf(ids, limit) {
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

function writePeople(database: Database): Omit<PeopleStore, keyof Reads> {
  return {
    create: (input) =>
      transactChange(database, async (run, record) => {
        const [row] = await run(sql<PersonRow>`
          insert into persons (name, age, email)
          values (${input.name}, ${input.age ?? null}, ${input.email ?? null}) ${written}
        `)
        if (row === undefined) throw new Error('No person was created.')
        const address = input.address ? await setAddress(run, row.id, input.address) : null
        return record('create', toPerson(row, address))
      }),
    /** Keeps members that the patch does not have. */
    update: (id, { address, ...values }, ifVersion) =>
      transactChange(database, async (run, record) => {
        const row = await write(run, id, values, ifVersion)
        if (typeof row === 'string') return failure(row)
        return success(
          await record('update', toPerson(row, await mergeAddress(run, row.id, address))),
        )
      }),
    /** Clears members that the input does not have. */
    replace: (id, { name, age, email, address }, ifVersion) =>
      transactChange(database, async (run, record) => {
        const whole = { name, age: age ?? null, email: email ?? null }
        const row = await write(run, id, whole, ifVersion)
        if (typeof row === 'string') return failure(row)
        const set = await setAddress(run, row.id, address ?? null)
        return success(await record('replace', toPerson(row, set)))
      }),
    remove: (id, ifVersion) => removePerson(database, toNumber(id), ifVersion),
    befriend: (id, friend) => changeFriendship(database, 'befriend', id, friend),
    unfriend: (id, friend) => changeFriendship(database, 'unfriend', id, friend),
  }
}

/** Of a number that no version can be, nobody has that version. */
function andVersion(ifVersion: number | undefined): RawBuilder<unknown> {
  if (ifVersion === undefined) return sql``
  return sql`and version = cast(${Number.isSafeInteger(ifVersion) ? ifVersion : 0} as bigint)`
}

/** The one statement that compares the version also raises it, and locks the person for the rest. */
async function write(
  run: Run,
  id: string,
  values: Omit<PersonPatch, 'address'>,
  ifVersion: number | undefined,
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

/** Why no person was written: no such person, or another write came first. */
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
  const { street = null, city = null, country = null } = address ?? {}
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
  const given = Object.entries(patch).filter(([, text]) => text !== undefined)
  return setAddress(run, personId, { ...before, ...Object.fromEntries(given) })
}

/**
 * The person goes first: writers of new friendships then wait for the end of this transaction, and
 * the friendships deleted last are all there are.
 */
function removePerson(
  database: Database,
  id: number,
  ifVersion: number | undefined,
): Promise<Written> {
  return transactChange(database, async (run, record) => {
    const [person] = await run(sql<PersonRow>`
      delete from persons where id = ${id} ${andVersion(ifVersion)} ${written}
    `)
    if (person === undefined) return failure(await whyNot(run, id))
    const [address] = await run(sql<Address>`
      delete from addresses where person_id = ${id} returning street, city, country
    `)
    await run(sql`delete from friendships where person_id = ${id} or friend_id = ${id}`)
    await forgetPerson(run, id)
    return success(await record('remove', toPerson(person, address ?? null)))
  })
}

/** Mutual; beginning or ending a friendship twice has no further effect. */
function changeFriendship(
  database: Database,
  operation: 'befriend' | 'unfriend',
  id: string,
  friend: string,
): Promise<Outcome<Person, 'absent' | 'friend-absent'>> {
  const { transact, backend } = database
  const [one, other] = [toNumber(id), toNumber(friend)]
  return transact(async (run) => {
    const found = await run(sql<PersonRow & Address>`
      select ${columns} from persons p ${withAddresses}
      where p.id ${backend.among(toNumbers([id, friend]))} order by p.id ${backend.keepPersons}
    `)
    const person = found.find((row) => row.id === one)
    if (person === undefined) return failure('absent')
    if (!found.some((row) => row.id === other)) return failure('friend-absent')
    // The rows in the same order from both sides, so that two who befriend each other never deadlock.
    const [low, high] = [Math.min(one, other), Math.max(one, other)]
    let rows: readonly unknown[] = []
    if (operation === 'befriend') {
      rows = await run(sql`
        insert into friendships (person_id, friend_id) values (${low}, ${high}), (${high}, ${low})
        on conflict do nothing returning person_id
      `)
    } else {
      for (const [from, to] of [
        [low, high],
        [high, low],
      ]) {
        rows = await run(sql`
          delete from friendships where person_id = ${from} and friend_id = ${to} returning person_id
        `)
      }
    }
    const writes = found.map((row) => ({ operation, personId: row.id, version: row.version }))
    if (rows.length > 0) await addAudit(run, database, writes)
    return success(joined(person))
  })
}
