import t from 'tap'
import { createDeathLog } from '../../../../src/cli/serve/workers/crew.js'

// oxfmt-ignore
const cases: readonly [name: string, deaths: readonly number[], last: number | undefined][] = [
  ['the first death is mended at once',      [0],                                 0],
  ['the second waits',                       [0, 1],                              100],
  ['each wait is twice the one before',      [0, 1, 2, 3],                        400],
  ['five within ten seconds are too many',   [0, 1, 2, 3, 9_999],                 undefined],
  ['a death ten seconds ago does not count', [0, 1, 2, 3, 10_000],                400],
  ['a death now and then is mended at once', [0, 20_000, 40_000, 60_000, 80_000], 0],
]

for (const [name, deaths, last] of cases) {
  void t.test(name, async (t) => {
    let now = 0
    const record = createDeathLog(() => now)
    let pause: number | undefined
    for (const death of deaths) {
      now = death
      pause = record()
    }
    t.equal(pause, last)
  })
}
