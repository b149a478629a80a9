import t from 'tap'
import { sha256 } from '../../../src/base/sha256.js'
import { testClient } from '../../../src/hosts/testing.js'
import { buildSchema, createHandler } from '../../../src/index.js'
import { postBytes } from '../hosts/raw-client.js'
import { checkResponse } from './check-response.js'
import { attacksOf, bodyAttacks, runAttacks, type AttackRow } from './run-attacks.js'

const apollo = (hash: string, more = ''): string =>
  `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":${hash}}}${more}}`

/** A document with its hash, padded by a comment that makes each of them another. */
const padded = (at: number): string => {
  const query = `{ hello } #${String(at).padEnd(60_000, 'x')}`
  return apollo(JSON.stringify(sha256(query)), `,"query":${JSON.stringify(query)}`)
}

// oxfmt-ignore
const bodies: readonly AttackRow[] = [
  ['an id of 1 MB',                       `{"documentId":"${'x'.repeat(1_000_000)}"}`,          422, 'DOCUMENT_NOT_FOUND'],
  ['an id of 300,000 colons',             `{"documentId":"${':'.repeat(300_000)}"}`,            422, 'DOCUMENT_NOT_FOUND'],
  ['an id in __proto__',                  '{"__proto__":{"documentId":"hello"}}',               422, 'INVALID_PARAMETER'],
  ['a lone surrogate as id',              '{"documentId":"\\ud800"}',                           422, 'DOCUMENT_NOT_FOUND'],
  ['a hash of 1 MB',                      apollo(`"${'0'.repeat(1_000_000)}"`),                 422, 'PERSISTED_QUERY_NOT_FOUND'],
  ['a hash in __proto__',                 '{"extensions":{"__proto__":{"persistedQuery":7}},"query":"{ hello }"}', 200],
  ['a document with lone surrogates',     apollo(`"${sha256('# \ufffd\n{ hello }')}"`, ',"query":"# \\ud800\\n{ hello }"'), 422, 'DOCUMENT_MISMATCH'],
]

/** More than the store in memory holds, so a leak would show. */
const flood = attacksOf({
  async '200 documents of 60,000 characters, each with its hash'(t, { connect }) {
    const client = await connect()
    for (let at = 0; at < 200; at++) {
      checkResponse(t, await client.ask(postBytes(padded(at))), { status: 200 })
    }
  },
})

runAttacks('a server bears names of documents of every kind', [...bodyAttacks(bodies), ...flood], {
  rounds: 2,
  env: { ATTACKED_DOCUMENTS: 'stored' },
})

void t.test('a manifest of 100,000 documents is loaded once, and each is found', async (t) => {
  const count = 100_000
  const schema = buildSchema('type Query { hello: String }', { Query: { hello: () => 'world' } })
  const texts = Array.from({ length: count }, (_, at) => [`id-${at}`, `query Q${at} { hello }`])
  const documents = Object.fromEntries(texts) as { readonly [id: string]: string }
  const started = performance.now()
  const send = testClient(createHandler({ schema, documents, trustedOnly: true }))
  const took = performance.now() - started
  t.comment(`loaded in ${took.toFixed(0)} ms`)
  t.ok(took < 120_000)
  for (const at of [0, 1, 49_999, count - 1]) {
    const found = await send({ json: { documentId: `id-${at}` } })
    t.equal(found.status, 200)
  }
  const asked = performance.now()
  for (let at = 0; at < 1_000; at++) {
    const unknown = await send({ json: { documentId: `id-${count + at}` } })
    t.equal(unknown.status, 422)
  }
  t.ok(performance.now() - asked < 10_000, 'strangers cost nothing more than with one document')
})
