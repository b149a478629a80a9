import t from 'tap'
import { createRestHandler } from '@graphwire/rest'
import { compiledExecution } from '../../src/compiled/index.js'
import { testClient, type TestRequest } from '../../src/hosts/testing.js'
import { createHandler, createState, defineExtension, failure, success } from '../../src/index.js'
import type { Denial, Extension, ExtensionHooks, Options, ResultPart } from '../../src/index.js'
import { thrower } from '../base/thrower.js'
import { majors } from '../graphql/majors.js'
import { clientOf } from '../handler/client-of.js'
import { sourceOf } from '../streams/stream-test.js'

const sdl = `
  interface Named { name: String }
  type Person implements Named { name: String  friends: [Person!]!  pet: Pet }
  type Cat implements Named { name: String }
  union Pet = Cat
  type Query { a: String  who: String  fail: String  me: Person  named: Named }
  type Mutation { m: String }
  type Subscription { s: String }
`

const tom = { __typename: 'Cat', name: 'Tom' }
const rootValue = {
  a: 'x',
  m: 'y',
  who: (_args: unknown, context: { readonly who?: string }) => context.who,
  fail: thrower(new Error('secret')),
  me: { name: 'Ada', friends: [{ name: 'Bob', friends: [] }], pet: tom },
  named: { __typename: 'Person', name: 'Eve' },
  s: () => sourceOf({ s: 'one' }, { s: 'two' }),
}

