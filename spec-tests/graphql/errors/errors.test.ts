import { GraphQLError } from 'graphql'
import t from 'tap'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import { testClient } from '../../../src/hosts/testing.js'
import { thrower } from '../../base/thrower.js'
import { majors } from '../majors.js'
import { createHandler, type BugDetails, type Options } from '../../../src/index.js'
import { clientOf } from '../../handler/client-of.js'

const sdl = `type Query { a: String b: String! list: [String!] n: Int any: Any } scalar Any`

interface FieldError {
  message: string
  path?: (string | number)[]
  extensions?: { code?: string; id?: string; secret?: string }
}

/** Runs `{ a }` with a resolver, and gives the answer beside what `onBug` got. */
async function run(a: () => unknown, options: Partial<Options> = {}, query = '{ a }') {
  const bugs: { readonly bug: unknown; readonly details: BugDetails }[] = []
  const schema = buildSchema(sdl, { Query: { a, b: a, list: a, n: a, any: a } })
  const handler = createHandler({
    schema,
    onBug: (bug, details) => bugs.push({ bug, details }),
    createId: () => 'id-1',
    ...options,
  })
  const response = await testClient(handler)({ json: { query } })
  return { response, body: response.json() as { errors?: FieldError[]; data?: unknown }, bugs }
}

/** How a foreign copy of graphql-js looks: the same name and tag, another class. */
class ForeignGraphQLError extends Error {
  override readonly name = 'GraphQLError'
  get [Symbol.toStringTag](): string {
    return 'GraphQLError'
  }
}

// oxfmt-ignore
const shown: readonly [title: string, error: unknown, message: string][] = [
  ['a GraphQLError of a resolver',   new GraphQLError('Shown.'),                                                'Shown.'],
  ['a GraphQLError of another copy', new ForeignGraphQLError('Shown.'),                                         'Shown.'],
  ['a GraphQLError around another',  new GraphQLError('Outer.', { originalError: new GraphQLError('Inner.') }), 'Outer.'],
]

for (const [title, error, message] of shown) {
  void t.test(`${title} is shown`, async (t) => {
    const { body, bugs, response } = await run(thrower(error))
    t.equal(response.status, 294)
    t.equal(body.errors?.[0]?.message, message)
    t.strictSame(body.errors?.[0]?.path, ['a'])
    t.strictSame(bugs, [])
  })
}

void t.test('what graphql-js says of an argument is cut, but no resolver is', async (t) => {
  const source =
    'type Query { seek(filter: Filter): Int } input Filter { text: String width: Int! = 5 }'
  const query = `query ($n: Int) { seek(filter: { text: "${'a'.repeat(500)}", width: $n }) }`
  for (const [, module] of majors) {
    const { ask } = clientOf({
      schema: module.buildSchema(source),
      graphql: module,
      maxMessageLength: 30,
      rootValue: { seek: thrower(new module.GraphQLError('Said by a resolver. '.repeat(5))) },
    })
    const cut = (await ask(query, { n: null })).json<{ errors: [FieldError] }>().errors[0].message
    t.match(cut, /^Argument /)
    t.ok(cut.length < 40, cut)
    t.match((await ask('{ seek }')).body, `"${'Said by a resolver. '.repeat(5)}"`)
  }
})

const secret = new Error('password=hunter2')
// oxfmt-ignore
const hidden: readonly [title: string, error: unknown, original: unknown][] = [
  ['an Error',                   secret,                                                               secret],
  ['a rejected promise',         secret,                                                               secret],
  ['an Error in a GraphQLError', new GraphQLError('password=hunter2', { originalError: secret }),      secret],
  ['an Error with extensions',   Object.assign(new Error('x'), { extensions: { secret: 'hunter2' } }), undefined],
  ['an Error that is only named GraphQLError', Object.assign(new Error('hunter2'), { name: 'GraphQLError' }), undefined],
]

for (const [title, error, original] of hidden) {
  void t.test(`${title} is masked, and its original goes to onBug with the same id`, async (t) => {
    const resolver = title.includes('promise') ? () => Promise.reject(error) : thrower(error)
    const { body, bugs, response } = await run(resolver)
    t.notMatch(response.body, 'hunter2')
    t.strictSame(body.errors?.[0], {
      message: 'Internal server error',
      locations: [{ line: 1, column: 3 }],
      path: ['a'],
      extensions: { code: 'INTERNAL_SERVER_ERROR', id: 'id-1' },
    })
    t.equal(bugs.length, 1)
    t.equal(bugs[0]?.bug, original ?? error)
    t.strictSame(bugs[0]?.details.path, ['a'])
    t.equal(bugs[0]?.details.id, 'id-1')
  })
}

