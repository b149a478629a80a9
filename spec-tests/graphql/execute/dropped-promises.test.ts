import { setTimeout as pause } from 'node:timers/promises'
import type { GraphQLResolveInfo } from 'graphql'
import t from 'tap'
import { compiledExecution } from '../../../src/compiled/index.js'
import { buildSchema } from '../../../src/index.js'
import type { ExecuteFunction, OperationRequest, Options } from '../../../src/index.js'
import { thrower } from '../../base/thrower.js'
import { clientOf } from '../../handler/client-of.js'
import { majors } from '../majors.js'

type Resolvers = NonNullable<Parameters<typeof buildSchema>[1]>

/** Each time another error. */
const no = (): never => thrower(new Error('No.'))()
const noLater = () => pause(5).then(no)

/** A thenable that runs its listener from a timer of its own, where a throw would end the process. */
const fromTimer = (then: (ok: (value: unknown) => void) => void) => ({
  // oxlint-disable-next-line unicorn/no-thenable -- it is what the rows are about
  then: (ok: (value: unknown) => void) => setTimeout(() => then(ok), 5),
})

async function* lateItems() {
  yield {}
  await pause(20)
}

/** Its constructor takes no length, as those of some libraries. */
class Rows extends Array<unknown> {
  constructor(length?: number) {
    super()
    if (length !== undefined) throw new TypeError('Rows have no length yet.')
  }
}

const unreadable = Object.defineProperty({ done: false }, 'value', { get: no })
const strict = new Proxy(
  { x: 1 },
  {
    get: (of, name) => (name === 'then' || name in of ? Reflect.get(of, name) : no()),
  },
)

/** The operation is over before its objects are there, whose members then fail. */
const overSoon = 'type Query { s: [A] n: [[A]] b: Int! } type A { x: Int }'
const noSoon = () => pause(1).then(no)
const lateObject = () => pause(10).then(() => ({ x: noLater() }))
const lateThenable = () => fromTimer((ok) => ok({ x: noLater() }))
function* one(item: unknown) {
  yield item
}

const union = 'union U = A | B  type A { x: String! } type B { y: String! }'
const both = [{ __typename: 'A' }, { __typename: 'B' }]
const differing: Resolvers = { Query: { s: () => both }, A: { x: noLater }, B: { y: no } }
const fields = '{ s { ... on A { x } ... on B { y } } }'

/** `data` is null, or in it a list whose item fails, or its parent. */
type Row = readonly [name: string, query: string, data: object | null, sdl: string, Resolvers]

