import t from 'tap'
import { testClient } from '../../../src/hosts/testing.js'
import { createHandler, createRestHandler, type Options } from '../../../src/index.js'
import { majors, type Major } from '../../handler/steps/majors.js'

const http = { status: 401, headers: { 'X-Secret': 'hunter2' } }

/** Sends a document whose field `http` throws an error with these extensions. */
async function run(
  { schema, graphql, GraphQLError }: Major,
  extensions: { readonly [name: string]: unknown },
  options: Partial<Options> = {},
  query = '{ http }',
) {
  const handler = createHandler({
    schema,
    graphql,
    rootValue: {
      http: () => {
        throw new GraphQLError('No.', { extensions })
      },
    },
    onBug: () => undefined,
    ...options,
  })
  const response = await testClient(handler)({ json: { query } })
  const { errors } = response.json() as { errors: [{ extensions?: object }] }
  return { response, error: errors[0] }
}

for (const major of majors) {
  void t.test(`extensions.http is not sent, and the others are, ${major.name}`, async (t) => {
    const { response, error } = await run(major, { http, code: 'MINE', more: { http } })
    t.equal(response.status, 294, 'nor does it change the status')
    t.strictSame(error.extensions, { code: 'MINE', more: { http } })
    t.equal(response.headers.get('x-secret'), null)
  })

  void t.test(`where it is alone, no extensions are sent, ${major.name}`, async (t) => {
    const { response, error } = await run(major, { http })
    t.notOk('extensions' in error)
    t.notMatch(response.body, 'hunter2')
  })

  void t.test(`it is not sent where errors are not masked, ${major.name}`, async (t) => {
    const { response } = await run(major, { http }, { maskErrors: false })
    t.notMatch(response.body, 'hunter2')
  })

  void t.test(`nor of an error of a validation rule, ${major.name}`, async (t) => {
    const { GraphQLError } = major
    const validationRules: Options['validationRules'] = [
      (context) => ({
        Field: () => context.reportError(new GraphQLError('No.', { extensions: { http } })),
      }),
    ]
    const { response, error } = await run(major, {}, { validationRules }, '{ a }')
    t.equal(response.status, 422)
    t.strictSame(error.extensions, { code: 'GRAPHQL_VALIDATION_FAILED' })
  })

  void t.test(`formatError has no such extension, and the last word, ${major.name}`, async (t) => {
    const seen: unknown[] = []
    const { error } = await run(
      major,
      { http },
      {
        formatError: (formatted, original) => {
          seen.push(formatted.extensions, (original as { extensions?: object }).extensions)
          return { ...formatted, extensions: { http: 'mine' } }
        },
      },
    )
    t.strictSame(seen, [undefined, { http }])
    t.strictSame(error.extensions, { http: 'mine' })
  })

  void t.test(`the thrown error keeps it, to be thrown again, ${major.name}`, async (t) => {
    const extensions = { http, code: 'MINE' }
    await run(major, extensions)
    t.strictSame(extensions, { http, code: 'MINE' })
  })

  void t.test(`it decides nothing for a route, ${major.name}`, async (t) => {
    const { schema, graphql, GraphQLError } = major
    const handler = createRestHandler({
      schema,
      graphql,
      rootValue: {
        http: () => {
          throw new GraphQLError('No.', { extensions: { http, code: 'FORBIDDEN' } })
        },
      },
      routes: [{ method: 'GET', path: '/http', operation: '{ http }' }],
    })
    const response = await testClient(handler)({ target: '/http' })
    t.equal(response.status, 403)
    t.notMatch(response.body, 'hunter2')
  })
}
