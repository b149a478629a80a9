import { bodyAttacks, bodyOf, runAttacks, type AttackRow } from './run-attacks.js'

const name = 'Q'.repeat(60_000)
const quoting = (v: string): string =>
  bodyOf('query($v:String){people(limit:9000){quoted(text:$v)}}', { v })

/** What fails at each item of a list, and is printed by the default `onBug`. */
// oxfmt-ignore
const failing: readonly AttackRow[] = [
  ['9,000 errors',                          bodyOf('{people(limit:9000){broken}}'),              294],
  ['9,000 errors under a long name',        bodyOf(`query ${name}{people(limit:9000){broken}}`), 422],
  ['9,000 errors with two causes each',     bodyOf('{people(limit:9000){unreachable}}'),         294],
  ['9,000 errors that repeat a megabyte',   quoting('x'.repeat(1_000_000)),                      294],
  ['9,000 errors that repeat 90,000 lines', quoting('\n    at x'.repeat(90_000)),                294],
]

for (const graphql of ['16', '17'] as const) {
  const settings = { graphql, rounds: 2, printsBugs: true } as const
  runAttacks(
    `with graphql ${graphql} the log of masked errors stays small`,
    bodyAttacks(failing),
    settings,
  )
}
