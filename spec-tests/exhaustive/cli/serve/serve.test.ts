import t from 'tap'
import { ask, start } from '../binary.js'

const cwd = t.testdir({
  'hello.graphql':
    'type Query { hello: String! people: [Person!]! }\ntype Person { name: String! }',
  'hello.json': '{ "hello": "from a file", "people": [{ "name": "Ada" }] }',
  'hello.mjs': `export const resolvers = { Query: { hello: () => 'from a resolver' } }`,
  'module.mjs': `
    import { buildSchema } from 'graphql'
    export default {
      schema: buildSchema('type Query { hello: String! who: String! slow: String }'),
      rootValue: {
        hello: () => 'from a module',
        who: (_, { principal }) => principal,
        slow: () => new Promise((resolve) => setTimeout(resolve, 60_000)),
      },
      authenticate: () => ({ ok: true, value: 'Ada' }),
      path: '/module',
      maxBodyBytes: 60,
      introspection: true,
      executionTimeout: 50,
      edition: '2025-05',
    }`,
})

const sdl = ['serve', 'hello.graphql', '--port=0']

const introspect = '{ __schema { queryType { name } } }'

type Expected = readonly [query: string, answer: { status?: number; body?: string | RegExp }]

/** What to start, with which variables, and what it answers. */
const served: readonly [
  words: readonly string[],
  env: { readonly [name: string]: string },
  ...expected: Expected[],
][] = [
  [
    [...sdl, '--data', 'hello.json'],
    {},
    ['{ hello }', { status: 200, body: '{"data":{"hello":"from a file"}}' }],
    ['{ people { name } }', { body: '{"data":{"people":[{"name":"Ada"}]}}' }],
    [introspect, { status: 200 }],
    ['{ helo }', { status: 422, body: /Did you mean/ }],
  ],
  [[...sdl, '--resolvers=hello.mjs'], {}, ['{ hello }', { body: /from a resolver/ }]],
  [
    ['serve'],
    { GRAPHWIRE_STANDARD: '1', GRAPHWIRE_PORT: '0', PORT: '1' },
    ['{ counter }', { body: '{"data":{"counter":0}}' }],
    ['{ fail }', { status: 294 }],
  ],
]

for (const [words, env, ...expected] of served) {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  void t.test(`${[...variables, ...words].join(' ')} answers as the flags say`, async (t) => {
    const server = start(words, { cwd, env })
    const url = await server.url()
    for (const [query, answer] of expected) t.match(await ask(url, query), answer, query)
    const { code, stdout } = await server.stop()
    t.equal(code, 0)
    t.equal(stdout, '')
  })
}

void t.test('the banner says what is served, and the ready line where', async (t) => {
  const words = ['serve', 'hello.graphql', '--data=hello.json', '--port=0', '--host=127.0.0.1']
  const server = start([...words, '--path=/api', '--max-body=1000', '--timeout=1500'], { cwd })
  const url = await server.url()
  t.match(url, /^http:\/\/127\.0\.0\.1:[1-9]\d*\/api$/)
  const { stderr } = await server.stop()
  const [first, ...facts] = stderr.split('\n')
  t.match(first, /^graphwire \d+\.\d+\.\d+/)
  t.same(facts, [
    '  schema         hello.graphql with hello.json, 2 types',
    '  edition        September 2026 (2026-09)',
    '  limits         body 1000 bytes, execution 1500 ms, depth 16, cost 25000',
    '  introspection  on',
    '  execution      compiled when used again',
    `  ide            ${url}`,
    '  docs           https://github.com/graphwire/graphwire#readme',
    `listening on ${url}`,
    'stopped: 0 requests finished, 0 cut',
  ])
})

for (const [words, env, isOn] of [
  [['--workers=1'], {}, true],
  [[], { NODE_ENV: 'production' }, false],
] as const) {
  void t.test(`the IDE is ${isOn ? 'on' : 'off'}: ${JSON.stringify([words, env])}`, async (t) => {
    const server = start([...sdl, ...words], { cwd, env })
    const url = await server.url()
    const page = await fetch(url, { headers: { Accept: 'text/html,*/*;q=0.8' } })
    t.equal(page.status, isOn ? 200 : 422)
    const file = /<script type="module" src="([^"]+)"/.exec(await page.text())?.[1]
    t.equal(file !== undefined, isOn)
    if (isOn) t.equal((await fetch(new URL(file ?? '', url))).status, 200)
    t.match(await ask(url, '{ __typename }'), { status: 200 })
    const { stderr } = await server.stop()
    t.match(stderr, `\n  ide            ${isOn ? url : 'off'}\n`)
  })
}

void t.test('a module is served as it says, and at its path only', async (t) => {
  const env = { NODE_ENV: 'production' }
  const server = start(['serve', 'module.mjs', '--port=0'], { cwd, env })
  const url = await server.url()
  t.match(url, /\/module$/)
  t.match(await ask(new URL('/graphql', url).href, '{ hello }'), { status: 404 })
  // oxfmt-ignore
  const answers: readonly Expected[] = [
    ['{ hello }', { body: /from a module/ }],
    ['{ who }', { body: /"Ada"/ }],
    ['{ slow }', { status: 503 }],
    [introspect, { status: 200 }],
    [`{ hello ${' '.repeat(60)} }`, { status: 413 }],
  ]
  for (const [query, answer] of answers) t.match(await ask(url, query), answer, query)
  await server.stop()
})
