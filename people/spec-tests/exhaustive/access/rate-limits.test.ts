import t, { type Test } from 'tap'
import type { Store } from '../../../store/open-store.js'
import { onEachDatabase } from '../../store/databases.js'
import { ownRedis, type OwnRedis } from './services.js'
import { addKey, addLogin, codeOf, dataOf, serveAccess } from '../../access/served.js'
import type { Fields, Served } from '../../access/served.js'
import type { TestResponse } from 'graphwire/testing'

/** A query of so many root fields. */
function fields(count: number): string {
  return `{ ${Array.from({ length: count }, (_, at) => `f${at}: who`).join(' ')} }`
}

function limits({ headers }: TestResponse) {
  const [, left, seconds] = /;r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? []
  return { policy: headers.get('ratelimit-policy'), left: Number(left), seconds: Number(seconds) }
}

await onEachDatabase(t, 'rate-limits', async (t, open) => {
  const store = await open()
  const key = await addKey(store, 'usual')
  const small = await addKey(store, 'small', ['read'], 3)
  const large = await addKey(store, 'large', ['read'], 50)
  await addLogin(store, 'ann', 'secret')
  const keys = { key, small, large }
  await t.test('in memory', (t) => suite(t, store, keys))
  await t.test('in Redis', async (t) => {
    const redis = await ownRedis(t)
    if (redis === undefined) return
    await suite(t, store, keys, redis)
    await shared(t, store, small, redis)
  })
})

async function suite(
  t: Test,
  store: Store,
  { key, small, large }: { key: string; small: string; large: string },
  redis?: OwnRedis,
): Promise<void> {
  const redisUrl = redis?.url
  const rateLimit = { perKey: 10, perAddress: 5 }
  t.beforeEach(() => redis?.sweep())

  await t.test('each kind of identity has its limit', async (t) => {
    const served = await serveAccess(t, { store, redisUrl, rateLimit })
    const bearer = await served.bearer('ann', 'secret')
    // oxfmt-ignore
    const rows: [headers: Fields, policy: string, left: number][] = [
      [{},                              '"address";q=5;w=60', 4],
      [{ 'X-API-Key': key },            '"key";q=10;w=60',    9],
      [{ 'X-API-Key': small },          '"key";q=3;w=60',     2],
      [{ 'X-API-Key': large },          '"key";q=50;w=60',    49],
      [bearer,                          '"login";q=10;w=60',  9],
      [{ ...bearer, 'X-API-Key': key }, '"key";q=10;w=60',    8],
    ]
    for (const [headers, policy, left] of rows) {
      const answer = await served.run('{ who }', headers)
      t.match(limits(answer), { policy, left })
      t.ok(limits(answer).seconds >= 1 && limits(answer).seconds <= 60)
    }
  })

  await t.test('aliases count, and what does not fit is not counted', async (t) => {
    const served = await serveAccess(t, { store, redisUrl, rateLimit })
    // oxfmt-ignore
    const rows: [count: number, status: number, left: number][] = [
      [4,  200, 6],
      [7,  429, 6],
      [7,  429, 6],
      [6,  200, 0],
      [1,  429, 0],
      [11, 429, 0],
    ]
    for (const [count, status, left] of rows) {
      const answer = await served.run(fields(count), { 'X-API-Key': key })
      t.equal(answer.status, status, `${count} fields`)
      t.equal(limits(answer).left, left, `${left} are left`)
      if (status === 200) continue
      t.equal(codeOf(answer), 'RATE_LIMITED')
      t.equal(Number(answer.headers.get('retry-after')), limits(answer).seconds)
      const reason = count > 10 ? /has 11 root fields/ : /limit exceeded: 10 root fields per minute/
      t.match(answer.body, reason)
    }
    t.equal(dataOf(await served.run('{ who }'), 'who'), 'anonymous', 'others go on')
  })

  await t.test('behind a proxy each client has its own count, an IPv6 network one', async (t) => {
    const served = await serveAccess(t, { store, redisUrl, rateLimit, trustedProxies: 1 })
    for (const [address, left] of [
      ['2001:db8:1:2::1', 4],
      ['2001:db8:1:2:ffff::2', 3],
    ] as const) {
      const headers = { 'X-Forwarded-For': `203.0.113.1, ${address}` }
      const answer = await served.run('{ address }', headers)
      t.equal(limits(answer).left, left, address)
      t.equal(dataOf(answer, 'address'), address)
    }
  })

  await t.test('off counts nothing, and sends no headers', async (t) => {
    const served = await serveAccess(t, { store, redisUrl, rateLimit: 'off' })
    const answer = await served.run(fields(20), { 'X-API-Key': small })
    t.equal(answer.status, 200)
    t.notOk(answer.headers.has('ratelimit') || answer.headers.has('ratelimit-policy'))
  })
}

async function shared(t: Test, store: Store, small: string, redis: OwnRedis): Promise<void> {
  await t.test('two instances share their counts', async (t) => {
    await redis.sweep()
    const options = { store, redisUrl: redis.url, rateLimit: { perKey: 10, perAddress: 5 } }
    const one = await serveAccess(t, options)
    const both = [one, await serveAccess(t, options)]
    const storm = async (ask: (at: Served) => Promise<TestResponse>, count: number) => {
      const all = Array.from({ length: count }, () => both.map(ask))
      return (await Promise.all(all.flat())).map(({ status }) => status).toSorted((a, b) => a - b)
    }
    const ask = ({ run }: Served) => run('{ who }', { 'X-API-Key': small })
    t.same(await storm(ask, 2), [200, 200, 200, 429])
    const guesses = await storm(({ logIn }) => logIn('ann', 'wrong'), 3)
    t.same(guesses, [401, 401, 401, 401, 401, 429])

    const stored = await redis.client.keys(`${redis.prefix}people:*`)
    t.equal(stored.length, 4)
    t.notMatch(stored.join(' '), 'ann', 'what was typed as a login is not kept as it is')
    for (const name of stored) {
      const left = await redis.client.pttl(name)
      t.ok(left > 0 && left <= 60_000, 'no count outlives its window')
    }

    const own = stored.find((name) => name.endsWith(':small'))
    t.equal(await redis.client.pexpire(own ?? '', 1), 1)
    let answer = await ask(one)
    while (answer.status === 429) answer = await ask(one)
    t.equal(limits(answer).left, 2, 'a window that has ended is a new one')
  })
}
