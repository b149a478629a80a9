import { redisCounter, type Count, type PointCounter } from '@graphwire/rate-limit'
import t from 'tap'
import { redisClients } from '../../../pubsub/spec-tests/exhaustive/transports/redis-clients.js'
import { relayTo } from '../../../pubsub/spec-tests/exhaustive/transports/relay.js'

for (const [name, connect] of redisClients) {
  void t.test(`${name}: processes share counts, and count alone while Redis is away`, async (t) => {
    const relay = await relayTo(t, 'Redis', 6379)
    if (relay === undefined) return
    const { command, close } = await connect(relay.port)
    t.teardown(close)
    const faults: unknown[] = []
    const prefix = `test-${process.pid}-${name}:`
    const onFault = (fault: unknown): void => void faults.push(fault)
    const [one, other] = [1, 2].map(() =>
      redisCounter({ command, prefix, timeout: 100, onFault }),
    ) as [PointCounter, PointCounter]
    const take = async (counter: PointCounter, points = 1): Promise<Count> =>
      counter.take({ policy: 'p', identity: 'ada', limit: 3, window: 60 }, points)
    t.match(await take(one), { isAllowed: true, remaining: 2, reset: 60 })
    t.match(await take(other), { isAllowed: true, remaining: 1 })
    t.match(await take(one, 2), { isAllowed: false, remaining: 1 })
    t.match(await take(other), { isAllowed: true, remaining: 0 })
    t.match(await take(one), { isAllowed: false, remaining: 0 })
    // In its last millisecond a window has 0 left, which `SET` refuses.
    const patient = redisCounter({ command, prefix, timeout: 5_000, onFault })
    const short = { policy: 'p', identity: 'bob', limit: 1e9, window: 1 }
    for (const end = Date.now() + 2_200; Date.now() < end;) await patient.take(short, 1)
    t.strictSame(faults, [])

    await relay.cut()
    t.match(await take(one, 3), { isAllowed: true, remaining: 0 }, 'a count of its own')
    t.match(await take(one), { isAllowed: false })
    t.equal(faults.length, 2)
    await relay.mend()
    for (;;) {
      const { length } = faults
      const { remaining } = await take(other, 0)
      if (faults.length === length) {
        t.equal(remaining, 0, 'the shared count again')
        return
      }
    }
  })
}