const engines = majors.toReversed().flatMap(([name, graphql]) =>
  [undefined, compiledExecution({ afterUses: 0 })].map((execution) => ({
    name: `${name}${execution ? ', compiled' : ''}`,
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
    formatError({ message, ...formatted }) {
      note('formatError')
      return { ...formatted, message: `${message}${name}` }
    },
    responseHeaders: () => (note('responseHeaders'), { 'X-Last': name, 'Set-Cookie': `${name}=1` }),
    responseExtensions: () => (note('responseExtensions'), { last: name, [name]: 1 }),
    onResult: (_request, { headers }) => (note('onResult'), headers.set('X-Result', name)),
  } satisfies ExtensionHooks
}

void t.test('the first is asked first, and has the last word after the execution', async (t) => {
  const calls: string[] = []
  const { name: _name, ...options } = noting('3', calls)
  const use = [defineExtension(noting('1', calls)), defineExtension(noting('2', calls))]
  const { headers, body } = await send({ ...options, use, onBug: () => undefined }, '{ a fail }')
  const before = ['admit', 'around', 'context']
  const after = ['formatError', 'responseExtensions', 'proceeded', 'responseHeaders', 'onResult']
  t.strictSame(calls, [
    ...before.flatMap((hook) => [1, 2, 3].map((at) => `${at}.${hook}`)),
    ...after.flatMap((hook) => [3, 2, 1].map((at) => `${at}.${hook}`)),
  ])
  t.match(body, /Internal server error[^"]*321"/)
  t.match(body, /"extensions":{(?:"3":1,"2":1,"1":1|"1":1,"2":1,"3":1),"last":"1"}/)
  t.equal(headers.get('x-last'), '1')
  t.equal(headers.get('x-result'), '1')
  t.strictSame(headers.getSetCookie(), ['3=1', '2=1', '1=1'])
})

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
  const around: Options['around'] = async (_request, proceed) => {
    const response = await proceed()
    seen.push(response.status, response.errors[0]?.extensions?.['code'])
    return response
  }
  const outer = defineExtension({ name: 'transaction', around })
  await send({ use: [outer], around: () => forbidden })
  t.strictSame(seen, [403, 'FORBIDDEN'])
})

void t.test('an observer that fails keeps no other from being called, and is a bug', async (t) => {
  const observers = { outer: 0, own: 0 }
  const bugs: unknown[] = []
  const throwing = defineExtension({ name: 'throws', onResult: thrower(new Error('one')) })
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
  const onResult: Options['onResult'] = ({ principal }) => t.equal(principal, 'ada')
  const identified = { json: { query: '{ a }' }, headers: { 'x-key': 'k' } }
  t.equal((await send({ use: [keys], onResult })).status, 403)
  t.equal((await send({ use: [keys], onResult }, identified)).status, 200)
  const message =
    'use: the extension "keys" has authenticate, and so has another one or the options. Only one may have it.'
  t.throws(() => createHandler({ ...options, use: [keys, keys] }), { message })
  const authenticate = () => success('bob')
  t.throws(() => createHandler({ ...options, use: [keys], authenticate }), { message })
  for (const hook of ['recheck', 'credentialExpiry'] as const) {
    const twice = [keys, keys].map(({ name }) => defineExtension({ name, [hook]: () => true }))
    t.throws(() => createHandler({ ...options, use: twice }), new RegExp(`"keys" has ${hook}, and`))
  }
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
  ['no member that the request has',     [adding({ client: 1, who: 'Ada' })],               undefined,                             /extension "adds": the request has a member "client" of its own/],
  ['no field that the request has',      [adding({ head: 1 })],                             undefined,                             /the request has a member "head" of its own/],
  ['what the request has, to an object', [adding({ head: 1, who: 'Ada' })],                 () => ({}),                            'Ada'],
  ['no instance of a class',             [adding(new Services())],                          undefined,                             /"adds": expected a plain object, got/],
  ['nothing to the instance of a class', [adding({ who: 'Ada' })],                          () => new Services(),                  /option context must return one, not/],
  ['nothing to null', [adding({ who: 'Ada' })],                          () => null,                  /option context must return one, not/],
  ['no number',                          [adding(7)],                                       undefined,                             /context of the extension "adds": expected a plain object, got 7/],
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

const headers = { accept: 'text/event-stream' }
const subscription = { json: { query: 'subscription { s }' }, headers }

for (const { name, options, graphql } of engines) {
  const clientWith = (more: Partial<Options>) => clientOf({ ...options, ...more })

  void t.test(`${name}: members are added to the extensions of every result`, async (t) => {
    const parts: ResultPart[] = []
    const counting = defineExtension({
      name: 'counts',
      responseExtensions: (_request, part) => ({ count: parts.push(part) }),
    })
    const giving = (value: unknown) =>
      defineExtension({ name: 'gives', responseExtensions: () => value as never })
    const wrong = [7, [1], Promise.resolve(1), { toJSON: () => undefined }, { big: 1n }]
    const use = [counting, ...wrong.map(giving), giving(undefined)]
    const { send: client, ask, bugs } = clientWith({ use, batch: {} })
    t.equal((await ask('{ a }')).body, '{"data":{"a":"x"},"extensions":{"count":1}}')
    t.equal(bugs.length, wrong.length)
    const failed = (await ask('{ a fail }')).body
    t.match(failed, /^{"errors":\[.*\],"data":{"a":"x","fail":null},"extensions":{"count":2}}$/)
    const list = await client({ json: [{ query: '{ a }' }, { query: 'mutation { m }' }] })
    t.match(list.body, /"extensions":{"count":3}.*"extensions":{"count":4}/)
    const stream = await client(subscription)
    const events = []
    for await (const event of stream.results()) events.push(event)
    t.strictSame(events, [
      { data: { s: 'one' }, extensions: { count: 5 } },
      { data: { s: 'two' }, extensions: { count: 6 } },
    ])
    const seen = parts.map(({ hasNext, errors }) => (hasNext ? 'more' : `${errors.length} errors`))
    const [none, one] = ['0 errors', '1 errors']
    t.strictSame(seen, [none, one, none, none, 'more', 'more'])
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
    const { ask } = clientWith({ use: [shouting] })
    const query =
      '{ a who me { name friends { name } pet { ... on Cat { name } } } named { name __typename } }'
    const expected = {
      a: 'x!',
      who: null,
      me: { name: 'Ada!', friends: [{ name: 'Bob!' }], pet: { name: 'Tom!' } },
      named: { name: 'Eve!', __typename: 'Person' },
    }
    for (const _ of [1, 2]) t.strictSame((await ask(query)).json(), { data: expected })
    const { schema } = options
    t.equal(asked.length, 11)
    const plain = clientWith({})
    t.equal((await plain.ask('{ a }')).body, '{"data":{"a":"x"}}')
    const dynamic = clientWith({ schema: () => schema, use: [shouting, shouting] })
    for (const _ of [1, 2]) t.equal((await dynamic.ask('{ a }')).body, '{"data":{"a":"x!!"}}')
    t.equal(asked.length, 3 * 11)
    const introspection = graphql.getIntrospectionQuery()
    t.equal((await ask(introspection)).body, (await plain.ask(introspection)).body)
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
    const { body } = await clientWith({ schema, use: [guarding] }).send(subscription)
    t.match(body, 'Not for you.')
    t.strictSame(kinds, ['resolve', 'subscribe'])
  })
}

void t.test('the extensions of parts, and those of an executor', async (t) => {
  let count = 0
  const responseExtensions = (_: unknown, { hasNext }: ResultPart) => ({ n: ++count, hasNext })
  const use = [defineExtension({ name: 'counts', responseExtensions })]
  const accept = 'multipart/mixed; incrementalSpec=v0.2'
  const query = '{ a ... @defer { who } }'
  if (engine.graphql.versionInfo.major >= 17) {
    const parts = []
    const inParts = await send({ use }, { json: { query }, headers: { accept } })
    for await (const part of inParts.results<{ extensions: object }>()) parts.push(part.extensions)
    t.strictSame(parts.at(0), { n: 1, hasNext: true })
    t.strictSame(parts.at(-1), { n: count, hasNext: false })
  }
  const execute = () => ({ data: { a: 'y' }, extensions: { own: 1, n: 0 } })
  const response = await send({ use, execute, execution: undefined })
  const extensions = { own: 1, n: count, hasNext: false }
  t.strictSame(response.json<{ extensions: object }>().extensions, extensions)
})

void t.test('routes have the same extensions', async (t) => {
  const calls: string[] = []
  const wrapField: ExtensionHooks['wrapField'] = ({ field }) =>
    field.name === 'a' ? () => 'wrapped' : undefined
  const use = [defineExtension({ ...noting('1', calls), wrapField })]
  const routes = [{ method: 'GET', path: '/a', operation: '{ a }' }] as const
  const rest = createRestHandler({ ...engine.options, execution: undefined, routes, use })
  const response = await testClient(rest)({ target: '/a' })
  t.equal(response.body, '"wrapped"')
  t.equal(response.headers.get('x-last'), '1')
  const expected = '1.admit 1.around 1.context 1.proceeded 1.responseHeaders 1.onResult'
  t.equal(calls.join(' '), expected)
})

void t.test('what an extension is not, is said at the start', async (t) => {
  const using = (use: unknown, schema: unknown = engine.options.schema) =>
    createHandler({ ...engine.options, schema, use: [use] } as never)
  const wrapping = (wrapped: unknown) =>
    defineExtension({ name: 'x', wrapField: () => wrapped as never })
  const invalid = engine.graphql.buildSchema('type Query', { assumeValidSDL: true })
  const misspelt = { name: 'x', onresult: 1 } as never
  // oxfmt-ignore
  const mistakes: readonly [make: () => unknown, message: RegExp][] = [
    [() => using({ name: 'plain', admit: () => undefined }), /use\[0\]: expected what defineExtension\(\) returns/],
    [() => defineExtension({} as never),                     /defineExtension: name: expected a string/],
    [() => defineExtension(misspelt),                        /onresult is not an option. Did you mean "onResult"/],
    [() => using(wrapping(7)),                               /wrapField: expected a function or undefined for resolve of/],
    [() => using(wrapping(() => 1), 7),                      /schema/],
    [() => using(wrapping(() => 1), invalid),                /Query must define/],
  ]
  for (const [make, message] of mistakes) t.throws(make, message)
})
