import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import type { ExplainedRoad } from '../../../src/cli/explain/describe-road.js'
import { say } from '../say.js'

const root = new URL('../../../../', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'graphwire-explain-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const schema = write(
  'schema.graphql',
  'type Query { a: String, b(x: Int!): Int } type Mutation { a: Int }',
)
const bySchema = `import { buildSchema, GraphQLError } from ${JSON.stringify(import.meta.resolve('graphql'))}
const schema = buildSchema('type Query { a: String, fails: Int, later: Int }')
const rootValue = { a: 'A', fails() { throw new GraphQLError('No.') }, later: async () => 1 }
`
const failing = write(
  'failing.mjs',
  `${bySchema}export default { schema, rootValue, context() { throw new Error('lost it') } }`,
)
const waiting = write(
  'waiting.mjs',
  `${bySchema}export default { schema, rootValue, authenticate: async (head) => ({ ok: true, value: head.raw.url }) }`,
)
const always = write(
  'always.mjs',
  `${bySchema}export default { schema, rootValue, partialSuccessStatus: 200 }`,
)
const first = write(
  'first.mjs',
  `${bySchema}export default { schema, rootValue, credentialsFirst: true,
  authenticate: () => ({ ok: false, reason: { kind: 'unauthenticated', challenge: 'Bearer' } }) }`,
)

async function road(...words: string[]): Promise<ExplainedRoad> {
  const { code, out, err } = await say(['explain', '--json', ...words])
  if (code !== 0) throw new Error(err)
  return JSON.parse(out) as ExplainedRoad
}

const query = (text: string): string => JSON.stringify({ query: text })

// oxfmt-ignore
const roads: readonly [words: readonly string[], status: number, row: RegExp, last: string, statement: string][] = [
  [[schema, '--', '--json', query('{ a }')],                                        200, /^respond$/,                                'respond',      'SC-4'],
  [[schema, '--', '--json', query('{ nope }')],                                     422, /^rules\['2026-09'\]\.requestError\.validation of application\/json$/, 'prepare', 'SC-17'],
  [[schema, '--', '--json', query('{')],                                            400, /\.syntax of /,                              'prepare',      'SC-16'],
  [[schema, '--', '--json', query('query A { a } query B { a }')],                  422, /\.operation of /,                           'prepare',      'SC-18'],
  [[schema, '--', '--json', query('query ($x: Int!) { b(x: $x) }')],                422, /\.variables of /,                           'execute',      'SC-19'],
  [[schema, '--', '--json', '{'],                                                   400, /^bodyRefusals\['invalid-json'\]$/,        'body',         'SC-14'],
  [[schema, '--', '--json', '{}'],                                                  422, /^bodyRefusals\['invalid-parameter'\]$/,   'body',         'SC-15'],
  [[schema, '--', '-d', query('{ a }')],                                            415, /^bodyRefusals\['unsupported-media-type'\]$/, 'content',   'SC-9'],
  [[schema, '--', '-H', 'Accept: text/csv'],                                        406, /^refusals\['not-acceptable'\]$/,          'accept',       'SC-10'],
  [[schema, '--', '-X', 'DELETE'],                                                  405, /^refusals\['method-not-allowed'\]$/,      'requestLine',  'SC-8'],
  [[schema, '--', '/other'],                                                        404, /^refusals\['not-found'\]$/,               'requestLine',  'URL-1'],
  [[schema, '--', '-X', 'OPTIONS'],                                                 204, /^options$/,                               'options',      'R9110-9.3.7'],
  [[schema, '--', '-H', 'Accept: text/html,*/*;q=0.8'],                             200, /^ide$/,                                   'ide',          'URL-7'],
  [[schema, '--', '-H', 'Host: a b'],                                               400, /^refusals\['invalid-host'\]$/,            'framing',      'R9112-3.2b'],
  [[schema, '--', '-G', '--data-urlencode', 'query=mutation { a }'],                405, /^refusals\['operation-not-allowed'\]$/,   'check',        'GET-7'],
  [[schema, '--', '-G', '-H', 'Sec-Fetch-Site: cross-site', '-d', 'query=x'],       403, /^refusals\['cross-site'\]$/,              'content',      'URL-4'],
  [[schema, '--edition', '2025-05', '--', '--json', query('{ nope }')],             200, /^rules\['2025-05'\]\.requestError\.validation of application\/json$/, 'prepare', 'SC-17'],
  [['--standard', '--', '--json', query('{ __typename }')],                         200, /^respond$/,                               'respond',      'SC-4'],
  [[waiting, '--', '--json', query('{ fails }'), '-H', 'Accept: */*'],              294, /^rules\['2026-09'\]\.partial of application\/graphql-response\+json$/, 'respond', 'SC-5'],
  [[always, '--', '--json', query('{ fails }'), '-H', 'Accept: */*'],               200, /^edition\.partial$/,                     'respond',      'SC-5'],
  [[waiting, '--', '--json', query('{ fails }'), '-H', 'Accept: text/event-stream'], 200, /^respond$/,                             'respond',      'SC-5'],
  [[waiting, '--', '--json', query('{ later }')],                                   200, /^respond$/,                               'respond',      'SC-4'],
  [[first, '--', '/elsewhere'],                                                     401, /^denials\['unauthenticated'\]$/,         'credentials',  'SC-20'],
  [[failing, '--', '--json', query('{ a }')],                                       500, /^refusals\['internal'\]$/,                'context',      'SC-7'],
]

