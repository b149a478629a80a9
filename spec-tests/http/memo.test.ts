import t from 'tap'
import { longTurns } from '../../src/base/long-turns.js'
import { memo } from '../../src/http/memo.js'

for (const value of [null, undefined, 0, '', false, 'x']) {
  void t.test(`a function that returns ${JSON.stringify(value)} is called once`, async (t) => {
    const asked: unknown[] = []
    const remembered = memo((text) => (asked.push(text), value))
    for (const text of ['a', 'b', 'a', undefined, 'b', undefined, 'a'])
      t.equal(remembered(text), value)
    t.strictSame(asked, ['a', 'b', undefined])
  })
}

void t.test('a full memo starts again, and long texts are not kept', async (t) => {
  const asked: unknown[] = []
  const remembered = memo((text) => asked.push(text), 2, 3)
  for (const text of ['a', 'b', 'c', 'a', 'long', 'a', 'long']) remembered(text)
  t.strictSame(asked, ['a', 'b', 'c', 'a', 'long', 'long'])
})

void t.test('a text that is too long to be kept begins the clock of the turn', async (t) => {
  await new Promise(setImmediate)
  const length = memo((text) => text?.length)
  length('x'.repeat(256))
  t.notOk(longTurns.isBegun)
  length('x'.repeat(257))
  t.ok(longTurns.isBegun)
})
