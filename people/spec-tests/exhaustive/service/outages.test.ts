import t from 'tap'
import { ownRedis, roadTo } from '../access/services.js'
import { findClusterAbsence, makeCluster } from '../store/cluster.js'
import { linesOf, production, start, until } from './started.js'

const open = ['--auth', 'off', '--rate-limit', 'off'] as const

const skip = findClusterAbsence()
await t.test('PostgreSQL restarted under load', { skip }, async (t) => {
  const cluster = await makeCluster(t)
  await cluster.start()
  const service = await start(t, [...open, '--seed', '--db', cluster.url], {
    env: { ...production, TRUST_PROXY: '1' },
  })
  const query = { query: '{ person(id: 1) { name } }' }
  let visitors = 0
  const asks: { readonly [what: string]: () => Promise<Response> } = {
    read: () => service.ask('/person/1'),
    write: () => service.send('PATCH', '/person/2', { age: 7 }),
    graphql: () => service.send('POST', '/graphql', query),
    login: () => {
      visitors += 1
      // Each is another account and address, so that none is throttled before the database is asked.
      const headers = { 'X-Forwarded-For': `10.0.${visitors >> 8}.${visitors & 255}` }
      return service.send('POST', '/login', { login: `a${visitors}`, password: 'b' }, headers)
    },
  }
  /** How often each kind was served and how often it was told that the database is away. */
  const seen: { [what: string]: { served: number; away: number } } = {}
  const wrong: string[] = []
  let isOn = true
  const client = async ([what, ask]: [string, () => Promise<Response>]): Promise<void> => {
    const mine = (seen[what] ??= { served: 0, away: 0 })
    while (isOn && wrong.length === 0) {
      const answer = await ask().catch((fault: Error) => {
        wrong.push(`${what}: ${String(fault.cause)}`)
      })
      if (answer === undefined) return
      const text = await answer.text()
      const isAway = answer.status === 503 || text.includes('"UNAVAILABLE"')
      if (answer.status === 503 && !/^\d+$/.test(answer.headers.get('retry-after') ?? '')) {
        wrong.push(`${what}: no Retry-After`)
      }
      if (isAway) mine.away += 1
      else if ([200, 401].includes(answer.status)) mine.served += 1
      else wrong.push(`${what}: ${answer.status} ${text}`)
      if (isAway) await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const clients = Object.entries(asks).map(client)
  const everyone = (holds: (one: { served: number; away: number }) => boolean) =>
    until(() => wrong.length > 0 || Object.values(seen).every(holds))

  for (const mode of ['fast', 'immediate'] as const) {
    await everyone(({ served }) => served > 0)
    await cluster.stop(mode)
    for (const one of Object.values(seen)) one.away = 0
    await everyone(({ away }) => away > 5)
    t.equal((await service.ask('/readyz')).status, 503)
    t.equal((await service.ask('/livez')).status, 200)
    t.match(await (await asks['read']!()).json(), { status: 503, code: 'UNAVAILABLE' })
    await cluster.start()
    for (const one of Object.values(seen)) one.served = 0
    await everyone(({ served }) => served > 5)
    await until(async () => (await service.ask('/readyz')).status === 200)
  }
  isOn = false
  await Promise.all(clients)
  t.same(wrong, [])
  t.equal(await service.stop(), 0)
  t.same(
    linesOf(service.said.out).filter(({ msg }) => msg === 'bug'),
    [],
    'that is not a bug of the service',
  )
})

t.test('an unavailable database ends the start with a message', { skip }, async (t) => {
  const cluster = await makeCluster(t)
  await t.rejects(start(t, ['--db', cluster.url]), /ended with 3: people: Cannot open the database/)
})

t.test('without Redis requests are served, and each instance counts alone', async (t) => {
  const redis = await ownRedis(t)
  if (redis === undefined) return
  const road = await roadTo(t)
  const env = {
    ...production,
    REDIS_URL: `redis://127.0.0.1:${road.port}?keyPrefix=${redis.prefix}`,
    RATE_LIMIT: '100000',
  }
  const service = await start(t, ['--seed', '--db', ':memory:'], { env })
  const left = async (): Promise<number> => {
    const answer = await service.ask('/person/1')
    t.equal(answer.status, 200)
    return Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
  }
  t.equal(await left(), 99_999)
  t.equal(await left(), 99_998)
  await road.cut()
  t.equal(await left(), 99_999, 'counted in memory')
  for (let at = 0; at < 30; at += 1) await left()
  const faults = () => linesOf(service.said.out).filter(({ msg }) => msg === 'fault')
  await until(() => faults().length > 0)
  t.match(faults(), [{ level: 'warn', err: { message: /Redis is unavailable/ } }])
  await road.mend()
  await until(async () => (await left()) > 99_990)
  t.equal(faults().length, 1, 'an outage is told once')
})

t.test('the service starts while Redis is unavailable', async (t) => {
  const env = { REDIS_URL: 'redis://127.0.0.1:1' }
  const service = await start(t, ['--db', ':memory:'], { env })
  t.equal((await service.ask('/person/1')).status, 200)
  t.match(service.said.err, 'Redis is unavailable')
})