for (const [words, status, row, last, statement] of roads) {
  void t.test(`explain ${words.join(' ').replaceAll(folder, '')} tells of ${status}`, async (t) => {
    const told = await road(...words)
    t.equal(told.response.status, status)
    t.match(told.answer.row, row)
    const text = readFileSync(new URL(told.answer.file, root), 'utf8')
    const names = told.answer.row.match(/[\w+/-]+/g)?.filter((name) => name !== 'of') ?? []
    t.same(
      names.filter((name) => !text.includes(name)),
      [],
      told.answer.file,
    )
    t.equal(told.steps.at(-1)?.step, last)
    const { rules } = told.answer
    t.ok(
      rules.some((rule) => rule.statement === statement),
      JSON.stringify(rules),
    )
    for (const { link, level } of rules) {
      t.match(link, /^https:\/\//)
      t.match(level, /^(?:MUST|SHOULD|MAY)/)
    }
    const { out } = await say(['explain', ...words])
    t.match(out, new RegExp(`^${status}: .+ \\(${rules[0]?.statement}\\)\n`))
  })
}

void t.test('each type that is served has its weight, and the range that decides', async (t) => {
  const accept = 'Accept: application/*;q=0.5, application/json;q=0.4, */*;q=0.1'
  const { steps } = await road(schema, '--', '-H', accept)
  const offers = steps.find(({ step }) => step === 'accept')?.offers
  t.strictSame(offers, [
    '* application/graphql-response+json q=0.5   by application/*;q=0.5, specificity 100',
    '  application/json                  q=0.4   by application/json;q=0.4, specificity 200',
    '  text/event-stream                 q=0.1   by */*;q=0.1, specificity 0',
  ])
})

const marked: readonly [accept: string, type: string | undefined][] = [
  ['*/*', 'application/graphql-response+json'],
  ['text/event-stream', 'text/event-stream'],
  ['text/event-stream, application/json;q=0.5', 'text/event-stream'],
  ['text/event-stream;q=0.5, application/json', 'application/json'],
  ['multipart/mixed;subscriptionSpec=1.0', undefined],
  ['text/csv', undefined],
]
for (const [accept, type] of marked) {
  void t.test(`${accept}: the mark is at ${type}`, async (t) => {
    const { steps } = await road(schema, '--', '-H', `Accept: ${accept}`)
    const offers = steps.find(({ step }) => step === 'accept')?.offers
    const chosen = offers?.filter((line) => line.startsWith('*')).map((line) => line.split(' ')[1])
    t.strictSame(chosen, type === undefined ? [] : [type])
  })
}

void t.test(
  'steps that were not reached are named, and those before are in their order',
  async (t) => {
    const { steps, notReached } = await road(schema, '--', '-H', 'Accept: text/csv', '-d', 'x')
    t.strictSame(
      steps.map(({ step }) => step),
      ['framing', 'options', 'ide', 'requestLine', 'accept'],
    )
    const rest = ['content', 'load', 'credentials', 'body', 'schema', 'prepare', 'check']
    t.strictSame(notReached, [...rest, 'cost', 'admit', 'execute', 'respond'])
  },
)

void t.test('what a function throws is shown, though clients see only an id', async (t) => {
  const { bugs, response, steps } = await road(failing, '--', '--json', query('{ a }'))
  t.strictSame(bugs, ['lost it'])
  t.notMatch(response.body, /lost it/)
  t.match(steps.at(-1), { verdict: 'failed' })
})

void t.test('a pasted curl command needs no dashes, and its text is made printable', async (t) => {
  const { out } = await say(['explain', schema, '-H', 'Accept: a\u001b[31m', '-d', 'x'])
  t.match(out, String.raw`Accept: a\x1b[31m`)
  t.notMatch(out, '\u001b')
})

void t.test('variables of serve apply, and a broken schema ends with 3', async (t) => {
  const words = ['explain', '--json', schema, '--', '--json', query('{ a }')]
  const { out } = await say(words, { GRAPHWIRE_MAX_TOKENS: '2' })
  t.match(JSON.parse(out), { response: { status: 400 } })
  const broken = write('broken.graphql', 'type Query { a: Nope }')
  t.match(await say(['explain', broken]), { code: 3, err: /Unknown type "Nope"/ })
})
