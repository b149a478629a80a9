import t from 'tap'
import { DocumentCache } from '../../../src/graphql/document/document-cache.js'
import type { Options } from '../../../src/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import { clientOf } from '../../handler/client-of.js'

void t.test('it keeps what was used and forgets the rest, within its entries', async (t) => {
  const cache = new DocumentCache<number>(10, 1e9)
  for (let at = 0; at < 1000; at++) {
    cache.set(`document ${at}`, at)
    t.equal(cache.get('document 0'), 0, 'what is used stays')
  }
  const kept = Array.from({ length: 1000 }, (_, at) => cache.get(`document ${at}`))
  t.ok(kept.filter((entry) => entry !== undefined).length <= 10)
})

void t.test('it is bounded by bytes, and what is too large never enters', async (t) => {
  const cache = new DocumentCache<number>(1000, 100_000)
  cache.set('x'.repeat(100_000), 1)
  t.equal(cache.get('x'.repeat(100_000)), undefined)
  for (let at = 0; at < 1000; at++) cache.set(`${at}`.padEnd(100, 'x'), at)
  const kept = Array.from({ length: 1000 }, (_, at) => cache.get(`${at}`.padEnd(100, 'x')))
  t.ok(kept.filter((entry) => entry !== undefined).length <= 25)
})

void t.test('a cache of nothing keeps nothing', async (t) => {
  const cache = new DocumentCache<number>(0, 0)
  cache.set('a', 1)
  t.equal(cache.get('a'), undefined)
})

/** A client, and how often a document was validated. */
function counting(options: Partial<Options>) {
  let count = 0
  const validationRules = [() => ((count += 1), {})]
  const client = clientOf({ schema: createStandardSchema(), validationRules, ...options })
  return { ...client, validated: () => count }
}

void t.test('stored documents stay, even where no others are kept', async (t) => {
  const documents = { mine: `{ counter }${' '.repeat(10_000)}` }
  const { send, validated } = counting({ documents, documentCacheEntries: 0 })
  for (let round = 0; round < 3; round++) {
    t.equal((await send({ json: { documentId: 'mine' } })).status, 200)
  }
  t.equal(validated(), 1)
})

void t.test('a long document is validated each time: it would evict many others', async (t) => {
  const { ask, validated } = counting({})
  for (let round = 0; round < 2; round++) await ask(`{ counter }${' '.repeat(10_000)}`)
  t.equal(validated(), 2)
})

void t.test('a document is validated once, and an invalid one too', async (t) => {
  const { ask, validated } = counting({})
  for (let round = 0; round < 3; round++) await ask('{ counter }')
  t.equal(validated(), 1)
  for (let round = 0; round < 3; round++) t.equal((await ask('{ nope }')).status, 422)
  t.equal(validated(), 2)
})

void t.test('invalid documents cannot push out valid ones', async (t) => {
  const { ask, validated } = counting({ documentCacheEntries: 20 })
  await ask('{ counter }')
  for (let at = 0; at < 100; at++) await ask(`{ nope${at} }`)
  t.equal(validated(), 101)
  await ask('{ counter }')
  t.equal(validated(), 101)
})
