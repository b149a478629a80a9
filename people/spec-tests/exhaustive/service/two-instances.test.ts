import t, { type Test } from 'tap'
import { ownRedis } from '../access/services.js'
import { runToEnd } from '../service-process.js'
import { onPostgres } from '../../store/databases.js'
import { production, start, type Started } from './started.js'

/** Two processes on one database and one Redis, started at the same moment. */
async function startTwo(t: Test, database: string, redis: string): Promise<[Started, Started]> {
  const env = {
    ...production,
    DATABASE_URL: database,
    REDIS_URL: redis,
    TRUST_PROXY: '1',
    SEED: 'true',
  }
  return Promise.all([start(t, [], { env }), start(t, [], { env })])
}

await onPostgres(t, 'two instances are one service', async (t, _open, database) => {
  const redis = await ownRedis(t)
  if (redis === undefined) return
  const [one, other] = await startTwo(t, database, redis.url)
  const both = [one, other]
  const command = async (words: string, stdin = '') => {
    const ended = await runToEnd(words.split(' '), { env: { DATABASE_URL: database }, stdin })
    t.equal(ended.code, 0, words)
    return ended.out.trim()
  }
  const free = {
    'X-API-Key': await command('keys create --name free --scope write --limit 1000000'),
  }
  /** Asks the instances by turns, all at once, and counts the statuses. */
  const storm = async (count: number, ask: (at: Started) => Promise<Response>) => {
    const answers = await Promise.all(
      Array.from({ length: count }, (_, at) => ask(both[at % 2] ?? one)),
    )
    const statuses: { [status: string]: number } = {}
    for (const { status } of answers) statuses[status] = (statuses[status] ?? 0) + 1
    return statuses
  }

  await t.test('one seed, in the one database', async (t) => {
    for (const instance of both) {
      const people = (await (await instance.ask('/people?limit=100')).json()) as object[]
      t.equal(people.length, 100)
      const last = await instance.ask('/people?limit=1&after=100')
      t.same(await last.json(), [])
    }
  })

  await t.test('what one writes the other reads', async (t) => {
    const made = await one.send('POST', '/person', { name: 'Made' }, free)
    const place = made.headers.get('location') ?? ''
    t.match(await (await other.ask(place)).json(), { name: 'Made' })
    t.equal((await other.send('PATCH', place, { name: 'Changed' }, free)).status, 200)
    const read = await one.ask(place)
    t.equal(read.headers.get('etag'), '"2"')
    t.match(await read.json(), { name: 'Changed' })
    t.equal((await one.send('DELETE', place, undefined, free)).status, 200)
    t.equal((await other.ask(place)).status, 404)
  })

  await t.test('of writes at the same moment one wins', async (t) => {
    const place = (await one.send('POST', '/person', { name: 'Raced' }, free)).headers.get(
      'location',
    )
    for (const version of [1, 2, 3]) {
      const headers = { ...free, 'If-Match': `"${version}"` }
      const write = (at: Started) =>
        at.send('PUT', place ?? '', { name: `Version ${version + 1}` }, headers)
      t.same(await storm(20, write), { 200: 1, 412: 19 })
    }
  })

  await t.test('a token of one is good at the other', async (t) => {
    await command('logins create --login ann --scope write', 'correct horse')
    const body = { login: 'ann', password: 'correct horse' }
    const { token } = (await (await one.send('POST', '/login', body)).json()) as { token: string }
    for (const instance of both) {
      const headers = { Authorization: `Bearer ${token}` }
      t.equal((await instance.send('POST', '/person', { name: 'A' }, headers)).status, 201)
    }
  })

  await t.test('limits hold for both together, exactly', async (t) => {
    const key = await command('keys create --name few --scope read --limit 50')
    const read = (at: Started) => at.ask('/person/1', { headers: { 'X-API-Key': key } })
    t.same(await storm(80, read), { 200: 50, 429: 30 })
    const visitor = { 'X-Forwarded-For': '192.0.2.7' }
    const anonymous = (at: Started) =>
      at.send('POST', '/graphql', { query: `{ ${aliases(10)} }` }, visitor)
    t.same(await storm(150, anonymous), { 200: 120, 429: 30 })
  })

  await t.test('attempts to log in are counted together', async (t) => {
    let count = 0
    const guess = (login: string, addresses: number) => (at: Started) => {
      count += 1
      const body = { login, password: `guess ${count}` }
      const address = `198.51.100.${count % addresses}`
      return at.send('POST', '/login', body, { 'X-Forwarded-For': address })
    }
    t.same(await storm(12, guess('bob', 1)), { 401: 5, 429: 7 })
    t.same(await storm(60, guess('carol', 250)), { 401: 50, 429: 10 })
  })

  await t.test('when one is killed under load the other goes on', async (t) => {
    let isKilled = false
    let served = 0
    const client = async (at: Started): Promise<string[]> => {
      const failures: string[] = []
      while (!isKilled || served < 200) {
        const answer = await at
          .send('POST', '/person', { name: 'A' }, free)
          .catch((fault: Error) => fault.message)
        if (typeof answer === 'string') return [...failures, answer]
        if (answer.status !== 201) failures.push(String(answer.status))
        else if (isKilled && at === other) served += 1
      }
      return failures
    }
    const clients = [one, other, one, other].map(client)
    while (!(await one.ask('/metrics').then(async (figures) => hasServed(await figures.text()))));
    await one.kill()
    isKilled = true
    const [killed, ...rest] = await Promise.all(clients)
    t.equal(killed?.length, 1, 'its client has lost it')
    t.same([rest[0], rest[2]], [[], []])
    t.equal((await other.ask('/readyz')).status, 200)
  })
})

function aliases(count: number): string {
  return Array.from({ length: count }, (_, at) => `p${at}: person(id: 1) { id }`).join(' ')
}

function hasServed(figures: string): boolean {
  const line =
    /^http_server_request_duration_seconds_count\{http_request_method="POST",http_response_status_code="201",http_route="\/person"\} (\d+)$/m
  return Number(line.exec(figures)?.[1]) > 50
}
