import type { Transaction } from 'kysely'
import { addressColumns, toAddress } from './person-row.js'
import type { Address } from './store.js'
import type { Tables } from './tables.js'

/** The address is as given, and null what is absent; null is no address. Gives what it is now. */
export async function setAddress(
  transaction: Transaction<Tables>,
  personId: number,
  given: Partial<Address> | null,
): Promise<Address | null> {
  const { street = null, city = null, country = null } = given ?? {}
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
export async function mergeAddress(
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
