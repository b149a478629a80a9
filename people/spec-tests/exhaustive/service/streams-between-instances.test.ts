import { join } from 'node:path'
import t, { type Test } from 'tap'
import { relayTo } from '../access/services.js'
import { findClusterAbsence, makeCluster } from '../store/cluster.js'
import { onPostgres } from '../../store/databases.js'
import { follower, type Follower } from './follow.js'
import { linesOf, startTwo, until, type Headers, type Started } from './started.js'

/** Two instances, and a client that follows one of them; it has seen a write at the other. */
async function followBetween(t: Test, database: string, env?: Headers) {
  const [one, other] = await startTwo(t, database, env)
  const client = follower('/people/changes')
  await client.connect(one)
  await playBetween(other, client, 1)
  return { one, other, client }
}

/** Writes at one instance, and waits for the event of the other, repeatedly. */
async function playBetween(writer: Started, client: Follower, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    const { length } = client.events
    await (await writer.send('POST', '/person', { name: 'Ada' })).text()
    await until(() => client.events.length > length)
  }
}

/** Whether they are announced: by polling alone, each round waits for most of a second. */
async function isAnnounced(writer: Started, client: Follower): Promise<boolean> {
  const begin = performance.now()
  await playBetween(writer, client, 20)
  return performance.now() - begin < 10_000
}

/** Writes until it is stopped; returns how many writes succeeded. */
function writeOn(at: Started): () => Promise<number> {
  let isOver = false
  const work = async (): Promise<number> => {
    let count = 0
    while (!isOver) {
      const made = await at.send('POST', '/person', { name: 'Ada' }).catch(() => undefined)
      if (made?.status === 201) count += 1
      await made?.text()
    }
    return count
  }
  const working = work()
  return () => {
    isOver = true
    return working
  }
}

function expectAll(t: Test, client: Follower): void {
  const positions = client.events.map((_, at) => at + 1)
  t.same(client.ids(), positions, 'each once, in order')
}

await onPostgres(t, 'PostgreSQL announces by itself', async (t, _open, database) => {
  const { other, client } = await followBetween(t, database)
  t.ok(await isAnnounced(other, client))
  expectAll(t, client)
})

t.test('processes on one file of SQLite see the changes of each other', async (t) => {
  const { one, other, client } = await followBetween(t, join(t.testdir(), 'people.db'))
  await playBetween(other, client, 2)
  await playBetween(one, client, 2)
  expectAll(t, client)
})

for (const [name, port] of [
  ['Redis', 6379],
  ['NATS', 4222],
] as const) {
  const envOf = (road: { readonly port: number }) => ({
    [`${name.toUpperCase()}_URL`]: `${name.toLowerCase()}://127.0.0.1:${road.port}`,
  })
  await onPostgres(t, `without ${name} streams miss nothing`, async (t, _open, database) => {
    const road = await relayTo(t, name, port)
    if (road === undefined) return
    const { one, other, client } = await followBetween(t, database, envOf(road))
    t.ok(await isAnnounced(other, client))
    const stop = writeOn(other)
    await road.cut()
    const { length } = client.events
    await until(() => client.events.length > length + 20)
    const faults = () =>
      linesOf(one.said.out).filter(({ err }) =>
        JSON.stringify(err ?? '').includes(`${name} is unavailable: changes of other instances`),
      )
    await until(() => faults().length > 0)
    await road.mend()
    const atMend = client.events.length
    await until(() => client.events.length > atMend + 20)
    const written = await stop()
    await until(() => client.events.length === 21 + written)
    // The clients of the service connect again on their own.
    await until(() => isAnnounced(other, client))
    expectAll(t, client)
    t.match(faults(), [{ level: 'warn' }])
    t.equal(faults().length, 1, 'an outage is logged once')
  })

  t.test(`the service starts without ${name}, and uses it when it is there`, async (t) => {
    const road = await relayTo(t, name, port)
    if (road === undefined) return
    await road.cut()
    const database = join(t.testdir(), 'people.db')
    const { one, other, client } = await followBetween(t, database, envOf(road))
    await until(() => one.said.out.includes(`${name} is unavailable: changes`))
    await road.mend()
    await until(() => isAnnounced(other, client))
    expectAll(t, client)
  })
}

const skip = findClusterAbsence()
await t.test('without PostgreSQL streams miss nothing', { skip }, async (t) => {
  const cluster = await makeCluster(t)
  await cluster.start()
  const [first, other] = await startTwo(t, cluster.url)
  const clients = [first, other].map(() => follower('/people/changes'))
  for (const [at, client] of clients.entries()) await client.connect([first, other][at]!)
  const writing = [writeOn(first), writeOn(other)]
  const untilAllHaveMore = async (): Promise<void> => {
    const count = Math.max(...clients.map(({ events }) => events.length)) + 20
    await until(() => clients.every(({ events }) => events.length > count))
  }
  for (const mode of ['fast', 'immediate'] as const) {
    await untilAllHaveMore()
    await cluster.stop(mode)
    await until(async () => (await first.ask('/readyz')).status === 503)
    await cluster.start()
  }
  await untilAllHaveMore()
  const counts = await Promise.all(writing.map((stop) => stop()))
  const last = async (): Promise<boolean> =>
    (await other.send('POST', '/person', { name: 'Last' })).status === 201
  await until(last)
  for (const client of clients) {
    await until(() => client.events.at(-1)?.data.person.name === 'Last')
    expectAll(t, client)
    // A write whose connection was lost at its commit may have happened.
    t.ok(client.events.length > counts.reduce((sum, count) => sum + count, 0))
  }
})
