import { once } from 'node:events'
import { ioredisTransport, createPubSub } from '@graphwire/pubsub'
import { rateLimit, redisCounter } from '@graphwire/rate-limit'
import { redisStore, responseCache } from '@graphwire/response-cache'
import { buildSchema, fieldValue, resumable, success } from 'graphwire'
import { serve, untilSignal } from 'graphwire/node'
import { GraphQLError } from 'graphql'
import { Redis } from 'ioredis'
import { Pool } from 'pg'

const { DATABASE_URL, LIMIT, PORT, REDIS_URL, SCHEMA } = process.env

const database = new Pool({
  connectionString: DATABASE_URL,
  options: `-c search_path=${SCHEMA}`,
})
database.on('error', console.error)
const notes = async (sql, ...values) => (await database.query(sql, values)).rows

// While Redis is away, commands wait this long, and then fail.
const timeout = 2000
const redis = new Redis(REDIS_URL, { commandTimeout: timeout })
redis.on('error', ({ message }) => console.error(message))
await once(redis, 'ready') // otherwise this instance would begin by counting alone
const command = (...words) => redis.call(...words)
const cache = responseCache({ store: redisStore({ command, timeout }), version: () => 'cluster-1' })
const topics = createPubSub({ transport: ioredisTransport(redis), onGap: 'reconnect' })

const sdl = `
  directive @cacheControl(maxAge: Int, scope: CacheControlScope) on FIELD_DEFINITION
  enum CacheControlScope { PUBLIC PRIVATE }
  type Query { note(id: ID!): Note @cacheControl(maxAge: 60, scope: PUBLIC) }
  type Mutation {
    "With the same key, the note is added once."
    add(key: ID!, text: String!): Note!
    edit(id: ID!, text: String!): Note
  }
  type Subscription {
    "Notes from now on, or those after an id. Over SSE, Last-Event-ID takes its place."
    added(after: ID): Note!
  }
  type Note { id: ID! text: String! }
`
const schema = buildSchema(sdl, {
  Query: {
    note: async (_, { id }) => (await notes('select id, text from notes where id = $1', id))[0],
  },
  Mutation: {
    async add(_, { key, text }) {
      // One after another, so that the ids are in the order in which others can see the notes.
      const [note] = await notes(
        `with turn as (select pg_advisory_xact_lock(hashtext(current_schema)))
         insert into notes (key, text) select $1, $2 from turn
         on conflict (key) do update set key = excluded.key returning id, text`,
        key,
        text,
      )
      try {
        await topics.publish('added', {})
      } catch {
        const message = 'The note is stored, but not announced. Repeat with the same key.'
        throw new GraphQLError(message, { extensions: { code: 'NOT_ANNOUNCED' } })
      }
      return note
    },
    edit: async (_, { id, text }) =>
      (await notes('update notes set text = $2 where id = $1 returning id, text', id, text))[0],
  },
  Subscription: { added: { subscribe: follow } },
})

/** The events only wake; the notes come from the database, so that none is missing, and none comes twice. */
async function* follow(_, { after }, { lastEventId, signal }) {
  let last = lastEventId ?? after
  last ??= (await notes('select coalesce(max(id), 0) as id from notes'))[0].id
  yield resumable(undefined, last) // a client whose stream is cut before the first note comes back with this id
  const wakes = topics.subscribe('added', { signal, overflow: 'latest', after: () => [{}] })
  while (!(await wakes.next()).done) {
    for (const note of await notes('select id, text from notes where id > $1 order by id', last)) {
      yield resumable({ added: note }, (last = note.id))
    }
  }
}

const { url, close } = await serve({
  schema,
  port: Number(PORT),
  trustedProxies: 1,
  websocket: true,
  authenticate: ({ headers }) => success(fieldValue(headers, 'x-caller')),
  // Without Redis, clients send their documents again.
  apq: {
    store: {
      get: (id) => redis.get(id),
      set: (id, text) => redis.set(id, text, 'EX', 86_400),
    },
  },
  use: [
    rateLimit({
      limit: Number(LIMIT),
      window: 600,
      by: ({ principal }) => principal,
      counter: redisCounter({ command, timeout }),
    }),
    cache.extension,
  ],
})
console.log(url)
await untilSignal()
// Longer than HAProxy takes to notice that /readyz answers 503.
await close({ delay: 500, spread: 500 })
process.exit()
