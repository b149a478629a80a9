import { sha256 } from '../../src/base/sha256.js'
import { postBytes } from '../hosts/raw-client.js'
import { bytesAttack, runAttacks, type Attack } from './run-attacks.js'
import t from 'tap'

t.setTimeout(300_000)

const apollo = (hash: string, more = ''): string =>
  `{"extensions":{"persistedQuery":{"version":1,"sha256Hash":${hash}}}${more}}`

/** A document with its hash, padded by a comment that makes each of them another. */
const padded = (at: number): string => {
  const query = `{ hello } #${String(at).padEnd(60_000, 'x')}`
  return apollo(JSON.stringify(sha256(query)), `,"query":${JSON.stringify(query)}`)
}

// oxfmt-ignore
const bodies: readonly [name: string, body: string, status: number, code?: string][] = [
  ['an id of 1 MB',                       `{"documentId":"${'x'.repeat(1_000_000)}"}`,          422, 'DOCUMENT_NOT_FOUND'],
  ['an id of 300,000 colons',             `{"documentId":"${':'.repeat(300_000)}"}`,            422, 'DOCUMENT_NOT_FOUND'],
  ['__proto__ as id',                     '{"documentId":"__proto__"}',                         422, 'DOCUMENT_NOT_FOUND'],
  ['an id in __proto__',                  '{"__proto__":{"documentId":"hello"}}',               422, 'INVALID_PARAMETER'],
  ['a lone surrogate as id',              '{"documentId":"\\ud800"}',                           422, 'DOCUMENT_NOT_FOUND'],
  ['an object with toString as id',       '{"documentId":{"toString":"hello"}}',                422, 'INVALID_PARAMETER'],
  ['a stored id',                         '{"documentId":"hello"}',                             200],
  ['a hash of 1 MB',                      apollo(`"${'0'.repeat(1_000_000)}"`),                 422, 'PERSISTED_QUERY_NOT_FOUND'],
  ['a hash of a prototype',               apollo('"constructor"'),                              422, 'PERSISTED_QUERY_NOT_FOUND'],
  ['a hash that is an object',            apollo('{"length":64}'),                              422, 'INVALID_PARAMETER'],
  ['a hash in __proto__',                 '{"extensions":{"__proto__":{"persistedQuery":7}},"query":"{ hello }"}', 200],
  ['the hash of another document',        apollo(`"${sha256('{ hello }')}"`, ',"query":"{ __typename }"'), 422, 'DOCUMENT_MISMATCH'],
  ['a document with lone surrogates',     apollo(`"${sha256('# \ufffd\n{ hello }')}"`, ',"query":"# \\ud800\\n{ hello }"'), 422, 'DOCUMENT_MISMATCH'],
]

const attacks = bodies.map(([name, body, status, code]): Attack =>
  bytesAttack(name, postBytes(body), status, code),
)

/** More than the store in memory holds, so a leak would show. */
const flood: Attack = {
  name: '200 documents of 60,000 characters, each with its hash',
  async run(t, target) {
    for (let at = 0; at < 200; at++) {
      await bytesAttack('', postBytes(padded(at)), 200).run(t, target)
    }
  },
}

runAttacks('a server bears names of documents of every kind', [...attacks, flood], {
  rounds: 2,
  env: { ATTACKED_DOCUMENTS: 'stored' },
})