void t.test('a thrown value that is not an Error is masked', async (t) => {
  const { response, bugs } = await run(thrower('hunter2'))
  t.notMatch(response.body, 'hunter2')
  t.equal(bugs.length, 1)
})

void t.test('a null for a non-nullable field is masked: the server is at fault', async (t) => {
  const { body, bugs } = await run(() => null, {}, '{ b }')
  t.equal(body.errors?.[0]?.message, 'Internal server error')
  t.equal(body.data, null)
  t.match(String(bugs[0]?.bug), /non-null/)
})

void t.test('maskErrors: false shows everything but stacks', async (t) => {
  const { body, bugs, response } = await run(thrower(secret), { maskErrors: false })
  t.equal(body.errors?.[0]?.message, 'password=hunter2')
  t.notMatch(response.body, /\bat .*:\d+:\d+/)
  t.strictSame(bugs, [])
})

void t.test('formatError has the last word on field errors and request errors', async (t) => {
  const formatError: Options['formatError'] = ({ message }) => ({ message: `<${message}>` })
  const field = await run(thrower(secret), { formatError })
  t.strictSame(field.body.errors, [{ message: '<Internal server error>' }])
  const request = await run(thrower(secret), { formatError }, '{ nope }')
  t.match(request.body.errors?.[0]?.message, /^<.*>$/)
})

void t.test('formatError that returns nothing is a bug, which says so', async (t) => {
  const { response, bugs } = await run(thrower(secret), { formatError: () => undefined as never })
  t.equal(response.status, 500)
  t.match(String(bugs.at(-1)?.bug), /expected an error with a message, got undefined\./)
})

/** Changes all that it gets, in place, and sends a copy of it. */
const changeInPlace: Options['formatError'] = (formatted) => {
  const seen = JSON.stringify(formatted)
  change(formatted)
  return { message: seen }
}

function change(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    change(inner)
    Reflect.set(value, key, 'changed')
  }
  if (Array.isArray(value)) value.push('changed')
}

const kept = new GraphQLError('Kept.', {
  path: ['a', 0],
  extensions: { list: ['x'], deep: { name: 'x' }, at: new Date(0) },
})
// oxfmt-ignore
const changeable: readonly [title: string, query: string][] = [
  ['an error of a known document',   '{ nope }'],
  ['an error of its syntax',         '{'],
  ['one that resolvers throw again', '{ a }'],
]
for (const [title, query] of changeable) {
  void t.test(`formatError gets copies: ${title}`, async (t) => {
    const schema = buildSchema(sdl, { Query: { a: thrower(kept) } })
    const send = testClient(createHandler({ schema, formatError: changeInPlace }))
    const first = await send({ json: { query } })
    t.notMatch(first.body, 'changed')
    for (const _ of [1, 2]) t.equal((await send({ json: { query } })).body, first.body)
  })
}

void t.test('formatError gets what extensions hold, also what only itself can send', async (t) => {
  const own = new Date(0)
  const extensions: Record<string, unknown> = { at: own }
  extensions['self'] = extensions
  const formatError: Options['formatError'] = ({ message, extensions: got = {} }) => ({
    message,
    extensions: { isOwn: got['at'] === own, isRound: got['self'] === got },
  })
  const { body } = await run(thrower(new GraphQLError('Round.', { extensions })), { formatError })
  t.match(body.errors, [{ message: 'Round.', extensions: { isOwn: true, isRound: true } }])
})

// oxfmt-ignore
const broken: readonly [title: string, options: Partial<Options>][] = [
  ['context throws',                     { context: thrower(secret) }],
  ['schema function throws',             { schema: thrower(secret) }],
  ['authenticate throws',                { authenticate: thrower(secret) }],
  ['admit throws',                       { admit: thrower(secret) }],
  ['execute throws',                     { execute: thrower(secret) }],
  ['execute rejects',                    { execute: () => Promise.reject(secret) }],
  ['execute gives nothing',              { execute: () => ({}) }],
  ['formatError throws',                 { formatError: thrower(secret) }],
  ['onBug throws too',                   { context: thrower(secret), onBug: thrower(secret) }],
  ['onBug rejects',                      { context: thrower(secret), onBug: () => Promise.reject(secret) }],
  ['formatError is asynchronous',        { formatError: (() => Promise.reject(secret)) as never }],
  ['formatError forgets to answer',      { formatError: (() => undefined) as never }],
  ['admit answers null',                 { admit: (() => null) as never }],
  ['a challenge would break the answer', { admit: () => ({ kind: 'unauthenticated', challenge: 'a\r\nb: c' }) }],
  ['a denial has no time',               { admit: () => ({ kind: 'rate-limited', retryAfter: Number.NaN }) }],
  ['execute fails in its own way',       { execute: (() => ({ errors: [new Error('password=hunter2')] })) as never }],
  ['the error cannot be printed', { onBug: undefined as never, context: thrower({ [Symbol.for('nodejs.util.inspect.custom')]: thrower(new Error('unprintable')) }) }],
]

