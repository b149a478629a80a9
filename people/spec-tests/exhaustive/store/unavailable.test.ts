import { createServer, type Socket } from 'node:net'
import { inspect } from 'node:util'
import type { PostgresPool } from 'kysely'
import { SqliteError } from 'libsql'
import { Pool } from 'pg'
import t, { type Test } from 'tap'
import { isTransient, toUnavailable } from '../../../store/failures.js'
import { openStore } from '../../../store/open-store.js'
import { dropBrokenClients } from '../../../store/postgres.js'
import { StoreUnavailable, type Unavailability } from '../../../store/store.js'
import { connect, onEachDatabase, onPostgres } from '../../store/databases.js'
import { listen } from '../access/services.js'

const withCode = (code: string, more: object = {}) =>
  Object.assign(new Error('x'), { code, ...more })

const codes =
  '57P01 57P02 57P03 53300 53100 08006 57014 40001 40P01 25006 ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND'
const messages = [
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
]
// oxfmt-ignore
const reasons: readonly [failure: Error, reason?: Unavailability][] = [
  [new SqliteError('x', 'SQLITE_BUSY', 5),                'busy'],
  [new SqliteError('x', 'SQLITE_BUSY_SNAPSHOT', 517)],
  [new SqliteError('x', 'SQLITE_LOCKED', 6)],
  [new SqliteError('x', 'SQLITE_IOERR_WRITE', 778)],
  [new SqliteError('x', 'SQLITE_FULL', 13),               'full'],
  [new SqliteError('x', 'SQLITE_READONLY_DBMOVED', 1032), 'read-only'],
  [new SqliteError('x', 'SQLITE_IOERR_READ', 266),        'away'],
  // SQLITE_BUSY_TIMEOUT, of which libsql does not know the name.
  [new SqliteError('x', 'UNKNOWN_SQLITE_ERROR_773', 773)],
  [new Error('ConnectionFailed("Unable to open connection to local database /x: 14")'), 'away'],
  [withCode('55P03'),                                     'busy'],
  [withCode('53100'),                                     'full'],
  [withCode('25006'),                                     'read-only'],
  [withCode('57P01'),                                     'away'],
  [withCode('ENOENT', { syscall: 'connect' })],
  ...codes.split(' ').map((code): [Error] => [withCode(code)]),
  ...messages.map((message): [Error] => [new Error(message)]),
]
await t.test('failures of the connection are unavailability, with their cause', async (t) => {
  for (const [failure, reason] of reasons) {
    const known = toUnavailable(failure)
    const expected = { cause: failure, ...(reason !== undefined && { reason }) }
    t.match(known, { name: 'StoreUnavailable', ...expected }, inspect(failure).slice(0, 80))
    t.equal(toUnavailable(known), known)
  }
})

await t.test('every other failure stays as it is', async (t) => {
  const unique = new SqliteError('x', 'SQLITE_CONSTRAINT_UNIQUE', 2067)
  const others = [unique, new Error('x'), new TypeError('y'), 'text', undefined, null, 5]
  const withCodes = ['23505', '42P01', '22P02', 'ENOENT'].map((code) => withCode(code))
  for (const failure of [...withCodes, ...others]) {
    t.equal(toUnavailable(failure), failure)
    t.equal(isTransient(failure), false)
  }
  for (const code of ['40001', '40P01']) t.equal(isTransient(withCode(code)), true)
})

await onEachDatabase(t, 'a closed store is away', async (t, open) => {
  const store = await open()
  const writes = Array.from({ length: 20 }, (_, n) => store.people.create({ name: `P${n}` }))
  await Promise.all([store.close(), store.close()])
  const ids = (await Promise.all(writes)).map((person) => person.id)
  t.equal(new Set(ids).size, 20, 'what had begun was done')
  t.equal(await store.check(), false)
  await t.rejects(store.people.byIds(['1']), { name: 'StoreUnavailable' })
  await t.rejects(store.people.create({ name: 'A' }), { name: 'StoreUnavailable' })
  await store.close()
})

await onPostgres(t, 'connections that an administrator ends', async (t, open, database) => {
  const store = await open()
  await store.seed()
  const administrator = await connect(t, database)
  const others = 'where pid <> pg_backend_pid() and datname = current_database()'
  for (let round = 0; round < 5; round += 1) {
    const update = () => store.people.update('1', { age: round })
    const asked = Promise.allSettled(Array.from({ length: 30 }, update))
    await administrator.query(`select pg_terminate_backend(pid) from pg_stat_activity ${others}`)
    for (const outcome of await asked) {
      if (outcome.status === 'rejected') t.type(outcome.reason, StoreUnavailable)
    }
    const recovered = async (): Promise<boolean> => (await store.check()) || recovered()
    t.equal(await recovered(), true)
  }
})

await onPostgres(t, 'what is not serialized begins again', async (t, open, database) => {
  const administrator = await connect(t, database)
  const name = new URL(database).pathname.slice(1)
  const isolation = `set default_transaction_isolation = 'serializable'`
  await administrator.query(`alter database ${name} ${isolation}`)
  const { people } = await open()
  const { id } = await people.create({ name: 'A' })
  for (let round = 0; round < 5; round += 1) {
    await Promise.all([1, 2, 3].map((age) => people.update(id, { age })))
  }
  t.equal((await people.byIds([id])).get(id)?.version, 16)
})

await onPostgres(t, 'a pool of one is enough', async (t, open) => {
  const store = await open({ poolSize: 1 })
  t.equal(await store.seed(), true)
  await Promise.all([1, 2, 3, 4].map((age) => store.people.update('1', { age })))
  t.equal((await store.people.byIds(['1'])).get('1')?.version, 5)
})

/** Accepts connections and never answers. */
async function silentDatabase(t: Test): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => void sockets.push(socket))
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `postgres://u@127.0.0.1:${await listen(server)}/d`
}

await t.test('a server that never responds is unavailable after a while', async (t) => {
  const database = await silentDatabase(t)
  await t.rejects(openStore({ database }), { name: 'StoreUnavailable', reason: 'away' })
})

function poolOfTwo(connectionString: string): PostgresPool {
  const pool = new Pool({ connectionString, max: 2, connectionTimeoutMillis: 200 })
  // Its end does not wait until the connections are closed, and the database is dropped then.
  pool.on('error', () => {})
  return dropBrokenClients(pool)
}

await onPostgres(t, 'a pool whose connections are all in use is busy', async (t, _, database) => {
  const pool = poolOfTwo(database)
  const first = await pool.connect()
  const second = await pool.connect()
  const reasonOf = async (): Promise<unknown> =>
    pool.connect().catch((failure: unknown) => toUnavailable(failure))
  const all = await Promise.all([reasonOf(), reasonOf(), reasonOf()])
  for (const failure of all) {
    const message = 'All connections to the database are in use'
    t.match(failure, { name: 'StoreUnavailable', reason: 'busy', message, cause: Error })
  }
  first.release()
  const third = await pool.connect()
  t.match(await reasonOf(), { reason: 'busy' })
  second.release()
  third.release()
  await pool.end()
})

await t.test('a pool whose connections are all still being opened is unavailable', async (t) => {
  const pool = poolOfTwo(await silentDatabase(t))
  const asked = Array.from({ length: 4 }, () => pool.connect())
  for (const outcome of await Promise.allSettled(asked)) {
    t.match(outcome, { status: 'rejected' })
    if (outcome.status === 'rejected') t.match(toUnavailable(outcome.reason), { reason: 'away' })
  }
  await pool.end()
})
