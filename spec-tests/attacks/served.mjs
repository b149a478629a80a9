// What the attacked server serves: lists within lists, a field that waits, one that repeats what it gets, and its own figures.
import { setFlagsFromString } from 'node:v8'
import { setTimeout as pause } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { buildSchema } from 'graphql'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

/** As many types as a large company has, where introspection is what is attacked. */
const manyTypes = Array.from(
  { length: Number(process.env['ATTACKED_TYPES'] ?? 0) },
  (_type, type) => {
    const fields = Array.from({ length: 15 }, (_, field) => `f${field}(a: Int, b: [ID!]): T${type}`)
    return `type T${type} implements Node { id: ID! ${fields.join(' ')} }`
  },
)

const built = buildSchema(`
  type Query {
    hello: String!
    echo(text: String): String
    measure(input: Input): String
    person(id: ID): Person
    people(limit: Int): [Person!]!
    node: Node
    pet: Pet
    wait(ms: Int): String
    figures: Figures
  }
  type Mutation { rename(name: String!): Person }
  interface Node { id: ID! }
  union Pet = Cat | Dog
  type Cat implements Node { id: ID! name: String friends(limit: Int): [Person!]! }
  type Dog implements Node { id: ID! name: String friends(limit: Int): [Person!]! }
  type Address { street: String! city: String! }
  type Person implements Node {
    id: ID!
    name(case: Case): String
    echo(text: String): String
    measure(input: Input): String
    address: Address
    broken: String
    numbers(limit: Int): [Int!]
    best: Person
    friends(limit: Int): [Person!]!
  }
  enum Case { UPPER LOWER }
  input Input { number: Int text: String list: [Int] lists: [[[[Int]]]] input: Input inputs: [Input!] case: Case }
  type Figures { pid: Int! memory: Float! heap: Float! sockets: Int! timers: Int! waiting: Int! }
  ${manyTypes.join('\n')}
`)

const person = {
  id: '1',
  name: 'Ada',
  echo: ({ text }) => text,
  measure: () => 'measured',
  address: { street: 'One', city: 'London' },
  broken: () => {
    throw new Error('the secret of /srv/secret.js')
  },
  numbers: ({ limit }) => Array.from({ length: limit ?? 10 }, (_, at) => at),
  best: () => person,
  friends: ({ limit }) => people(limit ?? 10),
}
const cat = { __typename: 'Cat', id: '2', name: 'Tom', friends: person.friends }

function people(length) {
  return Array.from({ length }, () => person)
}

async function figures() {
  // What has just been let go needs a turn of the loop before it is garbage, and buffers another to be given back.
  for (let collected = 0; collected < 3; collected++) {
    await pause(10)
    collectGarbage()
  }
  const { rss, heapTotal, heapUsed: heap } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  const count = (name) => resources.filter((resource) => resource === name).length
  return {
    pid: process.pid,
    memory: rss - (heapTotal - heap),
    heap,
    sockets: count('TCPSocketWrap'),
    timers: count('Timeout'),
  }
}

let waiting = 0

/** Times of a test, where those of every day would make it long. */
const impatient = {
  headersTimeout: 1500,
  requestTimeout: 2500,
  connectionsCheckingInterval: 100,
  sendTimeout: 1500,
}

/** The options of the server. */
export const schema = () => ({
  schema: built,
  ...(process.env['ATTACKED_TIMES'] === 'short' ? impatient : {}),
  // A report of each masked error would be what is measured.
  onBug: () => {},
  rootValue: {
    hello: 'world',
    echo: person.echo,
    measure: person.measure,
    person: () => person,
    people: ({ limit }) => people(limit ?? 10),
    node: cat,
    pet: cat,
    rename: () => person,
    figures: async () => ({ ...(await figures()), waiting }),
    wait: async ({ ms }, { signal }) => {
      waiting++
      try {
        await pause(ms, undefined, { signal })
      } finally {
        waiting--
      }
      return 'waited'
    },
  },
})
