import t from 'tap'
import { testClient } from '../../../src/hosts/testing.js'
import { createRestHandler } from '@graphwire/rest'
import type { Options } from '../../../src/index.js'
import { thrower } from '../../base/thrower.js'
import { clientOf } from '../../handler/client-of.js'
import { majors } from '../../handler/steps/majors.js'

const http = { status: 401, headers: { 'X-Secret': 'hunter2' } }

for (const { name, schema, graphql, GraphQLError } of majors) {
  /** Sends a document whose field `http` throws an error with these extensions. */
  const run = async (extensions: object, options: Partial<Options> = {}, query = '{ http }') => {
    const rootValue = { http: thrower(new GraphQLError('No.', { extensions: { ...extensions } })) }
    const response = await clientOf({ schema, graphql, rootValue, ...options }).ask(query)
    const { errors } = response.json() as { errors: [{ extensions?: object }] }
    return { response, extensions: errors[0].extensions }
  }
  const wrong = new GraphQLError('No.', { extensions: { http } })
  const validationRules: Options['validationRules'] = [
    (context) => ({ Field: () => context.reportError(wrong) }),
  ]

  // oxfmt-ignore
  const rows: readonly [title: string, ran: ReturnType<typeof run>, status: number, sent: object | undefined][] = [
    ['is not sent, and the others are', run({ http, code: 'MINE', more: { http } }), 294, { code: 'MINE', more: { http } }],
    ['is not sent where it is alone',   run({ http }),                               294, undefined],
    ['nor where errors are not masked', run({ http }, { maskErrors: false }),        294, undefined],
    ['nor of a validation rule',        run({}, { validationRules }, '{ a }'),       422, { code: 'GRAPHQL_VALIDATION_FAILED' }],
  ]
  for (const [title, ran, status, sent] of rows) {
    void t.test(`extensions.http ${title}, ${name}`, async (t) => {
      const { response, extensions } = await ran
      t.equal(response.status, status, 'nor does it change the status')
      t.strictSame(extensions, sent)
      t.equal(response.headers.get('x-secret'), null)
    })
  }

  void t.test(`formatError has no such extension, and the last word, ${name}`, async (t) => {
    const seen: unknown[] = []
    const formatError: Options['formatError'] = (formatted, original) => {
      seen.push(formatted.extensions, (original as { extensions?: object }).extensions)
      return { ...formatted, extensions: { http: 'mine' } }
    }
    const { extensions } = await run({ http }, { formatError })
    t.strictSame(seen, [undefined, { http }], 'the thrown error keeps it')
    t.strictSame(extensions, { http: 'mine' })
  })

  void t.test(`it decides nothing for a route, ${name}`, async (t) => {
    const error = new GraphQLError('No.', { extensions: { http, code: 'FORBIDDEN' } })
    const routes = [{ method: 'GET', path: '/http', operation: '{ http }' }] as const
    const rootValue = { http: () => Promise.reject(error) }
    const rest = createRestHandler({ schema, graphql, rootValue, routes })
    const response = await testClient(rest)({ target: '/http' })
    t.equal(response.status, 403)
    t.notMatch(response.body, 'hunter2')
    t.strictSame(error.extensions, { http, code: 'FORBIDDEN' }, 'it keeps it, to be thrown again')
  })
}
