import { createIde, type IdeOptions } from '@graphwire/ide'
import t from 'tap'
import { buildSchema } from '../../../src/index.js'
import { sourceOf } from '../../streams/stream-test.js'
import { skip, type Tab } from '../clients/drive-browser.js'
import { click, clickIn, openIde, run, setText, textOf } from './drive-ide.js'
import { untilItCan, withIde } from './drive-ide.js'

const ada = { id: 1, name: 'Ada' }

const schema = buildSchema(
  `directive @defer(if: Boolean, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
   type Query { version: String  old: Person @deprecated  person(id: ID!): Person  people(first: Int): People! }
   type People { totalCount: Int!  edges: [Edge!]! }
   type Edge { cursor: String!  node: Person! }
   type Person { id: ID!  name: String!  friends(first: Int!): [Person!]!  best: Person }
   enum Mood { GOOD BAD }
   input NewPerson { name: String!  tags: [String!]!  mood: Mood!  age: Int  friend: NewFriend! }
   input NewFriend @oneOf { id: ID  name: String }
   type Mutation { addPerson(person: NewPerson!, dry: Boolean!): Person! }
   type Subscription { ticks: Int! }`,
  {
    Query: { people: () => ({ totalCount: 1, edges: [{ cursor: 'a', node: ada }] }) },
    Mutation: { addPerson: (_: unknown, { person }: { person: object }) => ({ id: 2, ...person }) },
    Subscription: { ticks: { subscribe: () => sourceOf({ ticks: 1 }) } },
  },
)

function inIde(
  t: Parameters<typeof withIde>[0],
  options: IdeOptions,
  work: (tab: Tab, url: string) => Promise<void>,
): Promise<void> {
  return withIde(t, { schema, ide: createIde(options) }, (tab, { url }) => work(tab, url))
}

async function hasSamples(tab: Tab): Promise<void> {
  await tab.until(`document.querySelectorAll('.bar [role=group] button').length > 0`)
}

async function flat(tab: Tab, name: string): Promise<string> {
  return (await tab.evaluate<string>(textOf(name))).replaceAll(/\s+/g, ' ').trim()
}

// oxfmt-ignore
const samples: readonly [button: string, query: string, variables: object | undefined, facts: RegExp][] = [
  ['Query',        'query People { people(first: 3) { edges { node { id name } } } }', undefined, /^200 OK/],
  ['Mutation',     'mutation AddPerson($person: NewPerson!, $dry: Boolean!) { addPerson(person: $person, dry: $dry) { id name } }',
    { person: { name: 'name', tags: ['tags'], mood: 'GOOD', friend: { id: '1' } }, dry: true }, /^200 OK/],
  ['Subscription', 'subscription Ticks { ticks }', undefined, /^200 OK[^]*1 result[^]*complete/],
  ['@defer',       'query People { people(first: 3) { edges { node { id ... @defer { name } } } } }', undefined, /^200 OK/],
]

