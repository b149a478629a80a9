import type { Selectable } from 'kysely'
import type { Address, Person } from './store.js'
import type { Tables } from './tables.js'

type PersonRow = Selectable<Tables['persons']>

/** The columns of a person, in the order of the contract. */
export const personColumns = [
  'persons.id',
  'persons.name',
  'persons.age',
  'persons.email',
  'persons.version',
] as const

export const addressColumns = ['street', 'city', 'country'] as const

export function toPerson({ id, name, age, email, version }: PersonRow): Person {
  return { id: String(id), name, age, email, version }
}

/** An address without any member has no row. */
export function toAddress({ street, city, country }: Address): Address | null {
  return street === null && city === null && country === null ? null : { street, city, country }
}
