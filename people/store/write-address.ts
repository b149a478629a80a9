import type { Transaction } from 'kysely'
import type { Address } from './store.js'
import type { Tables } from './tables.js'

/** The address is as given, and null what is absent; null is no address. */
export async function setAddress(
  transaction: Transaction<Tables>,
  personId: number,
  address: Partial<Address> | null,
): Promise<void> {
  const { street = null, city = null, country = null } = address ?? {}
  if (street === null && city === null && country === null) {
    await transaction.deleteFrom('addresses').where('person_id', '=', personId).execute()
    return
  }
  await transaction
    .insertInto('addresses')
    .values({ person_id: personId, street, city, country })
    .onConflict((conflict) => conflict.column('person_id').doUpdateSet({ street, city, country }))
    .execute()
}

/** Keeps the parts that are absent; the person is locked already, so no other merge comes between. */
export async function mergeAddress(
  transaction: Transaction<Tables>,
  personId: number,
  patch: Partial<Address> | null,
): Promise<void> {
  if (patch === null) return setAddress(transaction, personId, null)
  const before = await transaction
    .selectFrom('addresses')
    .select(['street', 'city', 'country'])
    .where('person_id', '=', personId)
    .executeTakeFirst()
  await setAddress(transaction, personId, {
    street: patch.street === undefined ? (before?.street ?? null) : patch.street,
    city: patch.city === undefined ? (before?.city ?? null) : patch.city,
    country: patch.country === undefined ? (before?.country ?? null) : patch.country,
  })
}
