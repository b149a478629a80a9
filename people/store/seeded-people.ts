import type { Address } from './store.js'

interface SeededPerson {
  readonly id: number
  readonly name: string
  readonly age: number | null
  readonly email: string
  readonly address: Address
}

const firstNames = [
  'Ada',
  'Ben',
  'Clara',
  'David',
  'Elif',
  'Farid',
  'Grace',
  'Hugo',
  'Ines',
  'Jonas',
]
const lastNames = [
  'Archer',
  'Bianchi',
  'Costa',
  'Dubois',
  'Eriksen',
  'Fischer',
  'García',
  'Haddad',
  'Ito',
  'Jensen',
]
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

/** How far apart the ids of friends are; everybody has one friend on either side for each. */
const distances = [1, 7, 30]

/** Always the same 100, ids 1 to 100: each first name with each last name. */
export function seededPeople(): readonly SeededPerson[] {
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
    // Every eleventh keeps it private.
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
export function seededFriendships(
  count: number,
): { readonly person_id: number; readonly friend_id: number }[] {
  return Array.from({ length: count }, (_, index) =>
    distances.flatMap((distance) => {
      const [one, other] = [index + 1, ((index + distance) % count) + 1]
      return [
        { person_id: one, friend_id: other },
        { person_id: other, friend_id: one },
      ]
    }),
  ).flat()
}
