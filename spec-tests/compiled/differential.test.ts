import t from 'tap'
import { executeText } from '../../src/compiled/index.js'
import { runTarget } from '../fuzz/run-target.js'
import type { TextExecutor } from './differential/executors.js'
import { differential } from './differential/target.js'

/**
 * The seed and the number of cases are fixed; a person runs more of them with others:
 *
 *     GRAPHWIRE_SEED=7 GRAPHWIRE_ROUNDS=100000 node dist/spec-tests/compiled/differential.test.js
 */
const seed = Number(process.env['GRAPHWIRE_SEED'] ?? 1)
const rounds = Number(process.env['GRAPHWIRE_ROUNDS'] ?? 500)

t.setTimeout(Math.max(60_000, rounds * 50))

// The stacks of errors are not compared, and making them takes a third of the time.
Error.stackTraceLimit = 0

void t.test(`${rounds} random operations are executed as by graphql-js`, async (t) => {
  const seen = new Map<string, number>()
  const count = (what: string, isSo: boolean): void => {
    seen.set(what, (seen.get(what) ?? 0) + Number(isSo))
  }
  const execute: TextExecutor = (args) => {
    const result = executeText(args)
    count('waiting', 'then' in result)
    if ('then' in result) return result
    const { text, errors } = result
    count('without errors', errors.length === 0)
    count('with several errors', errors.length > 1)
    count('with request errors', text === undefined)
    count('with nothing but null', text === 'null')
    count('long', (text?.length ?? 0) > 500)
    return result
  }
  // Other schemas for each seed.
  const make = () => differential(execute, seed * 300)
  const { cases, failures } = await runTarget(make, { seed, cases: rounds, mostFailures: 3 })
  for (const { number, verdict, row } of failures) t.fail(`case ${number}: ${verdict}\n${row}`)
  t.ok(cases === rounds, 'all were run')
  for (const [what, times] of seen) t.ok(times > rounds / 200, `${times} were ${what}`)
})
