import { buildSchema } from 'graphql'

export { version } from 'graphql'

/*
 * The subscription of the streaming benchmark, the same for all servers. Each subscriber has a source of its own, as a
 * pub/sub has a queue for each, and all sources get the same event object, frozen as one
 * of a pub/sub is. `OWN=1` adds a resolver, which every subscriber's result then needs; without it a server may notice that all results are the same.
 */
export const typeDefs = `
type Query { hello: String! }
type Subscription { tick: Tick! }
type Tick { id: ID!  at: Float!  text: String!  tags: [String!]! }
`

const sources = new Set()

/** A source keeps at most this many events for a slow reader, so that the rest is held by the server. */
const maxQueue = Number(process.env.MAX_QUEUE ?? Infinity)

class Source {
  #queue = []
  #waiting
  #isOver = false

  constructor() {
    sources.add(this)
  }

  push(event) {
    const waiting = this.#waiting
    if (waiting === undefined) {
      if (this.#queue.length === maxQueue) this.#queue.shift()
      return void this.#queue.push(event)
    }
    this.#waiting = undefined
    waiting({ done: false, value: event })
  }

  next() {
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined })
    const event = this.#queue.shift()
    if (event !== undefined) return Promise.resolve({ done: false, value: event })
    return new Promise((resolve) => (this.#waiting = resolve))
  }

  return() {
    this.#isOver = true
    sources.delete(this)
    this.#waiting?.({ done: true, value: undefined })
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator]() {
    return this
  }
}

/** For the servers that take SDL and resolvers. */
export function createResolvers() {
  const tick = { subscribe: () => new Source() }
  const own = process.env.OWN === '1' ? { Tick: { text: ({ text }) => text } } : {}
  return { Subscription: { tick }, ...own }
}

/** For those that take nothing but a GraphQLSchema. */
export function createSchema() {
  const schema = buildSchema(typeDefs)
  const { Subscription, Tick } = createResolvers()
  schema.getType('Subscription').getFields().tick.subscribe = Subscription.tick.subscribe
  if (Tick !== undefined) schema.getType('Tick').getFields().text.resolve = Tick.text
  return schema
}

/** For servers without GraphQL: called with the JSON of each result. */
export const listeners = new Set()

let id = 0

function publish(length = 160) {
  id += 1
  const event = { tick: { id, at: 1.5, text: 'x'.repeat(length), tags: ['one', 'two'] } }
  Object.freeze(event.tick.tags)
  Object.freeze(event.tick)
  Object.freeze(event)
  for (const source of sources) source.push(event)
  if (listeners.size === 0) return
  const result = JSON.stringify({ data: { tick: { ...event.tick, id: String(id) } } })
  for (const listener of listeners) listener(result)
}

/** 20 MB of events, with a pause after each, so that the server has time to send. */
async function flood() {
  for (let at = 0; at < 10_000; at += 1) {
    publish(2_000)
    await new Promise(setImmediate)
  }
  process.send({ flooded: true })
}

// Commands of the measuring process.
process.on('message', (question) => {
  if (question === 'publish') publish()
  else if (question === 'flood') void flood()
  else if (question === 'sources') process.send({ sources: sources.size + listeners.size })
})
