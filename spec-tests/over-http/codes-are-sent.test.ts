import { readFileSync } from 'node:fs'
import { mcpRefusals } from '@graphwire/mcp'
import { routeRefusals } from '@graphwire/rest'
import t from 'tap'
import { listCodes } from '../../src/cli/explain/codes.js'
import { buildSchema } from '../../src/index.js'
import { refusals } from '../../src/over-http/refusals.js'
import { thrower } from '../base/thrower.js'
import { clientOf } from '../handler/client-of.js'
import { readSources } from '../sources.js'

/** What sends errors: not the tables, and not the explanations. */
const sources = readSources()
  .filter(({ name }) => !/^src\/cli\/|refusals?(?:-row)?\.ts$/.test(name))
  .map(({ text }) => text)
const isInSources = (text: string): boolean => sources.some((source) => source.includes(text))

/** Hooks of the embedder return denials. */
const denials = new Set(['unauthenticated', 'forbidden', 'rate-limited', 'denied'])

void t.test('something refuses with each kind, and sends each code', async (t) => {
  const rows = { ...refusals, ...routeRefusals, ...mcpRefusals }
  for (const [kind, { doc }] of Object.entries(rows)) {
    t.notOk(doc.includes(''), `${kind} says when, and what to do`)
    const isMade = isInSources(`kind: '${kind}'`) || isInSources(`refused('${kind}'`)
    t.ok(denials.has(kind) || isMade, kind)
  }
  for (const { code, by } of listCodes()) {
    if (['HTTP', 'routes', 'GraphQL'].includes(by)) continue
    const kind = code.toLowerCase().replaceAll('_', '-')
    t.ok(isInSources(`'${code}'`) || isInSources(`kind: '${kind}'`), code)
  }
})

void t.test('each kind of overload has a sentence of its own', async (t) => {
  const { message } = refusals.overloaded
  const kinds = ['requests', 'event-loop', 'streams', 'uploads', 'bodies'] as const
  const sentences = kinds.map(
    (by) => typeof message !== 'string' && message({ kind: 'overloaded', by }),
  )
  t.equal(new Set(sentences).size, kinds.length)
  for (const sentence of sentences) t.match(sentence, /^[A-Z].*; retry in 1 second\.$/)
})

const schema = buildSchema('type Query { ok(n: Int!): Int broken: Int }')
const rootValue = { broken: thrower(new Error('a secret')) }
const { ask } = clientOf({ schema, rootValue, maxFieldErrors: 1 })

// oxfmt-ignore
const queries: { readonly [code: string]: string } = {
  GRAPHQL_PARSE_FAILED:         '{',
  GRAPHQL_VALIDATION_FAILED:    '{ nothing }',
  OPERATION_RESOLUTION_FAILURE: 'query A { broken } query B { broken }',
  BAD_USER_INPUT:               'query ($n: Int!) { ok(n: $n) }',
  DOCUMENT_LIMIT_EXCEEDED:      `{ ${Array.from({ length: 40 }, (_, at) => `a${at}: broken`).join(' ')} }`,
  INTERNAL_SERVER_ERROR:        '{ broken }',
  TOO_MANY_FIELD_ERRORS:        '{ a: broken b: broken }',
}

for (const { code, status } of listCodes().filter(({ by }) => by === 'GraphQL')) {
  void t.test(`a request gets ${code}`, async (t) => {
    const response = await ask(queries[code] ?? '')
    t.equal(response.status, status ?? 294)
    t.match(response.json(), { errors: [{ extensions: { code } }] })
  })
}

void t.test('docs/errors.md names no code that is not sent', async (t) => {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  const [, row = ''] = /^\| GraphQL rejects the request.*? \| absent \| (.*)$/m.exec(page) ?? []
  const named = [...row.matchAll(/`([A-Z_]{5,})`/g)].map(([, code = '']) => code)
  t.ok(named.length > 5)
  const known = new Set(listCodes().map(({ code }) => code))
  const unknown = named.filter((code) => !known.has(code))
  t.strictSame(unknown, [])
})
