import t from 'tap'
import { readStatements } from '../../../src/conformance/suite/statements.js'
import { listCodes } from '../../../src/cli/explain/codes.js'
import { statusRows, type ExplainedTopic } from '../../../src/cli/explain/explain-topic.js'
import { editionNames } from '../../../src/conformance/suite/editions.js'
import { editions } from '../../../src/over-http/editions.js'
import { responseTypes } from '../../../src/over-http/response-types.js'
import { say } from '../say.js'
import { findInEngine } from './engine-source.js'

void t.test('every status that the engine can send has a page', async (t) => {
  const named = [
    ...findInEngine(/\bstatus: (\d{3})\b/g),
    ...findInEngine(/\b(?:hostError|statusOf)\(\s*(\d{3}),/g),
    ...Object.values(editions).flatMap((edition) => [
      String(edition.malformed),
      ...responseTypes
        .map(({ rules }) => rules[edition.name])
        .flatMap(({ partial, requestError }) => [partial, ...Object.values(requestError)])
        .map(String),
    ]),
    ...listCodes().flatMap(({ status }) => (status === undefined ? [] : String(status))),
    '101',
    '201',
    '202',
  ]
  t.ok(new Set(named).size > 20)
  for (const status of new Set(named)) {
    const { code, out } = await say(['explain', status, '--json'])
    t.equal(code, 0, status)
    const topic = JSON.parse(out) as ExplainedTopic
    t.match(topic.title, `${status} `)
    const [reason] = topic.reasons
    t.match(topic.meaning ?? reason?.cause, /^[A-Z`].*\.$/)
    t.match(topic.advice ?? reason?.advice, /\.$/)
  }
  const unsent = Object.keys(statusRows).filter((status) => !named.includes(status))
  t.strictSame(unsent, [], 'and no page is of a status that nothing sends')
})

void t.test('every statement that a page cites is one of an edition', async (t) => {
  const books = editionNames.map(readStatements)
  const cited = [
    ...Object.values(statusRows).flatMap(([, , statements]) => statements),
    ...listCodes().flatMap(({ statements }) => statements),
  ]
  const isThere = (id: string) => books.some((book) => book.has(id))
  for (const id of new Set(cited)) t.ok(isThere(id), id)
})

void t.test('a page has the sentence of the edition that is asked for', async (t) => {
  const { out } = await say(['explain', '294'])
  t.match(out, /^294 Partial Success\n/)
  t.match(out, /SC-5 SHOULD/)
  t.match(out, 'https://http-spec.graphql.org/September2026/#sec-Status-Codes')
  const old = await say(['explain', '422', '--edition', '2025-05'])
  t.notMatch(old.out, 'September2026')
})

void t.test('codes are found in any case', async (t) => {
  t.match(await say(['explain', 'not-acceptable']), { code: 0, out: /^NOT_ACCEPTABLE\n/ })
})
