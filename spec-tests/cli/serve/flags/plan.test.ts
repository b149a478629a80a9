import { buildSchema } from 'graphql'
import t from 'tap'
import { decoders } from '../../../../src/hosts/node/index.js'
import { readArguments } from '../../../../src/cli/arguments/read-flags.js'
import { applyPlan } from '../../../../src/cli/serve/flags/apply-plan.js'
import { listFacts } from '../../../../src/cli/serve/start/banner.js'
import { serveFlags } from '../../../../src/cli/serve/flags/serve-flags.js'
import { toPlan, type Plan } from '../../../../src/cli/serve/flags/plan.js'
import type { Ide } from '../../../../src/index.js'

type Variables = { readonly [name: string]: string }

/** The plan of a command line. */
function planOf(words: readonly string[], env: Variables = {}): Plan {
  const read = readArguments(['a.graphql', ...words], serveFlags, env)
  const plan = toPlan(read.flags, read.words)
  return JSON.parse(JSON.stringify(plan)) as Plan
}

const schema = buildSchema('type Query { a: Int }')

function optionsOf(words: readonly string[], module: object, env: Variables = {}): object {
  return applyPlan(planOf(words, env), { schema, ...module })
}

const streaming = buildSchema('type Query { a: Int } type Subscription { b: Int }')

// oxfmt-ignore
const sockets: readonly [words: readonly string[], module: object, websocket: unknown][] = [
  [[],                 {},                                                 false],
  [[],                 { schema: streaming },                              true],
  [[],                 { schema: () => streaming },                        false],
  [[],                 { schema: streaming, websocket: false },            false],
  [[],                 { websocket: { maxSockets: 5 } },                   { maxSockets: 5 }],
  [['--websocket'],    {},                                                 true],
  [['--websocket'],    { websocket: { maxSockets: 5 } },                   { maxSockets: 5 }],
  [['--websocket'],    { schema: () => streaming, websocket: false },      true],
  [['--no-websocket'], { schema: streaming, websocket: { maxSockets: 5 } }, false],
]
for (const [words, module, websocket] of sockets) {
  void t.test(`WebSockets of ${words.join(' ')} ${Object.keys(module).join()}`, async (t) => {
    t.strictSame((optionsOf(words, module) as { websocket: unknown }).websocket, websocket)
  })
}

const defaults = {
  cors: undefined,
  get: true,
  etag: false,
  cacheHints: false,
  maxTokens: 2000,
  maxDepth: 16,
  maxAliases: 30,
  maxCost: 25_000,
  maxIntrospectionSize: 600_000,
  reportOnly: [],
  maxInFlight: 1000,
  maxEventLoopDelay: Infinity,
  maxSockets: 10_000,
  livePath: '/livez',
  readyPath: '/readyz',
  decoders: undefined,
}

// oxfmt-ignore
const applied: readonly [words: readonly string[], module: object, options: object][] = [
  [[],                                      {},                                           defaults],
  [['--cors=*'],                            {},                                           { cors: { origins: '*' } }],
  [
    ['--cors', 'https://a.example,http://localhost:3000', '--cors=https://b.example'],
    {},
    { cors: { origins: ['https://a.example', 'http://localhost:3000', 'https://b.example'] } },
  ],
  [[],                                      { cors: { origins: ['https://a.example'] } }, { cors: { origins: ['https://a.example'] } }],
  [['--no-get'],                            { get: true },                                { get: false }],
  [[],                                      { get: false },                               { get: false }],
  [['--etag', '--cache-hints'],             {},                                           { etag: true, cacheHints: true }],
  [['--no-etag'],                           { etag: true, cacheHints: true },             { etag: false, cacheHints: true }],
  [['--max-depth=3'],                       { maxDepth: 4, maxCost: 5 },                  { maxDepth: 3, maxCost: 5 }],
  [['--max-tokens=1', '--max-aliases=2'],   {},                                           { maxTokens: 1, maxAliases: 2 }],
  [['--max-cost=7', '--max-in-flight=8'],   {},                                           { maxCost: 7, maxInFlight: 8 }],
  [['--max-introspection-size=9'],          { maxIntrospectionSize: 8 },                  { maxIntrospectionSize: 9 }],
  [['--max-event-loop-delay=50'],           {},                                           { maxEventLoopDelay: 50 }],
  [['--report-only=all'],                   {},                                           { reportOnly: 'all' }],
  [['--report-only=maxDepth,maxCost'],      {},                                           { reportOnly: ['maxDepth', 'maxCost'] }],
  [['--gzip'],                              {},                                           { decoders }],
  [['--no-gzip'],                           { decoders },                                 { decoders: undefined }],
  [[],                                      { decoders },                                 { decoders }],
  [['--live-path=off', '--ready-path=/up'], {},                                           { livePath: false, readyPath: '/up' }],
  [[],                                      { livePath: false, keepAliveTimeout: 9 },     { livePath: false, keepAliveTimeout: 9 }],
  [['--max-sockets=5'],                     {},                                           { maxSockets: 5 }],
  [[],                                      {},                                           { batch: undefined }],
  [['--batch'],                             {},                                           { batch: {} }],
  [['--batch', '--batch-max-operations=5'], { batch: { maxOperations: 9, maxCost: 7 } },  { batch: { maxOperations: 5, maxCost: 7 } }],
  [['--batch', '--batch-max-cost=6', '--batch-max-concurrent=2'], { maxCost: 8 },         { batch: { maxCost: 6, maxConcurrent: 2 } }],
  [['--no-batch'],                          { batch: {} },                                { batch: undefined }],
  [[],                                      { batch: { maxCost: 7 } },                    { batch: { maxCost: 7 } }],
]