// oxfmt-ignore
const rows: readonly Row[] = [
  ['types that fail later and at once', fields, null,              `type Query { s: [U!]! } ${union}`,  differing],
  ['a nullable list of them',           fields, { s: null },       `type Query { s: [U!] } ${union}`,   differing],
  ['a list by a promise',               fields, { s: null },       `type Query { s: [U!] } ${union}`,   { ...differing, Query: { s: async () => both } }],
  ['lists in lists',                    fields, { s: [null, []] }, `type Query { s: [[U!]] } ${union}`, { ...differing, Query: { s: () => [both, []] } }],
  [
    'lists in lists that may not be null',
    fields,
    { s: null },
    `type Query { s: [[U!]!] } ${union}`,
    { ...differing, Query: { s: () => [[both[0]], Promise.resolve(both)] } },
  ],
  ['a list of promises before another list', '{ s }', { s: null }, 'type Query { s: [[Int!]!] }',     { Query: { s: () => [[1], [noLater()], ['x']] } }],
  ['a set',                                  fields,  { s: null }, `type Query { s: [U!] } ${union}`, { ...differing, Query: { s: () => new Set(both) } }],
  [
    'a row without a column',
    '{ s { name x } }',
    { s: null },
    'type Query { s: [A!] } type A { name: String! x: String! }',
    { Query: { s: () => [{ name: 'a' }, {}] }, A: { x: noLater } },
  ],
  ['methods of the items', '{ s { x } }', { s: null }, 'type Query { s: [A!] } type A { x: String! }', { Query: { s: () => [{ x: noLater }, { x: no }] } }],
  ['items that are null behind a promise',  '{ s }', { s: null }, 'type Query { s: [Int!] }', { Query: { s: () => [noLater(), null] } }],
  ['a promise behind an item that is null', '{ s }', { s: null }, 'type Query { s: [Int!] }', { Query: { s: () => [null, noLater()] } }],
  ['a wrong scalar behind a promise',       '{ s }', { s: null }, 'type Query { s: [Int!] }', { Query: { s: () => [noLater(), 'x'] } }],
  ['a promise within a nullable list within a list', '{ s { n b } }', { s: null }, 'type Query { s: [A!] } type A { n: [Int!]! b: Int! }', {
    Query: { s: () => [{ n: [noLater()], b: 1 }, { n: [], b: 'x' }] },
  }],
  ['a generator that throws behind a promise', '{ s }', { s: null }, 'type Query { s: [Int!] }', {
    Query: {
      s: function* () {
        yield noLater()
        no()
      },
    },
  }],
  ['lists of a generator behind one that is null', '{ s }', { s: null }, 'type Query { s: [[Int!]!] }', { Query: { s: () => [null, [noLater()]].values() } }],
  [
    'types that are found later',
    '{ s { x } }',
    { s: null },
    'type Query { s: [I!] } interface I { x: Int } type A implements I { x: Int } type B implements I { x: Int! }',
    { Query: { s: () => [{ late: true }, { x: 'x' }] }, I: { __resolveType: ({ late }: { late?: boolean }) => (late ? noLater() : 'B') } },
  ],
  ['a thenable that calls back from a timer', '{ s }', { s: null }, 'type Query { s: Int }', { Query: { s: () => fromTimer((ok) => ok('x')) } }],
  ['a thenable that gives a thenable', '{ s }', { s: 7 }, 'type Query { s: Int }', { Query: { s: () => fromTimer((ok) => ok(fromTimer((own) => own(7)))) } }],
  ['such a thenable as an item', '{ s }', { s: [null, 2] }, 'type Query { s: [Int] }', { Query: { s: () => [fromTimer((ok) => ok('x')), 2] } }],
  ['a thenable that gives a list that cannot be begun', '{ s }', { s: null }, 'type Query { s: [Int!] }', { Query: { s: () => fromTimer((ok) => ok({ [Symbol.asyncIterator]: no })) } }],
  ['a thenable that calls back with a promise of a list', '{ s { x } }', { s: null }, 'type Query { s: [A!] } type A { x: Int! }', {
    Query: { s: () => fromTimer((ok) => ok(Promise.resolve(lateItems()))) },
    A: { x: noLater },
  }],
  ['a list of another class with a thenable', '{ s }', { s: [1, 2] }, 'type Query { s: [Int] }', { Query: { s: () => Rows.from([fromTimer((ok) => ok(1)), 2]) } }],
  ['an item that cannot be read', '{ s }', { s: null }, 'type Query { s: [Int] }', { Query: { s: () => ({ [Symbol.asyncIterator]: () => ({ next: async () => unreadable }) }) } }],
  ['an object that throws for what it lacks', '{ s { x } }', { s: { x: 1 } }, 'type Query { s: A } type A { x: Int }', { Query: { s: () => strict } }],
  ['such an object by a thenable', '{ s { x } }', { s: { x: 1 } }, 'type Query { s: A } type A { x: Int }', { Query: { s: () => fromTimer((ok) => ok(strict)) } }],
  ['a promise before a hole', '{ s }', { s: null }, 'type Query { s: [Int!] }', { Query: { s: () => Object.assign([noLater()], { length: 2 }) } }],
  [
    'a list with a promise before a hole',
    '{ s }',
    { s: null },
    'type Query { s: [[Int!]!] }',
    { Query: { s: () => Object.assign([[noLater()]], { length: 2 }) } },
  ],
  [
    'a list by a promise behind an item that is null',
    '{ s }',
    { s: null },
    'type Query { s: [[Int!]!] }',
    { Query: { s: () => [Promise.resolve([noLater(), null]), null] } },
  ],
  ['the values of a map behind one that is null', '{ s }', { s: null }, 'type Query { s: [Int!] }', {
    Query: { s: () => new Map([[1, null], [2, noLater()]]).values() },
  }],
  ['a list behind too many failures', '{ s { x y: x } }', null, 'type Query { s: [A] } type A { x: Int }', {
    Query: { s: () => [{}, {}, noLater()] },
    A: { x: no },
  }],
  ['an object whose non-null field fails', '{ s { x name } }', { s: null }, 'type Query { s: A } type A { x: Int! name: String }', {
    Query: { s: () => ({ name: noLater() }) },
    A: { x: no },
  }],
  ['objects in a list behind too many failures', '{ s { x name } }', null, 'type Query { s: [A] } type A { x: Int name: String }', {
    Query: { s: () => Array.from({ length: 5 }, () => ({ name: noLater() })) },
    A: { x: no },
  }],
  ['an object behind too many failures', '{ s { x y: x z: x name } }', null, 'type Query { s: A } type A { x: Int name: String }', {
    Query: { s: () => ({ name: noLater() }) },
    A: { x: no },
  }],
  ['objects that a generator gives too late', '{ s { x } b }', null, overSoon, { Query: { s: () => one(lateObject()), b: noSoon } }],
  ['such an object by a thenable', '{ s { x } b }', null, overSoon, { Query: { s: () => one(lateThenable()), b: noSoon } }],
  ['a thenable in a set', '{ s { x } b }', null, overSoon, { Query: { s: () => new Set([lateThenable()]), b: noSoon } }],
  ['a thenable in lists', '{ n { x } b }', null, overSoon, { Query: { n: () => [[lateThenable()]], b: noSoon } }],
  ['a thenable in a list by a promise', '{ n { x } b }', null, overSoon, { Query: { n: () => [pause(1, [lateThenable()])], b: noSoon } }],
  [
    'nothing that fails',
    fields,
    { s: [{ x: 'x' }, { y: 'y' }] },
    `type Query { s: [U!]! } ${union}`,
    { Query: { s: () => both }, A: { x: async () => 'x' }, B: { y: () => 'y' } },
  ],
]

