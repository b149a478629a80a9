import { buildSchema } from 'graphql'

/*
 * The subscription of the streaming benchmark, the same for all servers. Each subscriber has a source of its own, as a
 * pub/sub has a queue for each, and all sources get the same event object. `OWN=1` adds a resolver, which every
 * subscriber's result then needs; without it a server may notice that all results are the same.
 */
const typeDefs = `
type Query { hello: String! }
type Subscription { tick: Tick! }
type Tick { id: ID!  at: Float!  text: String!  tags: [String!]! }
`

const sources = new Set()

class Source {
  #queue = []
  #waiting
  #isOver = false

  constructor() {
    sources.add(this)
  }

  push(event) {
    const waiting = this.#waiting
    if (waiting === undefined) return void this.#queue.push(event)
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

export function createTickSchema() {
  const schema = buildSchema(typeDefs)
  const { tick } = schema.getSubscriptionType().getFields()
  tick.subscribe = () => new Source()
  if (process.env.OWN === '1') schema.getType('Tick').getFields().text.resolve = ({ text }) => text
  return schema
}

/** For servers without GraphQL: called with the JSON of each result. */
export const listeners = new Set()

let id = 0

function publish() {
  id += 1
  const event = { tick: { id, at: 1.5, text: 'x'.repeat(160), tags: ['one', 'two'] } }
  for (const source of sources) source.push(event)
  if (listeners.size === 0) return
  const result = JSON.stringify({ data: { tick: { ...event.tick, id: String(id) } } })
  for (const listener of listeners) listener(result)
}

// The measuring process says when.
process.on('message', (question) => {
  if (question === 'publish') publish()
  else if (question === 'sources') process.send({ sources: sources.size + listeners.size })
})
