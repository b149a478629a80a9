import t from 'tap'
import type { TestRequest } from '../../src/hosts/testing.js'
import { createHandler, type Options, type WritableDocumentStore } from '../../src/index.js'
import { collectGarbage } from '../collect-garbage.js'
import { sha256 } from '../../src/base/sha256.js'
import { createMemoryStore } from '../../src/persisted/memory-store.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'
import { clientOf } from './client-of.js'

const text = '{ echo(s: "a") }'

const named = (query: string, more: object = {}): TestRequest => ({
  json: { extensions: { persistedQuery: { version: 1, sha256Hash: sha256(query) } }, ...more },
})
const registering = (query: string): TestRequest => named(query, { query })

const schema = createStandardSchema()
const client = (options: Partial<Options>) => clientOf({ schema, ...options }).send

const code = 'PERSISTED_QUERY_NOT_FOUND'
const notFound = { errors: [{ message: 'PersistedQueryNotFound', extensions: { code } }] }

void t.test('only apq: documentId is not a parameter', async (t) => {
  const send = client({ apq: {} })
  await send(registering(text))
  const response = await send({ json: { documentId: `sha256:${sha256(text)}` } })
  t.match(response.json(), { errors: [{ message: 'The parameter "query" is missing.' }] })
})

// oxfmt-ignore
const notStored: readonly [title: string, query: string][] = [
  ['an invalid document',              '{ x }'],
  ['a document with a syntax error',   '{'],
  ['a document beyond a limit',        `{ ${'echo(s: "a") '.repeat(1000)} }`],
  ['a text that UTF-8 cannot have',    '# \ud800\n{ counter }'],
]
for (const [title, query] of notStored) {
  void t.test(`${title} is not stored`, async (t) => {
    const send = client({ apq: {} })
    t.equal((await send(registering(query))).status >= 400, true)
    t.match((await send(named(query))).json(), notFound)
  })
}

void t.test('the documents of all come first, and cannot be replaced', async (t) => {
  const send = client({ apq: {}, documents: { [`sha256:${sha256(text)}`]: text } })
  t.same((await send(named(text))).json(), { data: { echo: 'a' } })
})

void t.test('the store in memory keeps what was used last', async (t) => {
  const store = createMemoryStore(2000)
  const texts = Array.from({ length: 50 }, (_, at) => `{ echo(s: "${at}") }`)
  store.set('kept', 'k')
  for (const [at, one] of texts.entries()) {
    store.set(`id${at}`, one)
    t.equal(store.get('kept'), 'k')
  }
  t.equal(store.get('id0'), undefined)
  store.set('long', 'x'.repeat(1000))
  t.equal(store.get('long'), undefined)
})

void t.test('maxBytes: 0 stores nothing', async (t) => {
  const send = client({ apq: { maxBytes: 0 } })
  t.equal((await send(registering(text))).status, 200)
  t.match((await send(named(text))).json(), notFound)
})

void t.test('of a URL, only the document is kept', async (t) => {
  const handler = createHandler({ schema, apq: {} })
  await collectGarbage()
  const before = process.memoryUsage().heapUsed
  for (let at = 0; at < 2000; at++) {
    const query = `{nameOfMany${at}:__typename}`
    const persistedQuery = { version: 1, sha256Hash: sha256(query) }
    const extensions = encodeURIComponent(JSON.stringify({ persistedQuery }))
    // As the parser of Node makes it.
    const bytes = Buffer.from(`/?query=${query}&extensions=${extensions}&more=${'x'.repeat(7000)}`)
    const target = bytes.toString('latin1')
    await handler({ method: 'GET', target, headers: [], raw: undefined })
  }
  await collectGarbage()
  const kept = process.memoryUsage().heapUsed - before
  t.ok(kept < 8e6, `${kept} bytes`)
  t.type(handler, 'function', 'it is in use until here')
})

function sharedStore(): WritableDocumentStore & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>()
  return { texts, get: async (id) => texts.get(id), set: async (...entry) => texts.set(...entry) }
}

void t.test('a shared store gets ids with their prefix', async (t) => {
  const store = sharedStore()
  const send = client({ apq: { store } })
  await send(registering(text))
  t.same([...store.texts], [[`sha256:${sha256(text)}`, text]])
  t.equal((await client({ apq: { store } })(named(text))).status, 200)
})

// oxfmt-ignore
const brokenStores: readonly [title: string, store: Partial<WritableDocumentStore>][] = [
  ['get throws',               { get: () => { throw new Error('down') } }],
  ['get rejects',              { get: async () => { throw new Error('down') } }],
  ['get returns a number',     { get: () => 7 as never }],
  ['get returns another text', { get: () => '{ counter }' }],
  ['get does not answer',      { get: () => new Promise(() => {}) }],
  ['set throws',               { set: () => { throw new Error('down') } }],
  ['set rejects',              { set: async () => { throw new Error('down') } }],
  ['set never settles',        { set: () => new Promise(() => {}) }],
]
for (const [title, broken] of brokenStores) {
  void t.test(`a store whose ${title}`, async (t) => {
    const { send, bugs } = clientOf({ schema, apq: { store: { ...sharedStore(), ...broken } } })
    t.equal((await send(named(text))).status, 422)
    t.equal((await send(registering(text))).status, 200)
    t.equal(bugs.length > 0, !title.includes('never'))
  })
}

void t.test('documents on their way to a store that hangs are bounded', async (t) => {
  let calls = 0
  const set = () => new Promise<never>(() => void calls++)
  const send = client({ apq: { store: { get: () => undefined, set } } })
  for (let at = 0; at < 120; at++) await send(registering(`{ echo(s: "${at}") }`))
  t.equal(calls, 100)
})

void t.test('a malformed hash is unknown, and no store is asked for it', async (t) => {
  let asked = 0
  const send = client({ apq: { store: { get: () => void asked++, set: () => undefined } } })
  for (const sha256Hash of ['__proto__', '', 'x'.repeat(100_000), sha256(text).toUpperCase()]) {
    const request = { json: { extensions: { persistedQuery: { version: 1, sha256Hash } } } }
    t.match((await send(request)).json(), notFound)
  }
  t.equal(asked, 0)
})
