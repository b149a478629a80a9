import t from 'tap'
import { createRestHandler } from '@graphwire/rest'
import { compiledExecution } from '../../src/compiled/index.js'
import { testClient, type TestRequest } from '../../src/hosts/testing.js'
import {
  createHandler,
  createState,
  defineExtension,
  failure,
  success,
  type Denial,
  type Extension,
  type ExtensionHooks,
  type Options,
  type ResultPart,
} from '../../src/index.js'
import * as graphql17 from 'graphql'
import * as graphql16 from 'graphql-16'

const sdl = `
  interface Named { name: String }
  type Person implements Named { name: String  friends: [Person!]!  pet: Pet }
  type Cat implements Named { name: String }
  union Pet = Cat
  type Query { a: String  who: String  fail: String  me: Person  named: Named }
  type Mutation { m: String }
  type Subscription { s: String }
`

const rootValue = {
  a: 'x',
  m: 'y',
  who: (_args: unknown, context: { readonly who?: string }) => context.who,
  fail: () => {
    throw new Error('secret')
  },
  me: {
    name: 'Ada',
    friends: [{ name: 'Bob', friends: [] }],
    pet: { __typename: 'Cat', name: 'Tom' },
  },
  named: { __typename: 'Person', name: 'Eve' },
  async *s() {
    yield { s: 'one' }
    yield { s: 'two' }
  },
}

const engines = [graphql17, graphql16 as unknown as typeof graphql17].flatMap((graphql) =>
  [undefined, compiledExecution({ afterUses: 0 })].map((execution) => ({
    name: `graphql ${graphql.version}${execution ? ', compiled' : ''}`,
    graphql,
    options: { schema: graphql.buildSchema(sdl), graphql, execution, rootValue },
  })),
)
const [engine] = engines as [(typeof engines)[number]]

function send(options: Partial<Options>, request: string | TestRequest = '{ a }') {
  const asked = typeof request === 'string' ? { json: { query: request } } : request
  return testClient(createHandler({ ...engine.options, ...options }))(asked)
}

function noting(name: string, calls: string[]) {
  const note = (hook: string): void => void calls.push(`${name}.${hook}`)
  return {
    name,
    admit: () => note('admit'),
    async around(_request, proceed) {
      note('around')
      const response = await proceed()
      note('proceeded')
      return response
    },
    context: () => (note('context'), { [name]: true }),
    formatError: (formatted) => (
      note('formatError'),
      { ...formatted, message: `${formatted.message}${name}` }
    ),
    responseHeaders: () => (note('responseHeaders'), { 'X-Last': name, 'Set-Cookie': `${name}=1` }),
    responseExtensions: () => (note('responseExtensions'), { last: name, [name]: 1 }),
    onResult: (_request, { headers }) => (note('onResult'), headers.set('X-Result', name)),
  } satisfies ExtensionHooks
}

