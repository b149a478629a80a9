import { readFileSync } from 'node:fs'
import { GraphQLError, buildSchema } from 'graphql'
import { openSource, pause, untilCalled } from '../../dist/src/standard/event-source.js'

export { version } from 'graphql'

/** The SDL of the standard schema (fixtures/standard). */
export const typeDefs = readFixture('schema.graphql')

/** The counter, and the subscriptions that wait for its changes. */
class Counter {
  #waiting = new Set()
  value = 0

  increment() {
    this.value++
    for (const resume of this.#waiting) resume()
    return this.value
  }

  async until(value, closing) {
    while (this.value < value && !closing.aborted) {
      await untilCalled(closing, (resume) => {
        this.#waiting.add(resume)
        return () => this.#waiting.delete(resume)
      })
    }
  }
}

const persons = new Map(JSON.parse(readFixture('persons.json')).map((one) => [one.id, one]))
const counter = new Counter()
/** The sources that are open. */
const sources = new Set()

/** The resolvers that fixtures/standard/behaviour.json describes, the same for every server. */
const resolvers = {
  Query: {
    person: (_, { id }) => persons.get(id),
    echo: (_, { s }) => s,
    fail: () => {
      throw new GraphQLError('The field fail fails.')
    },
    failNonNull: () => {
      throw new GraphQLError('The field failNonNull fails.')
    },
    slow: async (_, { ms }) => {
      if (ms < 0 || ms > 60_000) throw new GraphQLError('ms must be 0 to 60000.')
      await new Promise((resolve) => setTimeout(resolve, ms))
      return String(ms)
    },
    counter: () => counter.value,
    people: () => [...persons.values()],
    openSources: () => sources.size,
  },
  Mutation: {
    renamePerson: (_, { id, name }) => {
      const person = persons.get(id)
      if (person === undefined) return null
      persons.set(id, { ...person, name })
      return persons.get(id)
    },
    increment: () => counter.increment(),
  },
  Subscription: createSubscriptions(),
  Person: {
    friends: ({ friends }, { limit }) => {
      if (limit < 0) throw new GraphQLError('limit must not be negative.')
      return friends.slice(0, limit ?? friends.length).map((id) => persons.get(id))
    },
  },
}

/** For the servers that take SDL and resolvers. */
export function createResolvers() {
  return resolvers
}

/** For the servers that take nothing but a GraphQLSchema. */
export function createSchema() {
  const schema = buildSchema(typeDefs)
  for (const [type, fields] of Object.entries(resolvers)) {
    for (const [name, resolver] of Object.entries(fields)) {
      const functions = typeof resolver === 'function' ? { resolve: resolver } : resolver
      Object.assign(schema.getType(type).getFields()[name], functions)
    }
  }
  return schema
}

/** The subscriptions that fixtures/standard/behaviour.json describes. */
function createSubscriptions() {
  const source = (next) => openSource(sources, next)
  return {
    countdown: {
      subscribe(_, { from, delay }) {
        const ms = inRange('delay', delay ?? 0, 60_000)
        let left = from
        return source(async (closing) => {
          if (left < from && ms > 0) await pause(ms, closing)
          return left < 0 ? undefined : { countdown: left-- }
        })
      },
    },
    counter: {
      subscribe() {
        let next = counter.value
        return source(async (closing) => {
          await counter.until(next, closing)
          return { counter: next++ }
        })
      },
    },
    breaks: {
      subscribe(_, { after }) {
        let at = 0
        return source(async () => {
          if (at < after) return { breaks: at++ }
          throw new GraphQLError('The source of breaks fails.')
        })
      },
    },
    odd: {
      subscribe(_, { count }) {
        let at = 0
        return source(async () => {
          if (at >= count) return undefined
          const value = at++
          return { odd: value % 2 === 0 ? value : new GraphQLError('The number is odd.') }
        })
      },
    },
    refused: {
      subscribe() {
        throw new GraphQLError('The subscription is refused.')
      },
    },
    silent: {
      subscribe: () => source((closing) => untilCalled(closing, () => () => {})),
    },
    flood: {
      subscribe(_, { bytes }) {
        const event = { flood: 'x'.repeat(inRange('bytes', bytes, 1024 * 1024)) }
        return source(async () => event)
      },
    },
  }
}

function inRange(name, value, max) {
  if (value < 0 || value > max) throw new GraphQLError(`${name} must be 0 to ${max}.`)
  return value
}

function readFixture(name) {
  return readFileSync(new URL(`../../fixtures/standard/${name}`, import.meta.url), 'utf8')
}
