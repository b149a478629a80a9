import t from 'tap'
import { isInVersionRange } from '../../../src/cli/doctor/installation/version-range.js'

// oxfmt-ignore
const rows: readonly [range: string, inside: readonly string[], outside: readonly string[]][] = [
  ['*',                        ['0.0.0', '17.1.0'],             []],
  ['',                         ['0.0.0', '17.1.0'],             []],
  ['17',                       ['17.0.0', '17.9.9'],            ['16.9.9', '18.0.0']],
  ['17.x',                     ['17.0.0', '17.9.9'],            ['18.0.0']],
  ['17.1',                     ['17.1.0', '17.1.9'],            ['17.2.0']],
  ['17.1.0',                   ['17.1.0', 'v17.1.0'],           ['17.1.1']],
  ['=17.1.0',                  ['17.1.0'],                      ['17.1.1']],
  ['^16.15.0 || ^17.0.0',      ['16.15.0', '16.99.0', '17.1.0'], ['16.14.9', '18.0.0']],
  ['14 - 16',                  ['14.0.0', '16.99.0'],           ['13.9.9', '17.0.0']],
  ['>=14.0.0 <17',             ['14.0.0', '16.15.0'],           ['17.0.0', '13.0.0']],
  ['>= 14.0.0 < 17',           ['16.15.0'],                     ['17.0.0']],
  ['>16',                      ['17.0.0'],                      ['16.9.9']],
  ['<=16',                     ['16.9.9'],                      ['17.0.0']],
  ['~16.9.0',                  ['16.9.1'],                      ['16.10.0']],
  ['~16',                      ['16.10.0'],                     ['17.0.0']],
  ['^0.13.2',                  ['0.13.9'],                      ['0.14.0', '0.13.1']],
  ['^0.0.3',                   ['0.0.3'],                       ['0.0.4']],
  ['^17.0.0-alpha.1',          ['17.0.0-alpha.9', '17.1.0'],    ['18.0.0']],
  ['>=20.19',                  ['20.19.0', '24.1.0'],           ['20.18.9']],
  ['workspace:^17.0.0',        ['17.1.0'],                      ['16.0.0']],
]

for (const [range, inside, outside] of rows) {
  void t.test(`the range "${range}"`, async (t) => {
    for (const version of inside) t.equal(isInVersionRange(version, range), true, version)
    for (const version of outside) t.equal(isInVersionRange(version, range), false, version)
  })
}

for (const range of ['latest', 'https://example.com/x.tgz', 'file:../graphql', 'a'.repeat(1000)]) {
  void t.test(`what is no range of versions is not judged: ${range.slice(0, 30)}`, async (t) => {
    t.equal(isInVersionRange('17.1.0', range), undefined)
  })
}

void t.test('what is no version is not judged', async (t) => {
  t.equal(isInVersionRange('next', '*'), undefined)
})