void t.test('a start that is made from the schema', { skip }, (t) =>
  inIde(t, { title: 'People API' }, async (tab, url) => {
    await openIde(tab, url)
    await tab.until(`${textOf('operation')}.includes('people')`)
    t.match(await flat(tab, 'operation'), /^# Ctrl-Enter .* query People \{ people\(first: 3\)/)
    t.equal(await tab.evaluate(`document.querySelector('.bar h1').innerText`), 'People API')
    t.equal(await tab.evaluate(`document.querySelector('.bar code').innerText`), url)
    await tab.press('Tab')
    t.equal(await tab.evaluate(`document.activeElement.innerText`), 'Query', 'by the keyboard')
    for (const [button, query, variables, facts] of samples) {
      await clickIn(tab, '.bar', button)
      t.equal(await flat(tab, 'operation'), query)
      const text = await flat(tab, 'variables')
      t.strictSame(text === '' ? undefined : JSON.parse(text), variables)
      await run(tab)
      await tab.until(`${facts}.test(document.querySelector('.facts').innerText)`)
      await untilItCan(tab, 'Execute')
    }
    t.equal(await tab.evaluate(`document.querySelectorAll('.graphiql-tab').length`), 1)
    await setText(tab, 'operation', '{ version }')
    await clickIn(tab, '.bar', 'Query')
    await tab.until(`document.querySelectorAll('.graphiql-tab').length === 2`)
    await click(tab, '.graphiql-tab button')
    await tab.until(`${textOf('operation')} === '{ version }'`)
  }),
)

void t.test('a schema without more has a button for a query alone', { skip }, (t) =>
  withIde(t, { schema: buildSchema('type Query { hello: String }') }, async (tab, { url }) => {
    await openIde(tab, url)
    await hasSamples(tab)
    const texts = `[...document.querySelectorAll('.bar button')].map((one) => one.innerText)`
    t.strictSame(await tab.evaluate(texts), ['Query', 'Authorization', 'Share'])
  }),
)

void t.test('a document of the option, and examples', { skip }, (t) => {
  const query = 'query ($id: ID!) { person(id: $id) { name } }'
  const given = { variables: { id: '7' }, headers: { 'X-Tenant': 'a' } }
  const examples = [{ title: 'One person', query, ...given }]
  return inIde(t, { query: '{ version }', examples }, async (tab, url) => {
    await openIde(tab, url)
    await hasSamples(tab)
    t.equal(await flat(tab, 'operation'), '{ version }')
    await clickIn(tab, '.bar', 'One person')
    t.equal(await flat(tab, 'operation'), query)
    t.equal(await flat(tab, 'variables'), '{ "id": "7" }')
    t.equal(await flat(tab, 'request-headers'), '{ "X-Tenant": "a" }')
  })
})

// oxfmt-ignore
const credentials: readonly [headers: IdeOptions['headers'], link: string, button: string, atFirst: string, then: string][] = [
  [undefined,                                   '',         'Authorization', '',                                    '{ "Authorization": "Bearer " }'],
  [undefined,                                   '#key=k-1', 'Authorization', '{ "Authorization": "Bearer k-1" }',   '{ "Authorization": "Bearer k-1" }'],
  [{ 'X-API-Key': '{key}' },                    '#key=k-1', 'X-API-Key',     '{ "X-API-Key": "k-1" }',              '{ "X-API-Key": "k-1" }'],
  [{ 'X-Tenant': 'a', 'X-API-Key': 'v1 {key}' }, '',        'X-API-Key',     '{ "X-Tenant": "a" }',                 '{ "X-API-Key": "v1 ", "X-Tenant": "a" }'],
]

for (const [headers, link, button, atFirst, then] of credentials) {
  void t.test(`headers ${JSON.stringify(headers)}, opened by ${link || 'no key'}`, { skip }, (t) =>
    inIde(t, { headers }, async (tab, url) => {
      await openIde(tab, url + link)
      await hasSamples(tab)
      t.equal(await tab.evaluate('location.href'), url, 'the key is not in the address')
      t.equal(await flat(tab, 'request-headers'), atFirst)
      await clickIn(tab, '.bar', button)
      await tab.until(`document.querySelector('[data-name=headers]').className.includes('active')`)
      t.equal(await flat(tab, 'request-headers'), then)
      t.notMatch(await tab.evaluate<string>('JSON.stringify(localStorage)'), 'k-1')
    }),
  )
}

void t.test('a link shares an operation, and no server sees it', { skip }, (t) =>
  inIde(t, {}, async (tab, url) => {
    await openIde(tab, url, 'query ($id: ID!) { person(id: $id) { id } }', { id: 'é&#' })
    await tab.evaluate(`navigator.clipboard.writeText = async (text) => { window.copied = text }`)
    await clickIn(tab, '.bar', 'Share')
    await tab.until(`document.querySelector('.bar').innerText.includes('Copied')`)
    const link = await tab.evaluate<string>('copied')
    t.ok(link.startsWith(`${url}#query=`))
    await tab.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('no'))`)
    await clickIn(tab, '.bar', 'Share')
    await tab.until(`document.activeElement.matches('.bar .uncopied textarea')`)
    const selected = `(({ value, selectionStart, selectionEnd }) =>
      value.slice(selectionStart, selectionEnd))(document.activeElement)`
    t.equal(await tab.evaluate(selected), link, 'where browsers forbid it, it is selected')
    await tab.evaluate('localStorage.clear()')
    await tab.open('about:blank')
    tab.log.requests.length = 0
    await openIde(tab, link)
    t.equal(await flat(tab, 'operation'), 'query ($id: ID!) { person(id: $id) { id } }')
    t.equal(await flat(tab, 'variables'), '{ "id": "é&#" }')
    t.ok(tab.log.requests.every((one) => !new URL(one).search.includes('query')))
  }),
)
