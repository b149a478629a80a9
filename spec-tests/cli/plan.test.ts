import { buildSchema } from 'graphql'
import t from 'tap'
import { decoders } from '../../src/hosts/node/index.js'
import { defineCommand } from '../../src/cli/command.js'
import { applyPlan } from '../../src/cli/serve/apply-plan.js'
import { listFacts } from '../../src/cli/serve/banner.js'
import { serveFlags } from '../../src/cli/serve/flags.js'
import { toPlan, type Plan } from '../../src/cli/serve/plan.js'

/** The plan of a command line, or the message of the refusal. */
async function planOf(...words: string[]): Promise<Plan | string> {
  let made: Plan | undefined
  const command = defineCommand({
    summary: '',
    usage: [],
    flags: serveFlags,
    async run(given, positionals) {
      const plan = toPlan(given, positionals, {})
      if (!plan.ok) return plan
      made = JSON.parse(JSON.stringify(plan.value)) as Plan
      return { ok: true, value: 0 }
    },
  })
  const done = await command.run(['a.graphql', ...words], { env: {}, out() {}, err() {} })
  return done.ok ? (made ?? 'no plan') : done.reason.message
}

const schema = buildSchema('type Query { a: Int }')

async function optionsOf(words: readonly string[], module: object): Promise<object> {
  const plan = await planOf(...words)
  if (typeof plan === 'string') return { plan }
  return applyPlan(plan, { schema, ...module })
}

const defaults = {
  cors: undefined,
  get: true,
  maxTokens: 2000,
  maxDepth: 16,
  maxAliases: 30,
  maxCost: 10_000,
  reportOnly: [],
  maxInFlight: 1000,
  maxEventLoopDelay: undefined,
  maxSockets: 10_000,
  livePath: '/livez',
  readyPath: '/readyz',
  decoders: undefined,
}

const applied: readonly [words: readonly string[], module: object, options: object][] = [
  [[], {}, defaults],
  [['--cors=*'], {}, { cors: { origins: '*' } }],
  [
    ['--cors', 'https://a.example,http://localhost:3000', '--cors=https://b.example'],
    {},
    { cors: { origins: ['https://a.example', 'http://localhost:3000', 'https://b.example'] } },
  ],
  [[], { cors: { origins: ['https://a.example'] } }, { cors: { origins: ['https://a.example'] } }],
  [['--no-get'], { get: true }, { get: false }],
  [[], { get: false }, { get: false }],
  [['--max-depth=3'], { maxDepth: 4, maxCost: 5 }, { maxDepth: 3, maxCost: 5 }],
  [['--max-tokens=1', '--max-aliases=2'], {}, { maxTokens: 1, maxAliases: 2 }],
  [['--max-cost=7', '--max-in-flight=8'], {}, { maxCost: 7, maxInFlight: 8 }],
  [['--max-event-loop-delay=50'], {}, { maxEventLoopDelay: 50 }],
  [['--report-only=all'], {}, { reportOnly: 'all' }],
  [['--report-only=maxDepth,maxCost'], {}, { reportOnly: ['maxDepth', 'maxCost'] }],
  [['--gzip'], {}, { decoders }],
  [['--no-gzip'], { decoders }, { decoders: undefined }],
  [[], { decoders }, { decoders }],
  [['--live-path=off', '--ready-path=/up'], {}, { livePath: false, readyPath: '/up' }],
  [[], { livePath: false, keepAliveTimeout: 9 }, { livePath: false, keepAliveTimeout: 9 }],
  [['--max-sockets=5'], {}, { maxSockets: 5 }],
]

for (const [words, module, options] of applied) {
  const name = [...words, 'beside a module with', Object.keys(module).join(', ') || 'nothing']
  void t.test(name.join(' '), async (t) => {
    const given = Object.entries(await optionsOf(words, module))
    t.same(Object.fromEntries(given.filter(([option]) => option in options)), options)
  })
}

const refused: readonly [words: readonly string[], message: RegExp][] = [
  [
    ['--cors=example.com'],
    /^The flag --cors takes a list of origins .* or \*, .*"example\.com"\.$/,
  ],
  [['--cors=https://a.example/'], /^The flag --cors takes/],
  [['--report-only=depth'], /^The flag --report-only takes .* such as maxDepth, or all, /],
  [['--ready-path=ready'], /^The flag --ready-path takes a path .* or off, /],
  [
    ['--drain-delay=9000'],
    /^A drain delay of 9000 ms leaves no time to answer: the deadline is 9000/,
  ],
]

for (const [words, message] of refused) {
  void t.test(`${words.join(' ')} is refused`, async (t) =>
    t.match(await planOf(...words), message),
  )
}

void t.test('how to stop is part of the plan', async (t) => {
  t.match(await planOf(), { stop: { delay: 0, grace: 1000, deadline: 9000 } })
  t.match(await planOf('--drain-delay=1', '--grace=2', '--deadline=3'), {
    stop: { delay: 1, grace: 2, deadline: 3 },
  })
})

void t.test('the banner says which limits only report', async (t) => {
  const plan = await planOf('--report-only=maxDepth,maxCost')
  const facts = typeof plan === 'string' ? [] : listFacts(plan, applyPlan(plan, { schema }))
  t.equal(new Map(facts).get('report only'), 'maxDepth, maxCost')
})
