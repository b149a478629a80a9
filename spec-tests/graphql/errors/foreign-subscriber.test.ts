import { GraphQLError } from 'graphql'
import t from 'tap'
import type { Options } from '../../../src/index.js'
import { clientOf } from '../../handler/client-of.js'
import { majors } from '../majors.js'

const sdl = 'type Query { a: Int } type Subscription { count(to: Int): Int }'

type Subscribe = NonNullable<Options['subscribe']>

const headers = { Accept: 'text/event-stream' }
const masked = { message: 'Internal server error' }

function resultsOf(...results: readonly unknown[]): Subscribe {
  return async function* () {
    yield* results
  } as Subscribe
}

/** `results` are those of the stream; a response without one has its errors. */
// oxfmt-ignore
const rows: readonly (readonly [title: string, subscribe: Subscribe, results: readonly object[], bugs: number])[] = [
  ['results',                        resultsOf({ data: { count: 1 } }, { data: { count: 2 } }), [{ data: { count: 1 } }, { data: { count: 2 } }], 0],
  ['a result with errors',           resultsOf({ data: null, errors: [{ message: 'hunter2' }] }), [{ data: null }], 1],
  ['a result without data',          resultsOf({}),                              [{ errors: [masked] }], 1],
  ['a promise of a source',          (async (args) => resultsOf({ data: { count: 1 } })(args)) as Subscribe, [{ data: { count: 1 } }], 0],
  ['an error',                       () => { throw new Error('hunter2') },       [{ errors: [masked] }], 1],
  ['a promise that rejects',         () => Promise.reject(new Error('hunter2')), [{ errors: [masked] }], 1],
  ['an error for clients',           () => { throw new GraphQLError('No.') },    [{ errors: [{ message: 'No.' }] }], 0],
  ['nothing',                        (() => undefined) as never,                [{ errors: [masked] }], 1],
  ['an object instead of a source', (() => ({ data: { count: 1 } })) as never, [{ errors: [masked] }], 1],
  ['errors instead of a source',     () => ({ errors: [{ message: 'No.' } as never] }), [{ errors: [{}] }], 0],
]

for (const [major, module] of majors) {
  for (const [title, subscribe, results, count] of rows) {
    void t.test(`${major}: subscribe gives ${title}`, async (t) => {
      const schema = module.buildSchema(sdl)
      const { send, bugs } = clientOf({ schema, graphql: module, subscribe })
      const response = await send({ json: { query: 'subscription { count }' }, headers })
      const found: unknown[] = []
      for await (const result of response.results()) found.push(result)
      t.match(found, results)
      t.equal(found.length, results.length)
      t.notMatch(JSON.stringify(found), 'hunter2')
      t.equal(bugs.length, count)
    })
  }

  void t.test(`${major}: subscribe gets the arguments of graphql-js`, async (t) => {
    const given: unknown[] = []
    const { send } = clientOf({
      schema: module.buildSchema(sdl),
      graphql: module,
      rootValue: 'root',
      context: () => 'context',
      subscribe: (args) => (given.push(args), resultsOf()(args)),
    })
    const query = 'subscription S($to: Int) { count(to: $to) }'
    await send({ json: { query, variables: { to: 3 } }, headers })
    const ofOperation = { operationName: 'S', variableValues: { to: 3 } }
    const ofHooks = { rootValue: 'root', contextValue: 'context', abortSignal: AbortSignal }
    t.match(given, [{ ...ofOperation, ...ofHooks }])
  })
}
