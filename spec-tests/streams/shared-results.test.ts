import type { GraphQLScalarType } from 'graphql'
import t from 'tap'
import { toFrozenCopy } from '../../src/base/frozen-data.js'
import type { OperationRequest, Options } from '../../src/index.js'
import { SharedResults } from '../../src/streams/kept.js'
import { dataOf, onBothMajors, readStream, sourceOf } from './stream-test.js'

const sdl = `
  type Query { a: Int }
  scalar Any
  scalar Own
  interface Keeper { who: String }
  type Robot implements Keeper { who: String }
  type Person implements Keeper { id: ID  name: String  seen: Float  any: Any  own: Own  who: String  friends: [Person!] pet: Pet }
  interface Pet { name: String  keeper: Keeper  home: Place }
  type Cat implements Pet { name: String  keeper: Robot  home: Place }
  type Dog implements Pet { name: String  keeper: Person  home: Home  bark: String }
  interface Place { name: String }
  interface Home implements Place { name: String }
  type Kennel implements Place & Home { name: String }
  type Subscription { person: Person  people: [Person!] }
`

type Given = [source: unknown, args: unknown, request: OperationRequest]
const who = (...[, , request]: Given) => request.header('x-who')

const frozen = (event: object): object => toFrozenCopy(event) as object
/** Frozen, but not to the last. */
const shallow = (person: object): object => Object.freeze({ person })
const dog = Object.freeze(Object.assign(new Date(), { __typename: 'Dog', name: 'x' }))
const json = { query: 'subscription { person { name } }' }

// Each row is read by two subscribers; `seen` is serialized once if they share the execution.
// oxfmt-ignore
const rows: readonly [title: string, selection: string, event: object, isShared: boolean][] = [
  ['frozen data',                         '{ person { seen name } }',                   frozen({ person: { seen: 1, name: 'x' } }),                             true],
  ['a list within',                       '{ person { seen friends { id } } }',         frozen({ person: { seen: 1, friends: [{ id: 1 }] } }),                  true],
  ['a fragment, used twice',              '{ person { seen ...F ...F friends { ...F } } } fragment F on Person { name }', frozen({ person: { seen: 1, friends: [] } }), true],
  ['__typename of an interface',          '{ person { seen pet { name __typename } } }', frozen({ person: { seen: 1, pet: { __typename: 'Dog', name: 'x' } } }), true],
  ['a scalar without functions',          '{ person { seen any } }',                    frozen({ person: { seen: 1, any: 2 } }),                                true],
  ['a scalar with an output function',    '{ person { seen own } }',                    frozen({ person: { seen: 1, own: 2 } }),                                false],
  ['a field with a resolver',             '{ person { seen who } }',                    frozen({ person: { seen: 1 } }),                                        false],
  ['a resolver deep inside',              '{ person { seen friends { who } } }',        frozen({ person: { seen: 1, friends: [{}] } }),                         false],
  ['a resolver in a fragment',            '{ person { seen ... { who } } }',            frozen({ person: { seen: 1 } }),                                        false],
  ['an inline fragment',                  '{ person { seen ... { name } ... on Person { id } } }', frozen({ person: { seen: 1 } }),                             true],
  ['a resolver of one of several types',  '{ person { seen pet { keeper { who } } } }', frozen({ person: { seen: 1, pet: { __typename: 'Dog', keeper: { __typename: 'Person' } } } }), false],
  ['a narrower interface that decides',   '{ person { seen pet { home { name } } } }',  frozen({ person: { seen: 1, pet: { __typename: 'Dog', home: { name: 'x' } } } }), false],
  ['data that the source can change',     '{ person { seen } }',                        { person: { seen: 1 } },                                                false],
  ['data that is frozen at its root only', '{ person { seen } }',                       shallow({ seen: 1 }),                                                   false],
  ['a property that is a function',       '{ person { seen id } }',                     shallow(Object.freeze({ seen: 1, id: () => 1 })),                       false],
  ['a getter',                            '{ person { seen id } }',                     shallow(Object.freeze({ seen: 1, get id() { return 1 } })),             false],
  ['an object of a class',                '{ person { seen pet { name } } }',           shallow(Object.freeze({ seen: 1, pet: dog })),                          false],
  ['a promise',                           '{ person { seen id } }',                     shallow(Object.freeze({ seen: 1, id: Promise.resolve(1) })),            false],
]