for (const [words, module, options] of applied) {
  const name = [...words, 'beside a module with', Object.keys(module).join(', ') || 'nothing']
  void t.test(name.join(' '), async (t) => {
    const given = Object.entries(optionsOf(words, module))
    t.same(Object.fromEntries(given.filter(([option]) => option in options)), options)
  })
}

const production = { NODE_ENV: 'production' }
const page: Ide = { page: () => ({ status: 200, headers: [], body: '' }), asset: () => undefined }

// oxfmt-ignore
const shown: readonly [words: readonly string[], env: Variables, module: object, introspection: boolean, ide: boolean][] = [
  [[],                      {},                                                  {},                       true,  true],
  [['--no-introspection'],  {},                                                  {},                       false, true],
  [['--no-introspection'],  {},                                                  { introspection: true },  false, true],
  [['--no-ide'],            {},                                                  {},                       true,  false],
  [[],                      { GRAPHWIRE_IDE: 'false' },                          {},                       true,  false],
  [[],                      production,                                          {},                       false, false],
  [[],                      production,                                          { introspection: true },  true,  false],
  [['--introspection'],     production,                                          {},                       true,  false],
  [['--ide'],               production,                                          {},                       false, true],
  [[],                      { ...production, GRAPHWIRE_INTROSPECTION: 'true', GRAPHWIRE_IDE: '1' }, {},    true,  true],
]

for (const [words, env, module, introspection, isOn] of shown) {
  void t.test(`what is shown by ${JSON.stringify([words, env, module])}`, async (t) => {
    t.match(planOf(words, env), { ide: { value: isOn } })
    t.match(optionsOf(words, module, env), { introspection })
  })
}

void t.test('how to stop is part of the plan', async (t) => {
  t.match(planOf([]).stop, { delay: 0, grace: 1000, deadline: 9000 })
  const { stop } = planOf(['--drain-delay=1', '--grace=2', '--deadline=3'])
  t.match(stop, { delay: 1, grace: 2, deadline: 3 })
})

// oxfmt-ignore
const facts: readonly [words: readonly string[], name: string, text: string | undefined, ide?: Ide][] = [
  [[],                                     'ide',         'not installed: npm install @graphwire/ide'],
  [['--no-ide'],                           'ide',         'off'],
  [['--ide'],                              'ide',         '{url}', page],
  [['--no-ide'],                           'ide',         'off',   page],
  [['--report-only=maxDepth,maxCost'],     'report only', 'maxDepth, maxCost'],
  [[],                                     'report only', undefined],
  [['--max-depth=3', '--max-cost=5'],      'limits',      'body 1 MiB, execution 10 s, depth 3, cost 5'],
  [['--max-depth=3', '--max-cost=5'],      'not default', undefined],
  [['--max-aliases=50', '--max-depth=3'],  'not default', 'maxAliases 50'],
  [['--max-event-loop-delay=9'],           'not default', 'maxEventLoopDelay 9'],
  [
    ['--max-aliases=1', '--max-tokens=2', '--max-streams=3', '--heartbeat=4000', '--max-sockets=5', '--max-in-flight=6', '--max-stream-duration=7000'],
    'not default',
    'maxInFlight 6, maxStreams 3, heartbeat 4000, maxStreamDuration 7000, maxTokens 2 and 2 more',
  ],
]

for (const [words, name, text, ide] of facts) {
  void t.test(`with ${words.join(' ')} the banner says of ${name}: ${text}`, async (t) => {
    const plan = planOf(words)
    const listed = listFacts(plan, applyPlan(plan, { schema, ide }))
    t.equal(new Map(listed).get(name), text)
  })
}
