// What the attacked server serves: lists within lists, a field that waits, one that repeats what it gets, and its own figures.
import { setFlagsFromString } from 'node:v8'
import { setTimeout as pause } from 'node:timers/promises'
import { runInNewContext } from 'node:vm'
import { buildSchema } from 'graphql'
import { uploads } from '@graphwire/uploads'
import { largeTypes } from './large-schemas.mjs'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

const built = buildSchema(`
  type Query {
    hello: String!
    echo(text: String): String
    measure(input: Input): String
    person(id: ID): Person
    people(limit: Int): [Person!]!
    byIds(ids: [ID!]!): [Person!]!
    search(filter: Filter): [Person!]!
    pet: Pet
    wait(ms: Int): String
    figures: Figures
    load: Load
  }
  type Mutation {
    rename(name: String!): Person
    read(files: [Upload]): [Int]
    last(files: [Upload]): Int
    stall(files: [Upload]): Int
    ignore(files: [Upload]): Int
  }
  scalar Upload
  type Subscription { silence: String flood(bytes: Int!): String }
  interface Node { id: ID! }
  union Pet = Cat | Dog
  type Cat implements Node { id: ID! name: String friends(limit: Int): [Person!]! }
  type Dog implements Node { id: ID! name: String friends(limit: Int): [Person!]! }
  type Person implements Node {
    id: ID!
    name(case: Case): String
    echo(text: String): String
    measure(input: Input): String
    broken: String
    quoted(text: String): String
    unreachable: String
    best: Person
    query: Query
    sought(filter: Filter): Boolean
    has(ids: [ID!]!): [Boolean!]!
    friends(limit: Int): [Person!]!
  }
  enum Case { UPPER LOWER }
  input Input { number: Int text: String list: [Int] lists: [[[[Int]]]] input: Input inputs: [Input!] case: Case }
  input Filter { ids: [ID!] text: String any: [Filter!] width: Int! = 5 ${Array.from({ length: 30 }, (_, at) => `f${at}: Int`).join(' ')} }
  type Load { pid: Int! sockets: Int! waiting: Int! }
  type Figures { pid: Int! memory: Float! heap: Float! sockets: Int! waiting: Int! }
  ${largeTypes(process.env['ATTACKED_TYPES'])}
`)

const person = {
  id: '1',
  name: 'Ada',
  echo: ({ text }) => text,
  measure: () => 'measured',
  broken: () => {
    throw new Error('the secret of /srv/secret.js')
  },
  quoted: ({ text }) => {
    throw new Error(`Invalid cursor ${text}`)
  },
  unreachable: () => {
    const refused = ['::1', '127.0.0.1'].map((address) =>
      Object.assign(new Error(`connect ECONNREFUSED ${address}:5432`), {
        errno: -111,
        code: 'ECONNREFUSED',
        syscall: 'connect',
        address,
        port: 5432,
      }),
    )
    throw new TypeError('fetch failed', { cause: new AggregateError(refused) })
  },
  best: () => person,
  query: () => root,
  sought: () => true,
  has: ({ ids }) => ids.map(() => true),
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
  return { ...load(), memory: rss - (heapTotal - heap), heap }
}

/** What needs no collection of garbage, and is asked for after each attack. */
function load() {
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap')
  return { pid: process.pid, sockets: sockets.length, waiting }
}

let waiting = 0

/** Times of a test, where those of every day would make it long. */
const impatient = {
  headersTimeout: 1500,
  requestTimeout: 2500,
  connectionsCheckingInterval: 100,
  sendTimeout: 1500,
  streamSendTimeout: 1500,
}

/** A source that counts among what waits until it is returned. */
function openSource(next) {
  let isOpen = true
  waiting++
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next,
    async return() {
      if (isOpen) waiting--
      isOpen = false
      return { done: true, value: undefined }
    },
  }
}

const root = {
  silence: () => openSource(() => new Promise(() => {})),
  flood: ({ bytes }) => {
    const event = { flood: 'x'.repeat(bytes) }
    return openSource(async () => ({ done: false, value: event }))
  },
  hello: 'world',
  echo: person.echo,
  measure: person.measure,
  person: () => person,
  search: () => [person],
  people: ({ limit }) => people(limit ?? 10),
  byIds: ({ ids }) => people(ids.length),
  pet: cat,
  rename: () => person,
  read: ({ files }) => Promise.all(files.map(sizeOf)),
  last: ({ files }) => sizeOf(files.at(-1)),
  stall: async ({ files }, { signal }) => {
    await files[0].open()
    return pause(60_000, 0, { signal })
  },
  ignore: ({ files }) => files.length,
  figures,
  load,
  wait: async ({ ms }, { signal }) => {
    waiting++
    try {
      await pause(ms, undefined, { signal })
    } finally {
      waiting--
    }
    return 'waited'
  },
}

async function sizeOf(file) {
  let size = 0
  for await (const bytes of (await file.open()).stream) size += bytes.byteLength
  return size
}

/** Files of some size, and little time for slow clients. */
const withFiles = () => ({
  uploads: uploads({ maxFileBytes: 40_000_000, maxTotalBytes: 60_000_000, timeout: 2000 }),
})

/** The options of the server. */
export const schema = () => ({
  schema: built,
  ...(process.env['ATTACKED_TIMES'] === 'short' ? impatient : {}),
  // Reports would be a part of what is measured.
  ...(process.env['ATTACKED_BUGS'] === 'printed' ? {} : { onBug: () => {} }),
  ...(process.env['ATTACKED_DOCUMENTS'] ? { documents: { hello: '{ hello }' }, apq: {} } : {}),
  ...(process.env['ATTACKED_UPLOADS'] ? withFiles() : {}),
  rootValue: root,
})
