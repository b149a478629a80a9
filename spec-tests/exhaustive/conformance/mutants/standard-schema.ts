import { readFileSync } from 'node:fs'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { buildSchema, type GraphQLSchema } from 'graphql'

interface PersonData {
  readonly id: string
  readonly name: string
  readonly age: number | null
  readonly friends: readonly string[]
  readonly address: object | null
}

/** The standard schema and the object that its execution starts from. */
export interface Standard {
  readonly schema: GraphQLSchema
  readonly root: object
}

const folder = new URL('../../../../../fixtures/standard/', import.meta.url)

/** Builds the standard schema by its contract (behaviour.json), with a state of its own. */
export function standardSchema(): Standard {
  const persons = JSON.parse(
    readFileSync(new URL('persons.json', folder), 'utf8'),
  ) as readonly PersonData[]
  const names = new Map(persons.map(({ id, name }) => [id, name]))
  let counter = 0
  const person = ({ id }: { readonly id: string }): object | null => {
    const found = persons.find((one) => one.id === id)
    if (found === undefined) return null
    return {
      ...found,
      name: () => names.get(id),
      friends: ({ limit }: { readonly limit?: number | null }) => {
        if (limit != null && limit < 0) throw new Error('limit is negative.')
        return found.friends.slice(0, limit ?? undefined).map((friend) => person({ id: friend }))
      },
    }
  }
  const root = {
    person,
    echo: ({ s }: { readonly s: string }) => s,
    fail: () => fail(),
    failNonNull: () => fail(),
    slow: async ({ ms }: { readonly ms: number }) => {
      if (ms < 0 || ms > 60_000) throw new Error('ms is out of range.')
      await setTimeout(ms)
      return String(ms)
    },
    counter: () => counter,
    people: () => persons.map(person),
    openSources: 0,
    renamePerson: async ({ id, name }: { readonly id: string; readonly name: string }) => {
      if (!names.has(id)) return null
      names.set(id, name)
      await setImmediate()
      return person({ id })
    },
    increment: () => {
      counter += 1
      return counter
    },
  }
  return { schema: buildSchema(readFileSync(new URL('schema.graphql', folder), 'utf8')), root }
}

function fail(): never {
  throw new Error('This field always fails.')
}
