import { readFileSync } from 'node:fs'
import type { GraphQLSchema } from 'graphql'
import { buildSchema, shownError } from '../graphql/schema/build-schema.js'

interface StoredPerson {
  readonly id: string
  readonly name: string
  readonly age: number | null
  readonly friends: readonly string[]
  readonly address: { readonly [name: string]: string | null } | null
}

/** The standard schema of the conformance suite with its own state, as defined in fixtures/standard. */
export function createStandardSchema(): GraphQLSchema {
  const persons = new Map<string, StoredPerson>()
  for (const person of JSON.parse(readFixture('persons.json')) as StoredPerson[]) {
    persons.set(person.id, person)
  }
  let counter = 0

  const friends = (person: StoredPerson, { limit }: { limit?: number | null }): StoredPerson[] => {
    if (typeof limit === 'number' && limit < 0) throw shownError('limit must not be negative.')
    const ids = typeof limit === 'number' ? person.friends.slice(0, limit) : person.friends
    return ids.map((id) => persons.get(id)).filter((friend) => friend !== undefined)
  }
  const rename = (_: unknown, { id, name }: { id: string; name: string }): StoredPerson | null => {
    const person = persons.get(id)
    if (person === undefined) return null
    const renamed = { ...person, name }
    persons.set(id, renamed)
    return renamed
  }

  return buildSchema(readFixture('schema.graphql'), {
    Query: {
      person: (_: unknown, { id }: { id: string }) => persons.get(id),
      echo: (_: unknown, { s }: { s: string }) => s,
      fail: () => Promise.reject(shownError('The field fail fails.')),
      failNonNull: () => Promise.reject(shownError('The field failNonNull fails.')),
      slow: (_: unknown, { ms }: { ms: number }) => wait(ms),
      counter: () => counter,
    },
    Mutation: { renamePerson: rename, increment: () => ++counter },
    Person: { friends },
  })
}

function readFixture(name: string): string {
  return readFileSync(new URL(`../../../fixtures/standard/${name}`, import.meta.url), 'utf8')
}

function wait(ms: number): Promise<string> {
  if (ms < 0 || ms > 60_000) throw shownError('ms must be 0 to 60000.')
  return new Promise((resolve) => setTimeout(resolve, ms, String(ms)))
}
