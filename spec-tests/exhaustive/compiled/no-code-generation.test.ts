import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'

// Processes of their own, one after the other.

/** The suites of the executor, with as many random cases as make sense. */
const suites: readonly (readonly [name: string, env?: { readonly [name: string]: string }])[] = [
  ['attacks'],
  ['semantics'],
  ['differential', { GRAPHWIRE_ROUNDS: '200' }],
]

for (const [name, env] of suites) {
  void t.test(`the suite "${name}" passes where no code is generated from strings`, async (t) => {
    const file = fileURLToPath(new URL(`../../compiled/${name}.test.js`, import.meta.url))
    const args = ['--disallow-code-generation-from-strings', file]
    const { status, stdout } = spawnSync(process.execPath, args, {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    })
    t.equal(status, 0, stdout.match(/^\s*not ok.*/m)?.[0] ?? 'no row fails')
  })
}
