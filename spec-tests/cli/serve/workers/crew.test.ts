import t from 'tap'
import type { MetricFamily } from '../../../../src/cli/serve/metrics/metric-family.js'
import { broken, createStage, ready, startStage, times } from './puppets.js'

void t.test('the others start when the first is ready', async (t) => {
  const { crew, puppet, puppets } = createStage(3)
  const started = crew.start()
  await Promise.resolve()
  t.equal(puppets.length, 1)
  for (const index of [0, 1, 2]) (await puppet(index)).start(ready)
  t.same(await started, ready)
  t.equal(puppets.length, 3)
})

void t.test('a first that fails is the only one', async (t) => {
  const { crew, puppet, puppets } = createStage(3)
  const started = crew.start()
  ;(await puppet(0)).start(broken)
  t.same(await started, broken)
  t.equal(puppets.length, 1)
})

void t.test('a later one that fails takes the others down', async (t) => {
  const { crew, puppet, puppets } = createStage(2)
  const started = crew.start()
  ;(await puppet(0)).start(ready)
  ;(await puppet(1)).start(broken)
  t.same(await started, broken)
  t.same(puppets[0]?.told, ['drain'])
})

void t.test('a worker that dies is replaced', async (t) => {
  const { puppets, puppet, reports } = await startStage(2)
  puppets[0]?.end('by SIGKILL')
  ;(await puppet(2)).start(ready)
  t.same(reports, ['a worker ended by SIGKILL, starting another'])
})

void t.test('a replacement that cannot start counts as the next death', async (t) => {
  const { crew, puppets, puppet, reports } = await startStage(1)
  puppets[0]?.end('first')
  for (const index of [1, 2, 3, 4]) {
    const next = await puppet(index)
    next.start(broken)
    next.end('again')
  }
  await crew.gaveUp
  t.equal(puppets.length, 5)
  t.equal(reports.filter((text) => text === 'broken').length, 4)
})

void t.test('of watched files, a replacement that cannot start waits for a change', async (t) => {
  const { crew, puppets, puppet, reports } = await startStage(1, true)
  puppets[0]?.end('with code 9')
  const second = await puppet(1)
  second.start(broken)
  second.end('with code 3')
  const renewed = crew.renew()
  ;(await puppet(2)).start(ready)
  await renewed
  t.equal(puppets.length, 3)
  t.same(reports, ['a worker ended with code 9, starting another', 'broken', 'reloaded '])
})

void t.test('renewing drains the old workers when the new ones are ready', async (t) => {
  const { crew, puppets, puppet, reports } = await startStage(2)
  const renewed = crew.renew()
  ;(await puppet(2)).start(ready)
  const last = await puppet(3)
  t.same([puppets[0]?.told, puppets[1]?.told], [[], []])
  last.start(ready)
  await renewed
  t.same([puppets[0]?.told, puppets[1]?.told], [['drain'], ['drain']])
  t.same(reports, ['reloaded '])
  t.equal(puppets.length, 4, 'whoever was drained is not replaced')
})

void t.test('renewing with a broken schema leaves the old workers', async (t) => {
  const { crew, puppets, puppet, reports } = await startStage(2)
  const renewed = crew.renew()
  ;(await puppet(2)).start(broken)
  await renewed
  t.same([puppets[0]?.told, puppets[1]?.told], [[], []])
  t.same(reports, ['broken', 'still serving the old schema'])
})

void t.test('changes while it renews are renewed once more, and once only', async (t) => {
  const { crew, puppets, puppet, reports } = await startStage(1)
  const renewed = crew.renew()
  const second = await puppet(1)
  void crew.renew()
  void crew.renew()
  second.start(ready)
  ;(await puppet(2)).start(ready)
  await renewed
  t.equal(puppets.length, 3)
  t.same(puppets[1]?.told, ['drain'])
  t.same(reports, ['reloaded ', 'reloaded '])
})

void t.test('a change before the first start is over is renewed after it', async (t) => {
  const { crew, puppets, puppet } = createStage(1)
  const started = crew.start()
  const renewed = crew.renew()
  await Promise.resolve()
  t.equal(puppets.length, 1)
  puppets[0]?.start(ready)
  await started
  ;(await puppet(1)).start(ready)
  await renewed
  t.same(puppets[0]?.told, ['drain'])
})

void t.test('stopping drains all workers, and replaces none', async (t) => {
  const { crew, puppets, reports } = await startStage(2)
  await crew.stop(times)
  t.same(
    puppets.map(({ told }) => told),
    [['drain'], ['drain']],
  )
  t.same(reports, [])
})

void t.test('stopping ends a worker that is still starting', async (t) => {
  const { crew, puppets } = createStage(2)
  const started = crew.start()
  await crew.stop(times)
  t.match(await started, { ok: false })
  t.equal(puppets.length, 1)
})

void t.test('killing ends all at once', async (t) => {
  const { crew, puppets } = await startStage(2)
  crew.kill()
  t.same(
    puppets.map(({ told }) => told),
    [['kill'], ['kill']],
  )
})

const counted = (value: number): readonly MetricFamily[] => [
  { name: 'requests_total', type: 'counter', help: '', merge: 'sum', samples: [{ value }] },
]

void t.test('a worker that ends while metrics are collected is counted once', async (t) => {
  const { crew, puppet } = await startStage(2)
  const [leaving, staying] = [await puppet(0), await puppet(1)]
  leaving.metrics.last = () => counted(5)
  staying.metrics.last = () => counted(1)
  leaving.metrics.ask = async () => {
    leaving.end('after it had responded')
    await leaving.ended
    return counted(5)
  }
  t.same(await crew.collect(), counted(6))
})
