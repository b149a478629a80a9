import t from 'tap'
import { dataOf, onBothMajors, readStream, sourceOf } from './stream-test.js'

const sdl = `
  type Query { a: Int }
  type Person { id: ID  name: String  who: String  friends: [Person!] pet: Pet }
  interface Pet { name: String }
  type Dog implements Pet { name: String  bark: String }
  type Subscription { person: Person  people: [Person!] }
`

const who = (_: unknown, __: unknown, request: { header(name: string): string | undefined }) =>
  request.header('x-who')

class Counted {
  reads = 0
  get id(): number {
    this.reads += 1
    return 1
  }
}

// Each event is changed between two subscribers: who shares the execution of the first sees the old state.
// oxfmt-ignore
const rows: readonly [title: string, selection: string, event: () => { id?: unknown; name?: string; [more: string]: unknown }, isShared: boolean][] = [
  ['plain data',                     '{ person { id name } }',                        () => ({ id: 1, name: 'old' }),                            true],
  ['a list within',                  '{ person { name friends { id } } }',            () => ({ name: 'old', friends: [{ id: 1 }] }),             true],
  ['a fragment, used twice',         '{ person { ...F ...F friends { ...F } } } fragment F on Person { name }', () => ({ name: 'old', friends: [] }), true],
  ['__typename of an interface',     '{ person { name pet { name __typename } } }',   () => ({ name: 'old', pet: { __typename: 'Dog', name: 'x' } }), true],
  ['a field with a resolver',        '{ person { name who } }',                       () => ({ name: 'old' }),                                   false],
  ['one deep inside',                '{ person { name friends { who } } }',           () => ({ name: 'old', friends: [{}] }),                    false],
  ['one in a fragment',              '{ person { name ... { who } } }',               () => ({ name: 'old' }),                                   false],
  ['a property that is a function',  '{ person { name id } }',                        () => ({ name: 'old', id: () => 1 }),                      false],
  ['a getter',                       '{ person { name friends { id } } }',            () => ({ name: 'old', friends: [new Counted()] }),         false],
  ['a promise',                      '{ person { name id } }',                        () => ({ name: 'old', id: Promise.resolve(1) }),           false],
]

for (const [title, selection, makePerson, isShared] of rows) {
  onBothMajors(t, `${title} is ${isShared ? '' : 'not '}executed once for all`, async (t, make) => {
    const person = makePerson()
    const event = { person }
    const endpoint = make(sdl, {
      Person: { who: who as never },
      Subscription: { person: () => sourceOf(event) },
    })
    const query = `subscription ${selection}`
    const json = { query }
    const [first] = dataOf(await readStream(endpoint, { json, headers: { 'x-who': 'a' } }))
    person.name = 'new'
    const [second] = dataOf(await readStream(endpoint, { json, headers: { 'x-who': 'b' } }))
    t.match(first, { data: { person: { name: 'old' } } })
    t.match(second, { data: { person: { name: isShared ? 'old' : 'new' } } })
  })
}

onBothMajors(t, 'other variables, and other events, are executed anew', async (t, make) => {
  const person = { id: 1, name: 'old' }
  const endpoint = make(sdl, {
    Subscription: {
      person: () => sourceOf({ person }),
      people: () => sourceOf({ people: [person] }),
    },
  })
  const query = 'subscription ($b: Boolean!) { person { id name @include(if: $b) } }'
  const read = async (b: boolean): Promise<unknown> =>
    dataOf(await readStream(endpoint, { json: { query, variables: { b } } }))[0]
  t.strictSame(await read(true), { data: { person: { id: '1', name: 'old' } } })
  t.strictSame(await read(false), { data: { person: { id: '1' } } })
  person.name = 'new'
  t.strictSame(
    await read(true),
    { data: { person: { id: '1', name: 'new' } } },
    'another event object',
  )
})

onBothMajors(t, 'errors are not shared: each has an id of its own', async (t, make) => {
  const event = { people: 5 }
  const endpoint = make(
    sdl,
    { Subscription: { people: () => sourceOf(event) } },
    { onBug: () => undefined },
  )
  const json = { query: 'subscription { people { id } }' }
  const [first] = dataOf(await readStream(endpoint, { json }))
  const [second] = dataOf(await readStream(endpoint, { json }))
  t.match(first, { errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR', id: String } }] })
  t.notSame(first, second)
})

onBothMajors(t, 'a custom executor is never spared', async (t, make, module) => {
  const person = { name: 'old' }
  const event = { person }
  let runs = 0
  const endpoint = make(
    sdl,
    { Subscription: { person: () => sourceOf(event) } },
    {
      execute(args) {
        runs += 1
        return module.execute(args)
      },
    },
  )
  const json = { query: 'subscription { person { name } }' }
  await readStream(endpoint, { json })
  await readStream(endpoint, { json })
  t.equal(runs, 2)
})
