import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { listCodes } from '../../src/cli/explain/topics/codes.js'
import { testClient } from '../../src/hosts/testing.js'
import { buildSchema, createHandler } from '../../src/index.js'
import { mcpRefusals } from '../../src/mcp/message/mcp-refusals.js'
import { refusals } from '../../src/over-http/refusals.js'
import { routeRefusals } from '../../src/rest/route/route-refusals.js'

const folder = fileURLToPath(new URL('../../../src/', import.meta.url))

/** What sends errors: not the tables, and not the explanations. */
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/^cli\/|refusals?(?:-row)?\.ts$/.test(file))
  .map((file) => readFileSync(join(folder, file), 'utf8'))
const isInSources = (text: string): boolean => sources.some((source) => source.includes(text))

/** Refusals that are made of a value that has the kind. */
const madeElsewhere: ReadonlySet<string> = new Set([
  // Hooks of the embedder return denials.
  'unauthenticated',
  'forbidden',
  'rate-limited',
  'denied',
])

for (const kind of Object.keys({ ...refusals, ...routeRefusals, ...mcpRefusals })) {
  void t.test(`something refuses with ${kind}`, async (t) => {
    const isMade = isInSources(`kind: '${kind}'`) || isInSources(`refused('${kind}'`)
    t.ok(madeElsewhere.has(kind) || isMade)
  })
}

const codes = listCodes().filter(({ by }) => !['HTTP', 'routes'].includes(by))

for (const { code } of codes.filter(({ by }) => by !== 'GraphQL')) {
  void t.test(`something sends ${code}`, async (t) => {
    const isCode = isInSources(`'${code}'`)
    const kind = code.toLowerCase().replaceAll('_', '-')
    t.ok(isCode || isInSources(`kind: '${kind}'`))
  })
}

const schema = buildSchema(
  'type Query { ok(n: Int!): Int broken: Int } type Subscription { ticks: Int }',
  {
    Query: {
      broken: () => {
        throw new Error('a secret')
      },
    },
  },
)
const send = testClient(createHandler({ schema, maxFieldErrors: 1, onBug: () => {} }))

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

for (const { code, status } of codes.filter(({ by }) => by === 'GraphQL')) {
  void t.test(`a request gets ${code}`, async (t) => {
    const response = await send({ json: { query: queries[code] ?? '' } })
    t.equal(response.status, status ?? 294)
    t.match(response.json(), { errors: [{ extensions: { code } }] })
  })
}

void t.test('docs/errors.md names no code that is not sent', async (t) => {
  const page = readFileSync(join(folder, '../docs/errors.md'), 'utf8')
  const [, row = ''] = /^\| GraphQL refuses the request.*? \| absent \| (.*)$/m.exec(page) ?? []
  const named = [...row.matchAll(/`([A-Z_]{5,})`/g)].map(([, code = '']) => code)
  t.ok(named.length > 5)
  const known = new Set(listCodes().map(({ code }) => code))
  t.strictSame(
    named.filter((code) => !known.has(code)),
    [],
  )
})
