import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { testClient } from '../../../src/hosts/testing.js'
import { buildSchema, createHandler } from '../../../src/index.js'
import { parseMultipart } from '../../incremental/client.js'

/*
 * graphql 17 waits for the next item of an asynchronous iterable while nothing handles those that fail, and leaves promises
 * of a list unread that is delivered in parts. An unhandled rejection would end this process.
 */
const sdl = 'type Query { tasks: [Task!] later: [Task!] names: [String] } type Task { title: String! }'

class Query extends Promise<string> {}

async function* slowly(): AsyncGenerator<object> {
  yield { id: 1 }
  await pause(20)
  yield { id: 2 }
  await pause(20)
  yield { id: 3 }
}

const schema = buildSchema(sdl, {
  Query: {
    tasks: slowly,
    later: async () => slowly(),
    names: () => [new Query((done) => done('a')), new Query((_, fail) => setTimeout(fail, 5, 'no'))],
  },
  Task: {
    title: async ({ id }: { readonly id: number }) => {
      await pause(5)
      if (id === 1) throw new Error('The database is down.')
      return 'x'
    },
  },
})
