import * as graphql from 'graphql'
import t from 'tap'
import { Random, seedOf } from '../../fuzz/random.js'
import { checkSafely } from '../../fuzz/shrink.js'
import type { TextExecutor } from '../../compiled/differential/executors.js'
import { differential } from '../../compiled/differential/target.js'
import { loadMutant } from './mutants/load-mutant.js'
import { mutants } from './mutants/mutants.js'
import { attackRows } from '../../compiled/rows/attack-rows.js'
import { differenceRows } from '../../compiled/rows/difference-rows.js'
import { differenceOfRow } from '../../compiled/rows/row.js'

// Each mutant is executed until it is noticed.
t.setTimeout(300_000)

const major = Number(graphql.version.split('.', 1)[0])
const mostCases = 800

Error.stackTraceLimit = 0

/** What shows a difference to graphql-js: a random case, or a row where that would take too long. */
async function noticedBy(execute: TextExecutor): Promise<string | undefined> {
  const target = differential(execute)
  for (let number = 0; number < mostCases; number++) {
    const one = target.generate(new Random(seedOf('mutants', number)))
    if ((await checkSafely(target, one)) !== undefined) return `case ${number}`
  }
  for (const row of [...attackRows, ...differenceRows]) {
    if ((await differenceOfRow(row, execute)) !== undefined) return `row "${row.name}"`
  }
  return undefined
}

for (const mutant of mutants) {
  if (mutant.only !== undefined && mutant.only !== major) continue
  void t.test(`it is noticed if ${mutant.name}`, async (t) => {
    const by = await noticedBy(await loadMutant(mutant))
    t.ok(by, `by ${by ?? 'nothing'}`)
  })
}
