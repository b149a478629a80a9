import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { openStore } from '../../../store/open-store.js'
import { begin, runToEnd } from '../service-process.js'
import { connect as connectTo, onPostgres } from '../../store/databases.js'
import { linesOf, start, until, type Headers, type Started } from './started.js'
import { lockFile, startWithKeys } from './with-keys.js'

/** A service in production whose writes wait for as long as the test holds the lock of the file. */
async function startLocked(t: Test) {
  const { database, service, writer } = await startWithKeys(t)
  // A key that was asked for is known without the database.
  t.equal((await service.send('POST', '/person', { name: 'A' }, writer)).status, 201)
  return { database, service, key: writer, unlock: lockFile(t, database) }
}

/** Asks on a connection of its own, and sends the body when the head has been read: 100 (Continue) says so. */
async function expectContinue({ origin }: Started, headers: Headers) {
  const asked = request(`${origin}/person`, {
    method: 'POST',
    agent: false,
    headers: { ...headers, 'Content-Type': 'application/json', Expect: '100-continue' },
  })
  const answered = new Promise<number | undefined>((settle) => {
    asked.on('response', (answer) => answer.resume().on('end', () => settle(answer.statusCode)))
    asked.on('error', () => settle(undefined))
  })
  asked.flushHeaders()
  await once(asked, 'continue')
  asked.end('{"name":"A"}')
  return { answered }
}

t.test('SIGTERM ends it once all arrived requests are answered', async (t) => {
  const { database, service, key, unlock } = await startLocked(t)
  const writes = await Promise.all(Array.from({ length: 50 }, () => expectContinue(service, key)))
  service.signal('SIGTERM')
  await until(async () => (await service.ask('/readyz')).status === 503)
  unlock()
  for (const { answered } of writes) t.equal(await answered, 201)
  t.equal(await service.ended, 0)
  t.match(service.said.err, /\nstopped: \d+ requests finished, 0 cut\n$/)
  const finished = Number(/stopped: (\d+)/.exec(service.said.err)?.[1])
  t.ok(finished >= 50, `${finished} finished`)
  const created = linesOf(service.said.out).filter(({ status }) => status === 201)
  t.equal(created.length, 51, 'the last lines of the log are out')
  const store = await openStore({ database })
  const today = new Date().toISOString().slice(0, 10)
  t.match(await store.keys.list(today), [{ name: 'writer', used: 51 }], 'so is the use of keys')
  await store.close()
})

t.test('a second signal ends it at once with 130', async (t) => {
  const { service, key } = await startLocked(t)
  const { answered } = await expectContinue(service, key)
  service.signal('SIGTERM')
  await until(async () => (await service.ask('/readyz')).status === 503)
  service.signal('SIGTERM')
  t.equal(await service.ended, 130)
  t.equal(await answered, undefined)
})

/** The lock of the migrator of Kysely. */
const lockOfMigrations = '3853314791062309107'

await onPostgres(t, 'SIGTERM ends it while it migrates', async (t, open, database) => {
  const other = await connectTo(t, database)
  await other.query(`select pg_advisory_lock(${lockOfMigrations})`)
  const service = begin(['--port', '0', '--db', database])
  await until(async () => {
    const waiting = await other.query(`
      select from pg_locks where locktype = 'advisory' and not granted
        and database = (select oid from pg_database where datname = current_database())
    `)
    return (waiting.rowCount ?? 0) > 0
  })
  service.signal('SIGTERM')
  t.equal(await service.ended, 130)
  t.equal(service.said.err, 'stopped before it was listening\n')
  await other.query(`select pg_advisory_unlock(${lockOfMigrations})`)
  t.equal(await (await open()).seed(), true, 'the next one migrates and seeds')
})

t.test('requests that run after nine seconds are cut, and it ends with 5', async (t) => {
  const service = await start(t, ['--db', ':memory:'])
  const { hostname, port } = new URL(service.origin)
  const half = connect(Number(port), hostname).on('error', () => {})
  const closed = once(half, 'close')
  const head = 'POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json'
  half.write(`${head}\r\nContent-Length: 9\r\n\r\n{`)
  await until(async () => (await service.ask('/livez')).status === 200)
  t.equal(await service.stop(), 5)
  t.match(service.said.err, /\nstopped: \d+ requests finished, 1 cut\n$/)
  t.match(service.said.err, '"status":499')
  await closed
})

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
  t.test(`${signal} ends an idle service with 0, what was counted is stored`, async (t) => {
    const database = join(t.testdir(), 'people.db')
    const service = await start(t, ['--db', database])
    const close = { Connection: 'close' } // so that there is nothing to wait for
    await (await service.send('GET', '/person/1', undefined, close)).text()
    service.signal(signal)
    t.equal(await service.ended, 0)
    t.match(service.said.err, /\nstopped: \d requests finished, 0 cut\n$/)
    t.match(await runToEnd(['keys', 'list', '--db', database]), { out: /^demo .* 1 +-$/m })
  })
}
