import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { createSparing } from '../../src/base/sparing.js'
import { defer } from './defer.js'

void t.test('a service that was late is left alone until it answers to a ping', async (t) => {
  const back = defer<string>()
  let pings = 0
  const ping = (): Promise<string> => ((pings += 1), back.promise)
  const ask = createSparing(ping, 20, 'Redis')
  let asked = 0
  const silent = (): Promise<never> => ((asked += 1), new Promise(() => {}))
  const late = { message: 'Redis did not answer within 20 ms.' }
  await Promise.all([t.rejects(ask(silent), late), t.rejects(ask(silent), late)])
  await t.rejects(ask(silent), late)
  t.strictSame([asked, pings], [2, 1])
  back.resolve('PONG')
  await nextTurn()
  t.equal(await ask(async () => 'here'), 'here')
})

void t.test('what it refuses is no reason to leave it alone', async (t) => {
  const ask = createSparing(() => t.fail('a ping') as never, 20, 'Redis')
  await t.rejects(
    ask(async () => Promise.reject(new Error('OOM'))),
    { message: 'OOM' },
  )
  t.equal(await ask(async () => 'here'), 'here')
})

void t.test('a ping that cannot be sent ends the rest', async (t) => {
  const throws = (): never => {
    throw new Error('closed')
  }
  const ask = createSparing(throws, 20, 'Redis')
  await t.rejects(ask(() => new Promise(() => {})))
  await nextTurn()
  t.equal(await ask(async () => 'here'), 'here')
})