void t.test('the first is asked first, and has the last word after the execution', async (t) => {
  const calls: string[] = []
  const [one, two, own] = ['1', '2', '3'].map((name) => noting(name, calls)) as [
    Hooked,
    Hooked,
    Hooked,
  ]
  const { name: _name, ...options } = own
  const use = [defineExtension(one), defineExtension(two)]
  const { headers, body } = await send({ ...options, use, onBug: () => undefined }, '{ a fail }')
  t.strictSame(calls, [
    ...'1.admit 2.admit 3.admit 1.around 2.around 3.around 1.context 2.context 3.context'.split(
      ' ',
    ),
    ...'3.formatError 2.formatError 1.formatError'.split(' '),
    ...'3.responseExtensions 2.responseExtensions 1.responseExtensions'.split(' '),
    ...'3.proceeded 2.proceeded 1.proceeded'.split(' '),
    ...'3.responseHeaders 2.responseHeaders 1.responseHeaders 3.onResult 2.onResult 1.onResult'.split(
      ' ',
    ),
  ])
  t.match(body, /Internal server error[^"]*321"/)
  t.match(
    body,
    /"extensions":{"3":1,"2":1,"1":1,"last":"1"}|"extensions":{"1":1,"2":1,"3":1,"last":"1"}/,
  )
  t.equal(headers.get('x-last'), '1')
  t.equal(headers.get('x-result'), '1')
  t.strictSame(headers.getSetCookie(), ['3=1', '2=1', '1=1'])
})

type Hooked = ReturnType<typeof noting>

function noDenial(_asked: boolean): undefined {}

const forbidden: Denial = { kind: 'forbidden' }

/* oxfmt-ignore */
for (const [what, use, own, status] of [
  ['the outer one',         [{ admit: () => forbidden }],                                    { admit: () => noDenial(t.fail('asked')) }, 403],
  ['one, later',            [{ admit: async () => forbidden }],                              { admit: () => noDenial(t.fail('asked')) }, 403],
  ['the options',           [{ admit: () => undefined }],                                    { admit: () => forbidden },                    403],
  ['an error for clients',  [{ admit: () => { throw new engine.graphql.GraphQLError('x') } }], { admit: () => noDenial(t.fail('asked')) }, 400],
  ['what it returns wrong', [{ admit: () => 403 as never }],                                 {},                                            500],
  ['an inner around',       [{ around: (_request, proceed) => proceed() }, { around: () => forbidden }], {},                                403],
  ['an outer around',       [{ around: () => forbidden }, { around: () => t.fail('asked') as never }],   {},                                403],
  ['the context of one',    [{ context: () => { throw new engine.graphql.GraphQLError('x') } }], {},                                         400],
] as readonly (readonly [string, readonly Partial<ExtensionHooks>[], Partial<Options>, number])[]) {
  void t.test(`a denial by ${what} stops the request with ${status}`, async (t) => {
    const extensions = use.map((hooks) => defineExtension({ name: 'x', ...hooks }))
    const rest = { a: () => t.fail('executed') }
    const response = await send({ ...own, use: extensions, rootValue: rest, onBug: () => undefined })
    t.equal(response.status, status)
  })
}

void t.test('proceed of an outer around gives the denial of an inner one', async (t) => {
  const seen: unknown[] = []
  const outer = defineExtension({
    name: 'transaction',
    async around(_request, proceed) {
      const response = await proceed()
      seen.push(response.status, response.errors[0]?.extensions?.['code'])
      return response
    },
  })
  await send({ use: [outer], around: () => forbidden })
  t.strictSame(seen, [403, 'FORBIDDEN'])
})

void t.test('an observer that fails keeps no other from being called, and is a bug', async (t) => {
  const observers = { outer: 0, own: 0 }
  const bugs: unknown[] = []
  const throwing = defineExtension({
    name: 'throws',
    onResult: () => {
      throw new Error('one')
    },
    onStreamEnd: () => Promise.reject(new Error('two')),
  })
  const counting = defineExtension({ name: 'counts', onResult: () => void observers.outer++ })
  const use = [counting, throwing, throwing]
  const onResult = (): void => void observers.own++
  await send({ use, onResult, onBug: (bug) => bugs.push(bug) })
  await new Promise((resolve) => setImmediate(resolve))
  t.strictSame(observers, { outer: 1, own: 1 })
  t.equal(bugs.length, 1)
  t.strictSame((bugs[0] as AggregateError).errors.map(String), ['Error: one', 'Error: one'])
})

void t.test('bugs are printed beside an extension with onBug, not beside options', async (t) => {
  const printed: unknown[] = []
  const reported: unknown[] = []
  const use = [defineExtension({ name: 'reports', onBug: (bug) => void reported.push(bug) })]
  t.intercept(console, 'error', { value: (...line: unknown[]) => printed.push(line) })
  await send({ use }, '{ fail }')
  t.strictSame([reported.length, printed.length], [1, 1])
  await send({ use, onBug: () => undefined }, '{ fail }')
  t.strictSame([reported.length, printed.length], [2, 1])
})

void t.test('one of all may identify callers', async (t) => {
  const keys = defineExtension({
    name: 'keys',
    authenticate: ({ headers }) => (headers.includes('k') ? success('ada') : failure(forbidden)),
  })
  const { options } = engine
  const ask = testClient(
    createHandler({
      ...options,
      use: [keys],
      onResult: ({ principal }) => t.equal(principal, 'ada'),
    }),
  )
  t.equal((await ask({ json: { query: '{ a }' } })).status, 403)
  t.equal((await ask({ json: { query: '{ a }' }, headers: { 'x-key': 'k' } })).status, 200)
  const message =
    'use: the extension "keys" has authenticate, and so has another one or the options. Only one may have it.'
  t.throws(() => createHandler({ ...options, use: [keys, keys] }), { message })
  const authenticate = () => success('bob')
  t.throws(() => createHandler({ ...options, use: [keys], authenticate }), { message })
})

const adding = (added: unknown) => defineExtension({ name: 'adds', context: () => added as object })
class Services {
  readonly database = 1
}

/* oxfmt-ignore */
for (const [what, use, context, who] of [
  ['to the request',                     [adding({ who: 'Ada' })],                          undefined,                             'Ada'],
  ['to a plain object',                  [adding({ who: 'Ada' })],                          () => ({ other: 1 }),                  'Ada'],
  ['to one that all requests share',     [adding({ who: 'Ada' })],                          () => Object.freeze({ other: 1 }),     'Ada'],
  ['later',                              [adding(Promise.resolve({ who: 'Ada' }))],         async () => ({ other: 1 }),            'Ada'],
  ['beside another extension',           [adding({ other: 1 }), adding({ who: 'Ada' })],    undefined,                             'Ada'],
  ['no member that the options make',    [adding({ who: 'Ada' })],                          () => ({ who: 'Bob' }),                'Bob'],
  ['no member that the request has',     [adding({ head: 1, who: 'Ada' })],                 undefined,                             'Ada'],
  ['nothing to the instance of a class', [adding({ who: 'Ada' })],                          () => new Services(),                  /option context must return one, not/],
  ['nothing to null', [adding({ who: 'Ada' })],                          () => null,                  /option context must return one, not/],
  ['nothing that is no object',          [adding(7)],                                       undefined,                             /context of the extension "adds": expected an object, got 7/],
] as readonly (readonly [string, readonly Extension[], Options['context'], string | RegExp])[]) {
  void t.test(`an extension adds ${what}`, async (t) => {
    const bugs: unknown[] = []
    const seen: unknown[] = []
    const onResult: Options['onResult'] = ({ head }, _result, made) => {
      seen.push((made as { readonly who?: string } | undefined)?.who)
      t.equal(typeof head, 'object')
    }
    const response = await send({ use, ...(context && { context }), onResult, onBug: (bug) => bugs.push(bug) }, '{ who }')
    if (typeof who !== 'string') return void t.match(String(bugs[0]), who)
    t.strictSame(response.json(), { data: { who } })
    t.strictSame(seen, [who])
  })
}

void t.test('all hooks of an operation share its state, and no other has it', async (t) => {
  const stateOf = createState((): string[] => [])
  const found: string[][] = []
  const tracing = defineExtension({
    name: 'tracing',
    admit: (request) => void stateOf(request).push('admit'),
    context: (request) => (
      stateOf(request).push('context'),
      { note: () => stateOf(request).push('field') }
    ),
    formatError: (formatted, _error, request) => (stateOf(request).push('error'), formatted),
    responseExtensions: (request) => void stateOf(request).push('extensions'),
    onResult: (request, _result, context) => {
      context?.note()
      found.push(stateOf(request))
    },
  })
  const options = { use: [tracing], batch: {}, onBug: () => undefined }
  await send(options, { json: [{ query: '{ fail }' }, { query: '{ a }' }] })
  t.strictSame(found, [
    ['admit', 'context', 'error', 'extensions', 'field'],
    ['admit', 'context', 'extensions', 'field'],
  ])
})

for (const { name, options, graphql } of engines) {
  const handlerOf = (more: Partial<Options>) => testClient(createHandler({ ...options, ...more }))

  void t.test(`${name}: members are added to the extensions of every result`, async (t) => {
    const parts: ResultPart[] = []
    const bugs: unknown[] = []
    const counting = defineExtension({
      name: 'counts',
      responseExtensions: (_request, part) => ({ count: parts.push(part) }),
    })
    const wrong = [7, [1], Promise.resolve(1), { toJSON: () => undefined }, { big: 1n }].map(
      (value) => defineExtension({ name: 'wrong', responseExtensions: () => value as never }),
    )
    const use = [
      counting,
      ...wrong,
      defineExtension({ name: 'none', responseExtensions: () => undefined }),
    ]
    const ask = handlerOf({ use, batch: {}, onBug: (bug) => bugs.push(bug) })
    t.equal(
      (await ask({ json: { query: '{ a }' } })).body,
      '{"data":{"a":"x"},"extensions":{"count":1}}',
    )
    t.equal(bugs.length, wrong.length)
    const failed = await ask({ json: { query: '{ a fail }' } })
    t.match(
      failed.body,
      /^{"errors":\[.*\],"data":{"a":"x","fail":null},"extensions":{"count":2}}$/,
    )
    const list = await ask({ json: [{ query: '{ a }' }, { query: 'mutation { m }' }] })
    t.match(list.body, /"extensions":{"count":3}.*"extensions":{"count":4}/)
    const stream = await ask({
      json: { query: 'subscription { s }' },
      headers: { accept: 'text/event-stream' },
    })
    const events = []
    for await (const event of stream.results()) events.push(event)
    t.strictSame(events, [
      { data: { s: 'one' }, extensions: { count: 5 } },
      { data: { s: 'two' }, extensions: { count: 6 } },
    ])
    t.strictSame(
      parts.map(({ hasNext }) => hasNext),
      [false, false, false, false, true, true],
    )
    t.strictSame(
      parts.map(({ errors }) => errors.length),
      [0, 1, 0, 0, 0, 0],
    )
  })

  void t.test(`${name}: fields are wrapped in a copy of the schema, once`, async (t) => {
    const asked: string[] = []
    const shouting = defineExtension({
      name: 'shouts',
      wrapField({ parentType, field, kind }, resolve) {
        asked.push(`${parentType.name}.${field.name}.${kind}`)
        if (field.name !== 'name' && field.name !== 'a') return undefined
        return async (...given) => `${String(await resolve(...given))}!`
      },
    })
    const ask = handlerOf({ use: [shouting] })
    const query =
      '{ a who me { name friends { name } pet { ... on Cat { name } } } named { name __typename } }'
    const expected = {
      a: 'x!',
      who: null,
      me: { name: 'Ada!', friends: [{ name: 'Bob!' }], pet: { name: 'Tom!' } },
      named: { name: 'Eve!', __typename: 'Person' },
    }
    t.strictSame((await ask({ json: { query } })).json(), { data: expected })
    t.strictSame((await ask({ json: { query } })).json(), { data: expected })
    const { schema } = options
    t.equal(asked.length, 11)
    const plain = handlerOf({})
    t.equal((await plain({ json: { query: '{ a }' } })).body, '{"data":{"a":"x"}}')
    const dynamic = handlerOf({ schema: () => schema, use: [shouting, shouting] })
    for (const _ of [1, 2]) {
      t.equal((await dynamic({ json: { query: '{ a }' } })).body, '{"data":{"a":"x!!"}}')
    }
    t.equal(asked.length, 3 * 11)
    const shown = await ask({ json: { query: graphql.getIntrospectionQuery() } })
    const client = graphql.buildClientSchema(shown.json<{ data: never }>().data)
    const untouched = await plain({ json: { query: graphql.getIntrospectionQuery() } })
    t.equal(
      graphql.printSchema(client),
      graphql.printSchema(graphql.buildClientSchema(untouched.json<{ data: never }>().data)),
    )
  })

  void t.test(`${name}: the function that starts a subscription is wrapped, too`, async (t) => {
    const schema = graphql.buildSchema('type Query { a: String } type Subscription { s: String }')
    const field = schema.getSubscriptionType()?.getFields()['s'] as { subscribe?: unknown }
    field.subscribe = () => rootValue.s()
    const kinds: string[] = []
    const guarding = defineExtension({
      name: 'guards',
      wrapField({ parentType, kind }, resolve) {
        if (parentType.name !== 'Subscription') return undefined
        kinds.push(kind)
        return (...given) => {
          if (kind === 'subscribe') throw new graphql.GraphQLError('Not for you.')
          return resolve(...given)
        }
      },
    })
    const ask = handlerOf({ schema, use: [guarding] })
    const { body } = await ask({
      json: { query: 'subscription { s }' },
      headers: { accept: 'text/event-stream' },
    })
    t.match(body, 'Not for you.')
    t.strictSame(kinds, ['resolve', 'subscribe'])
  })
}

void t.test('the extensions of parts, and those of an executor', async (t) => {
  let count = 0
  const use = [
    defineExtension({
      name: 'counts',
      responseExtensions: (_, { hasNext }) => ({ n: ++count, hasNext }),
    }),
  ]
  const accept = 'multipart/mixed; incrementalSpec=v0.2'
  const query = '{ a ... @defer { who } }'
  if (graphql17.versionInfo.major >= 17) {
    const parts = []
    const inParts = await send({ use }, { json: { query }, headers: { accept } })
    for await (const part of inParts.results<{ extensions: object }>()) parts.push(part.extensions)
    t.strictSame(parts.at(0), { n: 1, hasNext: true })
    t.strictSame(parts.at(-1), { n: count, hasNext: false })
  }
  const execute = () => ({ data: { a: 'y' }, extensions: { own: 1, n: 0 } })
  const response = await send({ use, execute, execution: undefined })
  t.strictSame(response.json<{ extensions: object }>().extensions, {
    own: 1,
    n: count,
    hasNext: false,
  })
})

void t.test('routes have the same extensions', async (t) => {
  const calls: string[] = []
  const use = [
    defineExtension({
      ...noting('1', calls),
      wrapField: ({ field }) => (field.name === 'a' ? () => 'wrapped' : undefined),
    }),
  ]
  const routes = [{ method: 'GET', path: '/a', operation: '{ a }' }] as const
  const response = await testClient(
    createRestHandler({ ...engine.options, execution: undefined, routes, use }),
  )({ target: '/a' })
  t.equal(response.body, '"wrapped"')
  t.equal(response.headers.get('x-last'), '1')
  t.strictSame(
    calls,
    '1.admit 1.around 1.context 1.proceeded 1.responseHeaders 1.onResult'.split(' '),
  )
})

void t.test('what an extension is not, is said at the start', async (t) => {
  const use = [{ name: 'plain', admit: () => undefined }] as never
  t.throws(
    () => createHandler({ ...engine.options, use }),
    /use\[0\]: expected what defineExtension\(\) returns/,
  )
  t.throws(() => defineExtension({} as never), /defineExtension: name: expected a string/)
  t.throws(
    () => defineExtension({ name: 'x', onresult: 1 } as never),
    /onresult is not an option. Did you mean "onResult"/,
  )
  const wrong = defineExtension({ name: 'x', wrapField: () => 7 as never })
  t.throws(
    () => createHandler({ ...engine.options, use: [wrong] }),
    /wrapField: expected a function or undefined for resolve of/,
  )
  const invalid = engine.graphql.buildSchema('type Query', { assumeValidSDL: true })
  const wraps = defineExtension({ name: 'x', wrapField: () => () => 1 })
  t.throws(() => createHandler({ schema: 7 as never, use: [wraps] }), /schema/)
  t.throws(
    () => createHandler({ ...engine.options, schema: invalid, use: [wraps] }),
    /Query must define/,
  )
})
