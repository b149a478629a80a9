import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { validate, parse } from 'graphql'
import { makeDocument } from './documents.js'
import { Random, seedOf } from '../../fuzz/random.js'
import { runTarget } from '../../fuzz/run-target.js'
import { createFuzzSchema } from './schema.js'
import { shrink } from '../../fuzz/shrink.js'
import { smallerTexts } from './smaller.js'
import type { Target } from '../../fuzz/target.js'
import { targets } from './targets.js'

/** How many cases of each target: what takes long gets few. */
const cases: { readonly [target: string]: number } = {
  'media-types': 20_000,
  accept: 8000,
  lists: 20_000,
  'query-component': 20_000,
  'json-nesting': 20_000,
  'json-bodies': 5000,
  'valid-documents': 400,
  incremental: 250,
  'document-text': 800,
  'header-fields': 3000,
  'raw-bytes': 600,
  'two-hosts': 500,
  sockets: 400,
  'resumed-events': 150,
}

for (const [name, make] of Object.entries(targets)) {
  void t.test(`nothing is found in ${name}`, async (t) => {
    const bounds = { seed: 1, cases: cases[name] ?? 0, mostFailures: 3 }
    const { failures, cases: run } = await runTarget(make, bounds)
    t.strictSame(failures, [])
    t.ok(run > 0 && run === cases[name], 'all cases run')
  })
}

void t.test('the documents made are valid', async (t) => {
  const schema = createFuzzSchema()
  for (let number = 0; number < 100; number++) {
    const { query } = makeDocument(new Random(seedOf('documents', number)), schema)
    const errors = validate(schema, parse(query)).map(({ message }) => message)
    if (errors.length > 0) t.fail(`${query}: ${errors.join()}`)
  }
})

/** Fails on every text with two brackets of a kind, and throws on a bang. */
const brittle: Target<string> = {
  name: 'brittle',
  about: 'a target with a known fault',
  generate: (random) => random.list(60, () => random.pick(['a', '(', ' ', 'x', '[', '!'])).join(''),
  check: (text) => {
    if (text.includes('!')) throw new Error('a bang')
    return (text.split('(').length > 2 && `brackets: ${text}`) || undefined
  },
  smaller: smallerTexts,
  row: (text) => JSON.stringify(text),
}

void t.test('a fault is found, told, and shrunk to what breaks the same rule', async (t) => {
  const { failures } = await runTarget(() => brittle, { seed: 3, cases: 100, mostFailures: 1 })
  t.equal(failures.length, 1)
  const [failure] = failures
  const again = await runTarget(() => brittle, { seed: 3, first: failure?.number ?? 0, cases: 1 })
  t.strictSame(again.failures, failures, 'one case alone is the same')
  const brackets = await shrink(brittle, 'aa(xx(a[]', 'brackets: aa(xx(a[]')
  t.equal(brackets.input, '((')
  const thrown = await shrink(brittle, '((a!a((', 'throws: a bang')
  t.equal(thrown.input, '!')
})

const main = fileURLToPath(import.meta.resolve('./main.js'))

// oxfmt-ignore
const calls: readonly [args: string[], exitCode: number, said: RegExp][] = [
  [['--help'],                                         0, /^Usage: /],
  [['--list'],                                         0, /^media-types\naccept\n/],
  [['--only', 'lists', '--cases', '5', '--seed', '7'], 0, /^seed 7\nlists: 5 cases, 0 failures/],
  [['--only', 'lists', '--case', '12', '--seed', '7'], 0, /^seed 7\nlists: 1 cases, 0 failures/],
  [['--only', 'nothing'],                              2, /^fuzz: there is no target nothing/],
  [['--case', '12'],                                   2, /^fuzz: --case needs one --only/],
  [['--seed', 'x'],                                    2, /^fuzz: --seed needs a whole number, not x/],
  [['--sed'],                                          2, /^fuzz: Unknown option '--sed'/],
]
for (const [args, exitCode, said] of calls) {
  void t.test(`the program with ${args.join(' ')} ends with ${exitCode}`, async (t) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
      encoding: 'utf8',
    })
    t.equal(status, exitCode)
    t.match(exitCode === 2 ? stderr : stdout, said)
  })
}
