import { postBytes } from '../hosts/raw-client.js'
import { bytesAttack, runAttacks } from './run-attacks.js'

const name = 'Q'.repeat(60_000)

/** What fails at each item of a list, and is printed by the default `onBug`. */
// oxfmt-ignore
const failing: readonly (readonly [name: string, query: string, status: number, variables?: object])[] = [
  ['9,000 errors',                          '{people(limit:9000){broken}}',                             294],
  ['9,000 errors under a long name',        `query ${name}{people(limit:9000){broken}}`,                422],
  ['9,000 errors with two causes each',     '{people(limit:9000){unreachable}}',                        294],
  ['9,000 errors that repeat a megabyte',   'query($v:String){people(limit:9000){quoted(text:$v)}}',    294, { v: 'x'.repeat(1_000_000) }],
  ['9,000 errors that repeat 90,000 lines', 'query($v:String){people(limit:9000){quoted(text:$v)}}',    294, { v: '\n    at x'.repeat(90_000) }],
]

const attacks = failing.map(([title, query, status, variables]) =>
  bytesAttack(title, postBytes(JSON.stringify({ query, variables })), status),
)
for (const graphql of ['16', '17'] as const) {
  const settings = { graphql, rounds: 2, printsBugs: true } as const
  runAttacks(`with graphql ${graphql} the log of masked errors stays small`, attacks, settings)
}
