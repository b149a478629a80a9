import t from 'tap'
import { suggest } from '../../src/shapes/suggest.js'

const names = '--port --path --data --watch --introspection --workers --host id'.split(' ')

// oxfmt-ignore
const cases: readonly [word: string, nearest: string | undefined][] = [
  ['--prot',            '--port'],
  ['--pot',             '--port'],
  ['--porrt',           '--port'],
  ['--dta',             '--data'],
  ['--wtach',           '--watch'],
  ['--worker',          '--workers'],
  ['--intro',           '--introspection'],
  ['--introspecton',    '--introspection'],
  ['--hots',            '--host'],
  ['di',                'id'],
  ['--nothing-like-it', undefined],
  ['--',                undefined],
  ['-x',                undefined],
  ['',                  undefined],
]

for (const [word, nearest] of cases) {
  void t.test(`${JSON.stringify(word)} suggests ${nearest ?? 'nothing'}`, async (t) => {
    t.equal(suggest(word, names), nearest === undefined ? '' : ` Did you mean ${nearest}?`)
  })
}
