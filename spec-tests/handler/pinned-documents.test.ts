import * as graphql from 'graphql'
import t from 'tap'
import { isPromise } from '../../src/base/promise.js'
import { testClient } from '../../src/hosts/testing.js'
import { createHandler, type DocumentSource } from '../../src/index.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'

const text = '{ echo(s: "a") }'
const long = `{ echo(s: "a") } #${'x'.repeat(10_000)}`
const documentCacheEntries = 1

/** A handler, and how often the parser has seen a text. */
function countParses(documents: DocumentSource) {
  const parsed: string[] = []
  const parse = (source: string) => (parsed.push(source), graphql.parse(source))
  const counting = { ...graphql, parse }
  const schema = createStandardSchema()
  const handler = createHandler({ schema, documents, documentCacheEntries, graphql: counting })
  const send = testClient(handler)
  const strangers = async (): Promise<void> => {
    for (let at = 0; at < 20; at++) await send({ json: { query: `{ counter } # ${at}` } })
  }
  const timesOf = (source: string): number => parsed.filter((one) => one === source).length
  return { send, strangers, timesOf }
}

void t.test('documents of a manifest are parsed once, whatever strangers send', async (t) => {
  const { send, strangers, timesOf } = countParses({ text, long })
  t.same([timesOf(text), timesOf(long)], [1, 1])
  await strangers()
  for (const documentId of ['text', 'long']) {
    t.same((await send({ json: { documentId } })).json(), { data: { echo: 'a' } })
  }
  t.same([timesOf(text), timesOf(long)], [1, 1])
})

void t.test('documents of a store are cached like those of strangers', async (t) => {
  const { send, strangers, timesOf } = countParses({ get: () => text })
  await send({ json: { documentId: 'any' } })
  await send({ json: { documentId: 'any' } })
  t.equal(timesOf(text), 1)
  await strangers()
  await send({ json: { documentId: 'any' } })
  t.equal(timesOf(text), 2)
})

for (const documents of [{ text }, { get: () => text }]) {
  const kind = 'text' in documents ? 'a manifest' : 'a store that answers at once'
  void t.test(`a document of ${kind} makes no promise`, async (t) => {
    const handler = createHandler({ schema: createStandardSchema(), documents, trustedOnly: true })
    const headers = ['content-type', 'application/json']
    const body = { read: () => ({ json: { documentId: 'text' } }) }
    const response = handler({ method: 'POST', target: '/graphql', headers, raw: undefined, body })
    t.notOk(isPromise(response))
    t.match(response, { status: 200 })
  })
}
