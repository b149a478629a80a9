import t from 'tap'
import { createRestHandler } from '@graphwire/rest'
import { buildSchema } from '../../../src/index.js'
import { testClient } from '../../../src/hosts/testing.js'

void t.test(
  'the headers of a route see what the context option returns, with its type',
  async (t) => {
    const handler = createRestHandler({
      schema: buildSchema('type Query { a: Int }', { Query: { a: () => 1 } }),
      context: async () => ({ user: { id: 7 } }),
      routes: [
        {
          method: 'GET',
          path: '/a',
          operation: '{ a }',
          headers: (_value, { context }) => ({ 'X-User': context.user.id.toFixed() }),
        },
      ],
    })
    const response = await testClient(handler)({ target: '/a' })
    t.equal(response.headers.get('x-user'), '7')
  },
)
