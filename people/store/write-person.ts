import { failure, success } from 'graphwire'
import type { Transaction, Updateable } from 'kysely'
import { forgetPerson, transactChange } from './changes.js'
import type { Database } from './database.js'
import { toNumber } from './id.js'
import { addressColumns, personColumns, toAddress, toPerson } from './person-row.js'
import type {
  Address,
  PeopleStore,
  Person,
  PersonInput,
  PersonPatch,
  WriteFault,
  Written,
} from './store.js'
import type { Tables } from './tables.js'

/** The columns that a write sets, without the version. */
type Values = Omit<Updateable<Tables['persons']>, 'id' | 'version'>

type Writes = Pick<PeopleStore, 'create' | 'update' | 'replace' | 'remove'>

export function writePeople(database: Database): Writes {
  return {
    create: (input) =>
      transactChange(database, async (transaction, record) => {
        const row = await transaction
          .insertInto('persons')
          .values(wholeValues(input))
          .returning(personColumns)
          .executeTakeFirstOrThrow()
        const address = input.address ? await setAddress(transaction, row.id, input.address) : null
        return record('create', { ...toPerson(row), address })
      }),
    /** Keeps members that the patch does not have. */
    update: (id, { address: patch, ...values }, ifVersion) =>
      transactChange(database, async (transaction, record) => {
        const written = await write(transaction, id, values, ifVersion)
        if (typeof written === 'string') return failure(written)
        const address = await mergeAddress(transaction, Number(written.id), patch)
        return success(await record('update', { ...written, address }))
      }),
    /** Clears members that the input does not have. */
    replace: (id, input, ifVersion) =>
      transactChange(database, async (transaction, record) => {
        const written = await write(transaction, id, wholeValues(input), ifVersion)
        if (typeof written === 'string') return failure(written)
        const address = await setAddress(transaction, Number(written.id), input.address ?? null)
        return success(await record('replace', { ...written, address }))
      }),
    remove: (id, ifVersion) => removePerson(database, toNumber(id), ifVersion),
  }
}

function wholeValues({ name, age, email }: PersonInput): Required<Values> & { name: string } {
  return { name, age: age ?? null, email: email ?? null }
}

/** The one statement that compares the version also raises it, and locks the person for the rest. */
async function write(
  transaction: Transaction<Tables>,
  id: string,
  { name, age, email }: PersonPatch,
  ifVersion: number | undefined,
): Promise<Person | WriteFault> {
  const number = toNumber(id)
  if (number === undefined) return 'absent'
  const row = await transaction
    .updateTable('persons')
    .set({ name, age, email })
    .set(({ eb }) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', number)
    .$if(ifVersion !== undefined, (query) => query.where('version', '=', toVersion(ifVersion)))
    .returning(personColumns)
    .executeTakeFirst()
  return row === undefined ? whyNot(transaction, number) : toPerson(row)
}

/** A number that the column can be compared with; what no version can be becomes 0, which none is. */
function toVersion(ifVersion: number | undefined): number {
  return ifVersion !== undefined &&
    ifVersion === Math.trunc(ifVersion) &&
    Math.abs(ifVersion) < 2 ** 31
    ? ifVersion
    : 0
}

/** Why no person was written: no such person, or another write came first. */
async function whyNot(transaction: Transaction<Tables>, id: number): Promise<WriteFault> {
  const row = await transaction
    .selectFrom('persons')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? 'absent' : 'conflict'
}

/**
 * The person goes first: writers of new friendships then wait for the end of this transaction, and
 * the friendships deleted last are all there are.
 */
async function removePerson(
  database: Database,
  number: number | undefined,
  ifVersion: number | undefined,
): Promise<Written> {
  if (number === undefined) return failure('absent')
  return transactChange(database, async (transaction, record) => {
    const person = await transaction
      .deleteFrom('persons')
      .where('id', '=', number)
      .$if(ifVersion !== undefined, (query) => query.where('version', '=', toVersion(ifVersion)))
      .returning(personColumns)
      .executeTakeFirst()
    if (person === undefined) return failure(await whyNot(transaction, number))
    const address = await transaction
      .deleteFrom('addresses')
      .where('person_id', '=', number)
      .returning(addressColumns)
      .executeTakeFirst()
    await transaction
      .deleteFrom('friendships')
      .where((build) =>
        build.or([build('person_id', '=', number), build('friend_id', '=', number)]),
      )
      .execute()
    await forgetPerson(transaction, number)
    return success(await record('remove', { ...toPerson(person), address: address ?? null }))
  })
}

/** Replaces the address: absent members become null, and null removes it. Returns the new address. */
async function setAddress(
  transaction: Transaction<Tables>,
  personId: number,
  members: Partial<Address> | null,
): Promise<Address | null> {
  const { street = null, city = null, country = null } = members ?? {}
  const address = toAddress({ street, city, country })
  if (address === null) {
    await transaction.deleteFrom('addresses').where('person_id', '=', personId).execute()
  } else {
    await transaction
      .insertInto('addresses')
      .values({ person_id: personId, ...address })
      .onConflict((conflict) => conflict.column('person_id').doUpdateSet(address))
      .execute()
  }
  return address
}

/** Keeps the parts that are absent; the person is locked already, so no other merge comes between. */
async function mergeAddress(
  transaction: Transaction<Tables>,
  personId: number,
  patch: Partial<Address> | null | undefined,
): Promise<Address | null> {
  if (patch === null) return setAddress(transaction, personId, null)
  const before = await transaction
    .selectFrom('addresses')
    .select(addressColumns)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  if (patch === undefined) return before ?? null
  return setAddress(transaction, personId, {
    street: patch.street === undefined ? (before?.street ?? null) : patch.street,
    city: patch.city === undefined ? (before?.city ?? null) : patch.city,
    country: patch.country === undefined ? (before?.country ?? null) : patch.country,
  })
}