for (const [title, selection, event, isShared] of rows) {
  onBothMajors(
    t,
    `${title} is ${isShared ? '' : 'not '}executed once for all`,
    async (t, make, module) => {
      let serialized = 0
      const count = (value: unknown): unknown => ((serialized += 1), value)
      const float = module.specifiedScalarTypes?.find(({ name }) => name === 'Float')
      const { serialize, coerceOutputValue } = float as GraphQLScalarType
      Object.assign(float ?? {}, { serialize: count, coerceOutputValue: count })
      t.teardown(() => Object.assign(float ?? {}, { serialize, coerceOutputValue }))
      const context = (request: OperationRequest): OperationRequest => {
        const echo = (value: unknown): unknown => value
        const own = { serialize: echo, coerceOutputValue: echo }
        Object.assign(request.schema.getType('Own') ?? {}, own)
        Object.assign(request.schema.getType('Home') ?? {}, { resolveType: () => 'Kennel' })
        return request
      }
      const person = () => sourceOf(event)
      const resolvers = { Person: { who: who as never }, Subscription: { person } }
      const endpoint = make(sdl, resolvers, { context })
      const query = `subscription ${selection}`
      for (const name of ['a', 'b']) {
        const request = { json: { query }, headers: { 'x-who': name } }
        const [result] = dataOf(await readStream(endpoint, request))
        t.match(result, { data: { person: { seen: 1 } } })
      }
      t.equal(serialized, isShared ? 1 : 2)
    },
  )
}

onBothMajors(t, 'events that are not objects are executed for each subscriber', async (t, make) => {
  const endpoint = make(sdl, { Subscription: { person: () => sourceOf<unknown>('Ada', null, 1) } })
  const nothing = { data: { person: null } }
  const results = dataOf(await readStream(endpoint, { json }))
  t.strictSame(results.slice(0, 3), [nothing, nothing, nothing])
})

onBothMajors(t, 'what a source adds for its subscriber is not sent to others', async (t, make) => {
  const event: { person: { name?: string } } = { person: {} }
  async function* person(...given: Given) {
    event.person.name = `for ${who(...given)}`
    yield event
  }
  const endpoint = make(sdl, { Subscription: { person } })
  for (const name of ['an admin', 'a guest']) {
    const [result] = dataOf(await readStream(endpoint, { json, headers: { 'x-who': name } }))
    t.strictSame(result, { data: { person: { name: `for ${name}` } } })
  }
})

onBothMajors(t, 'a source that changes its one object sends each state', async (t, make) => {
  const event = { person: { name: '' } }
  const person = async function* (): AsyncGenerator<object> {
    for (const name of ['one', 'two']) {
      event.person.name = name
      yield event
    }
  }
  const endpoint = make(sdl, { Subscription: { person } })
  const states = ['one', 'two'].map((name) => ({ data: { person: { name } } }))
  t.strictSame(dataOf(await readStream(endpoint, { json })).slice(0, 2), states)
})

onBothMajors(t, 'other variables are executed anew', async (t, make) => {
  const event = frozen({ person: { id: 1, name: 'x' } })
  const endpoint = make(sdl, { Subscription: { person: () => sourceOf(event) } })
  const query = 'subscription ($b: Boolean!) { person { id name @include(if: $b) } }'
  const read = async (b: boolean): Promise<unknown> =>
    dataOf(await readStream(endpoint, { json: { query, variables: { b } } }))[0]
  t.strictSame(await read(true), { data: { person: { id: '1', name: 'x' } } })
  t.strictSame(await read(false), { data: { person: { id: '1' } } })
})

onBothMajors(t, 'errors are not shared: each has an id of its own', async (t, make) => {
  const event = frozen({ people: 5 })
  const people = () => sourceOf(event)
  const endpoint = make(sdl, { Subscription: { people } }, { onBug: () => undefined })
  const request = { json: { query: 'subscription { people { id } }' } }
  const [first] = dataOf(await readStream(endpoint, request))
  const [second] = dataOf(await readStream(endpoint, request))
  t.match(first, { errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR', id: String } }] })
  t.notSame(first, second)
})

onBothMajors(t, 'a custom executor is never spared', async (t, make, module) => {
  const person = () => sourceOf(frozen({ person: { name: 'x' } }))
  let runs = 0
  const execute: Options['execute'] = (args) => ((runs += 1), module.execute(args))
  const endpoint = make(sdl, { Subscription: { person } }, { execute })
  await readStream(endpoint, { json })
  await readStream(endpoint, { json })
  t.equal(runs, 2)
})

void t.test('results are bounded together, since events may wait for slow readers', async (t) => {
  const results = new SharedResults()
  const events = [1, 2, 3].map((id) => frozen({ id }))
  for (const event of events) results.keep(event, 'key', 'x'.repeat(9 * 1024 * 1024))
  const areKept = events.map((event) => results.find(event, 'key') !== undefined)
  t.strictSame(areKept, [false, false, true])
})
