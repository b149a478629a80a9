import t from 'tap'
import { validate, parse } from 'graphql'
import { makeOperation } from '../../fuzz/documents.js'
import { Random, seedOf } from '../../fuzz/random.js'
import { runTarget } from '../../fuzz/run-target.js'
import { createFuzzSchema } from './schema.js'
import { smallerTexts } from '../../fuzz/smaller.js'
import type { Target, TargetMaker } from '../../fuzz/target.js'
import { accept } from './targets/accept.js'
import { documentText } from './targets/document-text.js'
import { headerFields } from './targets/header-fields.js'
import { incremental } from './targets/incremental.js'
import { jsonBodies, jsonNesting } from './targets/json-bodies.js'
import { rawBytes } from './targets/raw-bytes.js'
import { twoHosts } from './targets/two-hosts.js'
import { validDocuments } from './targets/valid-documents.js'

/**
 * How many cases of each target: what takes long gets few. A person runs more of them, or one alone:
 *
 *     GRAPHWIRE_SEED=7 GRAPHWIRE_TIMES=100 GRAPHWIRE_TARGET=accept node dist/spec-tests/exhaustive/fuzz/fuzz.test.js
 *     GRAPHWIRE_SEED=7 GRAPHWIRE_CASE=12 GRAPHWIRE_TARGET=accept node dist/spec-tests/exhaustive/fuzz/fuzz.test.js
 */
const targets: { readonly [name: string]: readonly [make: TargetMaker, cases: number] } = {
  accept: [accept, 8000],
  'json-nesting': [jsonNesting, 20_000],
  'json-bodies': [jsonBodies, 5000],
  'valid-documents': [validDocuments, 400],
  incremental: [incremental, 250],
  'document-text': [documentText, 800],
  'header-fields': [headerFields, 3000],
  'raw-bytes': [rawBytes, 600],
  'two-hosts': [twoHosts, 500],
}
const { env } = process
const seed = Number(env['GRAPHWIRE_SEED'] ?? 1)
const times = Number(env['GRAPHWIRE_TIMES'] ?? 1)
const only = env['GRAPHWIRE_CASE']

t.setTimeout(300_000 * times)

for (const [name, [make, cases]] of Object.entries(targets)) {
  if ((env['GRAPHWIRE_TARGET'] ?? name) !== name) continue
  void t.test(`nothing is found in ${name}`, async (t) => {
    const wanted = only === undefined ? cases * times : 1
    const first = Number(only ?? 0)
    const { failures, cases: run } = await runTarget(make, { seed, first, cases: wanted })
    t.strictSame(failures, [])
    t.ok(run > 0 && run === wanted, 'all cases run')
  })
}

void t.test('the documents made are valid', async (t) => {
  const schema = createFuzzSchema()
  for (let number = 0; number < 100; number++) {
    const { query } = makeOperation(new Random(seedOf('documents', number)), schema)
    const errors = validate(schema, parse(query)).map(({ message }) => message)
    if (errors.length > 0) t.fail(`${query}: ${errors.join()}`)
  }
})

/** Fails on every text with two brackets, and throws on a bang. */
const brittle: Target<string> = {
  name: 'brittle',
  generate: (random) => random.list(60, () => random.pick(['a', '(', ' ', '!'])).join(''),
  check: (text) => {
    if (text.includes('!')) throw new Error('a bang')
    return (text.split('(').length > 2 && `brackets: ${text}`) || undefined
  },
  smaller: smallerTexts,
}

void t.test('a fault is found, reported, and shrunk to what breaks the same rule', async (t) => {
  const { failures } = await runTarget(() => brittle, { seed: 3, cases: 100, mostFailures: 2 })
  t.strictSame(failures.map(({ row }) => row).toSorted(), ['"!"', '"(("'])
})
