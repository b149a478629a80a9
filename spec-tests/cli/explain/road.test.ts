import t from 'tap'
import type { ExplainedRoad } from '../../../src/cli/explain/describe-road.js'
import { say } from '../say.js'

const start = `import { buildSchema, GraphQLError } from ${JSON.stringify(import.meta.resolve('graphql'))}
const schema = buildSchema('type Query { a: String, fails: Int, later: Int }')
const rootValue = { a: 'A', fails() { throw new GraphQLError('No.') }, later: async () => 1 }
`
const folder = t.testdir({
  'schema.graphql': 'type Query { a: String, b(x: Int!): Int } type Mutation { a: Int }',
  'broken.graphql': 'type Query { a: Nope }',
  'failing.mjs': `${start}export default { schema, rootValue, context() { throw new Error('lost it') } }`,
  'waiting.mjs': `${start}export default { schema, rootValue, authenticate: async (head) => ({ ok: true, value: head.raw.url }) }`,
  'always.mjs': `${start}export default { schema, rootValue, partialSuccessStatus: 200 }`,
  'first.mjs': `${start}export default { schema, rootValue, credentialsFirst: true,
    authenticate: () => ({ ok: false, reason: { kind: 'unauthenticated', challenge: 'Bearer' } }) }`,
})
const [schema, broken] = [`${folder}/schema.graphql`, `${folder}/broken.graphql`]
const [failing, waiting] = [`${folder}/failing.mjs`, `${folder}/waiting.mjs`]
const [always, first] = [`${folder}/always.mjs`, `${folder}/first.mjs`]

async function road(...words: string[]): Promise<ExplainedRoad> {
  const { code, out, err } = await say(['explain', '--json', ...words])
  if (code !== 0) throw new Error(err)
  return JSON.parse(out) as ExplainedRoad
}

const query = (text: string): string => JSON.stringify({ query: text })

// oxfmt-ignore
const roads: readonly [words: readonly string[], status: number, last: string, statement: string][] = [
  [[schema, '--', '--json', query('{ a }')],                                        200, 'respond',      'SC-4'],
  [[schema, '--', '--json', query('{ nope }')],                                     422, 'prepare', 'SC-17'],
  [[schema, '--', '--json', query('{')],                                            400, 'prepare',      'SC-16'],
  [[schema, '--', '--json', query('query A { a } query B { a }')],                  422, 'prepare',      'SC-18'],
  [[schema, '--', '--json', query('query ($x: Int!) { b(x: $x) }')],                422, 'execute',      'SC-19'],
  [[schema, '--', '--json', '{'],                                                   400, 'body',         'SC-14'],
  [[schema, '--', '--json', '{}'],                                                  422, 'body',         'SC-15'],
  [[schema, '--', '-d', query('{ a }')],                                            415, 'content',   'SC-9'],
  [[schema, '--', '-H', 'Accept: text/csv'],                                        406, 'accept',       'SC-10'],
  [[schema, '--', '-X', 'DELETE'],                                                  405, 'requestLine',  'SC-8'],
  [[schema, '--', '/other'],                                                        404, 'requestLine',  'URL-1'],
  [[schema, '--', '-X', 'OPTIONS'],                                                 204, 'options',      'R9110-15.3.5'],
  [[schema, '--', '-H', 'Accept: text/html,*/*;q=0.8'],                             200, 'ide',          'URL-7'],
  [[schema, '--', '-H', 'Host: a b'],                                               400, 'framing',      'R9112-3.2b'],
  [[schema, '--', '-G', '--data-urlencode', 'query=mutation { a }'],                405, 'check',        'GET-7'],
  [[schema, '--', '-G', '-H', 'Sec-Fetch-Site: cross-site', '-d', 'query=x'],       403, 'content',      'URL-4'],
  [[schema, '--edition', '2025-05', '--', '--json', query('{ nope }')],             200, 'prepare', 'LJ-1'],
  [[schema, '--edition', '2025-05', '--', '-H', 'Accept: text/csv'],                406, 'accept',  'BD-8'],
  [['--standard', '--', '--json', query('{ __typename }')],                         200, 'respond',      'SC-4'],
  [[waiting, '--', '--json', query('{ fails }'), '-H', 'Accept: */*'],              294, 'respond', 'SC-5'],
  [[always, '--', '--json', query('{ fails }'), '-H', 'Accept: */*'],               200, 'respond',      'SC-5'],
  [[waiting, '--', '--json', query('{ fails }'), '-H', 'Accept: text/event-stream'], 200, 'respond',      'SS-8'],
  [[schema, '--', '--json', query('{ nope }'), '-H', 'Accept: text/event-stream'],  200, 'prepare',      'SS-8'],
  [[waiting, '--', '--json', query('{ later }')],                                   200, 'respond',      'SC-4'],
  [[first, '--', '/elsewhere'],                                                     401, 'credentials',  'SC-20'],
  [[failing, '--', '--json', query('{ a }')],                                       500, 'context',      'SC-7'],
]

for (const [words, status, last, statement] of roads) {
  void t.test(`explain ${words.join(' ').replaceAll(folder, '')} tells of ${status}`, async (t) => {
    const told = await road(...words)
    t.equal(told.response.status, status)
    t.equal(told.steps.at(-1)?.step, last)
    const { rules } = told.answer
    t.equal(rules[0]?.statement, statement)
    for (const { link, level } of rules) {
      t.match(link, /^https:\/\//)
      t.match(level, /^(?:MUST|SHOULD|MAY)/)
    }
    const { out } = await say(['explain', ...words])
    t.match(out, new RegExp(`^${status}: .+ \\(${rules[0]?.statement}\\)\n`))
  })
}

void t.test('steps say what they looked at, in their order', async (t) => {
  const accept = 'Accept: application/*;q=0.5, application/json;q=0.4, text/csv'
  const { steps } = await road(schema, '--', '-H', accept, '-d', 'x')
  const names = steps.map(({ step }) => step)
  t.strictSame(names, ['framing', 'options', 'ide', 'requestLine', 'accept', 'content'])
  const json = 'application/graphql-response+json (q=0.5), application/json (q=0.4)'
  const admitted = `${accept} admits ${json}, not text/event-stream`
  t.match(steps[4], { verdict: 'passed', lookedAt: admitted })
  const content = 'Content-Type: application/x-www-form-urlencoded'
  t.match(steps[5], { verdict: 'refused', lookedAt: content })
})

// oxfmt-ignore
const accepts: readonly [header: string, admits: string][] = [
  ['Accept: application/json;q=0',        'none of application/graphql-response+json, application/json, text/event-stream'],
  ['Accept: application/json;q=0, */*',   'application/graphql-response+json, text/event-stream, not application/json'],
  ['Accept: */*',                         'application/graphql-response+json, application/json, text/event-stream'],
]

for (const [header, admits] of accepts) {
  void t.test(`explain reads ${header}`, async (t) => {
    const { steps } = await road(schema, '--', '--json', query('{ a }'), '-H', header)
    t.equal(steps.find(({ step }) => step === 'accept')?.lookedAt, `${header} admits ${admits}`)
  })
}

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
  t.match(await say(['explain', broken]), { code: 3, err: /Unknown type "Nope"/ })
})