for (const [title, options] of broken) {
  void t.test(`${title}: a masked 500 as JSON`, async (t) => {
    const consoleError = t.capture(console, 'error', () => {})
    const { response, body, bugs } = await run(thrower(secret), options)
    t.equal(response.status, 500)
    t.notMatch(response.body, 'hunter2')
    t.strictSame(body.errors?.[0], {
      message: 'Internal server error',
      extensions: { code: 'INTERNAL_SERVER_ERROR', id: 'id-1' },
    })
    t.ok(bugs.length > 0 || consoleError().length > 0, 'the bug is reported')
  })
}

void t.test('an answer that JSON cannot hold is a masked 500', async (t) => {
  const { response, bugs } = await run(() => 1n, {}, '{ any }')
  t.equal(response.status, 500)
  t.equal(bugs.length, 1)
})

void t.test('onBug is console.error where none is given', async (t) => {
  const lines = t.capture(console, 'error', () => {})
  const schema = buildSchema(sdl, { Query: { a: thrower(secret) } })
  const { body } = await testClient(createHandler({ schema }))({ json: { query: 'query Q { a }' } })
  const [, id = ''] = /"id":"([^"]+)"/.exec(body) ?? []
  t.match(lines()[0]?.args[0], `${id} operation Q path a Error: ${secret.message}`)
  t.ok(id)
})

void t.test('an error whose path cannot be printed is reported all the same', async (t) => {
  const lines = t.capture(console, 'error', () => {})
  // A fault of the schema, so it is masked.
  const message = 'Int cannot represent non-integer value: x'
  const odd = new GraphQLError(message, { path: [Object.create(null) as string] })
  const schema = buildSchema(sdl, { Query: { a: thrower(odd) } })
  for (const onBug of [undefined, () => Promise.reject(new Error('reporter'))]) {
    const send = testClient(createHandler({ schema, ...(onBug && { onBug }) }))
    const response = await send({ json: { query: 'query Q { a }' } })
    t.equal(response.status, 294, response.body)
  }
  t.ok(lines().length > 1)
})

void t.test('suggestions are silent where introspection is off', async (t) => {
  const on = await run(() => 'x', {}, '{ lisst }')
  t.match(on.body.errors?.[0]?.message, /Did you mean/)
  for (const options of [{ introspection: false }, { suggestions: false }]) {
    const off = await run(() => 'x', options, '{ lisst }')
    t.notMatch(off.body.errors?.[0]?.message, /Did you mean/)
  }
})

void t.test('introspection can be turned off', async (t) => {
  const query = '{ __schema { queryType { name } } }'
  t.equal((await run(() => 'x', {}, query)).response.status, 200)
  const { response, body } = await run(() => 'x', { introspection: false }, query)
  t.equal(response.status, 422)
  t.equal(body.errors?.[0]?.extensions?.code, 'GRAPHQL_VALIDATION_FAILED')
  t.equal((await run(() => 'x', { introspection: false }, '{ __typename }')).response.status, 200)
})

void t.test('the path of an error with a path of its own is not shown', async (t) => {
  const own = { path: ['/etc/hunter2'], locations: [{ hunter2: 1 }] }
  const { response, bugs } = await run(thrower(Object.assign(new Error('hunter2'), own)))
  t.equal(response.status, 294)
  t.notMatch(response.body, 'hunter2')
  t.equal(bugs[0]?.details.path, undefined)
  const plain = await run(thrower(Object.assign(new Error('plain'), own)), { maskErrors: false })
  t.equal(plain.response.status, 294)
  t.strictSame(plain.body.errors, [{ message: 'plain' }])
})

void t.test('a chain of errors without an end in sight is masked', async (t) => {
  let error: Error = new Error('hunter2')
  for (let depth = 0; depth < 20; depth++) {
    error = new GraphQLError('hunter2', { originalError: error })
  }
  const { response, bugs } = await run(thrower(error))
  t.notMatch(response.body, 'hunter2')
  t.match(bugs[0]?.bug, { message: 'hunter2' })
})

void t.test('responseHeaders are on a masked 500 too', async (t) => {
  const responseHeaders = () => ({ 'X-Mine': '1' })
  for (const context of [thrower(secret), () => Promise.reject(secret)]) {
    const { response } = await run(() => 'x', { context, responseHeaders })
    t.equal(response.status, 500)
    t.equal(response.headers.get('x-mine'), '1')
  }
})