const dropped: unknown[] = []
process.on('unhandledRejection', (reason) => dropped.push(reason))
process.on('uncaughtException', (reason) => dropped.push(reason))

for (const [major, graphql] of majors) {
  const clientFor = (sdl: string, resolvers: Resolvers, options: Partial<Options> = {}) =>
    clientOf({ graphql, schema: buildSchema(sdl, resolvers, { graphql }), ...options })

  const executions = { interpreted: undefined, compiled: compiledExecution({ afterUses: 0 }) }
  for (const [how, execution] of Object.entries(executions)) {
    for (const [name, query, data, rowSdl, resolvers] of rows) {
      void t.test(`${major}, ${how}: no promise is left to reject: ${name}`, async (t) => {
        dropped.length = 0
        const options = { maxFieldErrors: 2, ...(execution && { execution }) }
        const response = await clientFor(rowSdl, resolvers, options).ask(query)
        await pause(30)
        t.same((response.json() as { data: unknown }).data, data)
        t.same(dropped, [])
      })
    }
  }

  void t.test(`${major}: nor when resolvers stop at the deadline`, async (t) => {
    dropped.length = 0
    const stopping = 'type Query { s: [A!]! } type A { x: String! name: String! }'
    const s = () => pause(40, [{ name: 'a' }, { name: 'b' }])
    const x = (_: unknown, __: unknown, { signal }: OperationRequest) => pause(20, 'x', { signal })
    const { ask } = clientFor(stopping, { Query: { s }, A: { x } }, { executionTimeout: 20 })
    t.equal((await ask('{ s { x name } }')).status, 503)
    await pause(80)
    t.same(dropped, [])
  })

  void t.test(`${major}: lists of which nothing waits are completed at once`, async (t) => {
    const { handler } = clientFor(
      'type Query { s: [A!]! n: [[Int!]!]! } type A { id: ID! x: String }',
      { Query: { s: () => [{ id: 1 }], n: () => [[1], new Set([2])] }, A: { x: () => 'x' } },
    )
    const target = `/?query=${encodeURIComponent('{ s { id x } n }')}`
    const reply = handler({ method: 'GET', target, headers: [], raw: undefined })
    t.match(reply, { status: 200, body: '{"data":{"s":[{"id":"1","x":"x"}],"n":[[1],[2]]}}' })
  })

  void t.test(`${major}: an executor of one's own gets lists as they are`, async (t) => {
    const schema = buildSchema(
      'type Query { s: [A!]! } type A { x: String }',
      { Query: { s: () => [{}, {}] }, A: { x: async () => 'x' } },
      { graphql },
    )
    await clientOf({ graphql, schema }).ask('{ s { x } }')
    const given: unknown[] = []
    const execute: ExecuteFunction = (args) => {
      const { s: field } = args.schema.getQueryType()?.getFields() ?? {}
      const operation = args.document.definitions[0]
      const info = { operation, returnType: field?.type } as unknown as GraphQLResolveInfo
      given.push(...[field?.resolve?.({}, {}, {}, info)].flat())
      return { data: null }
    }
    await clientOf({ graphql, schema, execute }).ask('{ s { x } }')
    t.same(given, [{}, {}])
  })
}
