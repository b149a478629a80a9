import { join } from 'node:path'
import t, { type Test } from 'tap'
import { hasNats, natsPort, ownRedis, roadTo, type Road } from '../access/services.js'
import { findClusterAbsence, makeCluster } from '../store/cluster.js'
import { onPostgres } from '../../store/databases.js'
import { follower, type Follower, type StreamEvent } from './follow.js'
import { linesOf, production, start, until, type Started } from './started.js'

const open = ['--auth', 'off', '--rate-limit', 'off'] as const

async function startTwo(
  t: Test,
  database: string,
  env: { readonly [name: string]: string } = {},
): Promise<[Started, Started]> {
  const options = { env: { ...production, ...env, DATABASE_URL: database } }
  return [await start(t, open, options), await start(t, open, options)]
}

/** Writes at one, and waits for the other to say so, again and again. */
async function playBetween(writer: Started, client: Follower, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    const { length } = client.events
    await (await writer.send('POST', '/person', { name: 'Ada' })).text()
    await until(() => client.events.length > length)
  }
}

/** How long that takes. By polling alone, each round waits for most of a second. */
async function roundsTake(writer: Started, client: Follower): Promise<number> {
  const begin = performance.now()
  await playBetween(writer, client, 20)
  return performance.now() - begin
}

const withoutPolling = 10_000

/** Writes until it is stopped; returns how many writes succeeded. */
function writeOn(at: Started): { stop(): Promise<number> } {
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
  return {
    async stop() {
      isOver = true
      return working
    },
  }
}

function expectAll(t: Test, client: Follower): void {
  t.same(
    client.ids(),
    client.events.map((_, at) => at + 1),
    'each once, in order',
  )
}

await onPostgres(t, 'PostgreSQL announces by itself', async (t, _open, database) => {
  const [one, other] = await startTwo(t, database)
  const client = follower('/people/changes')
  await client.connect(one)
  await playBetween(other, client, 1)
  t.ok((await roundsTake(other, client)) < withoutPolling)
  expectAll(t, client)
})

t.test('processes on one file of SQLite see the changes of each other', async (t) => {
  const [one, other] = await startTwo(t, join(t.testdir(), 'people.db'))
  const client = follower('subscription { personChanged { id } }')
  await client.connect(one)
  await playBetween(other, client, 2)
  await playBetween(one, client, 2)
  expectAll(t, client)
})

/** The services, and how to be set to use one by a road. */
const services: readonly [
  name: string,
  open: (t: Test) => Promise<{ road: Road; env: { [name: string]: string } } | undefined>,
][] = [
  [
    'Redis',
    async (t) => {
      if ((await ownRedis(t)) === undefined) return undefined
      const road = await roadTo(t)
      return { road, env: { REDIS_URL: `redis://127.0.0.1:${road.port}` } }
    },
  ],
  [
    'NATS',
    async (t) => {
      if (!(await hasNats(t))) return undefined
      const road = await roadTo(t, natsPort)
      return { road, env: { NATS_URL: `nats://127.0.0.1:${road.port}` } }
    },
  ],
]

for (const [name, openService] of services) {
  await onPostgres(
    t,
    `when ${name} is lost under load and comes back, streams go on and miss nothing`,
    async (t, _open, database) => {
      const service = await openService(t)
      if (service === undefined) return
      const [one, other] = await startTwo(t, database, service.env)
      const client = follower('/people/changes')
      await client.connect(one)
      await playBetween(other, client, 1)
      t.ok((await roundsTake(other, client)) < withoutPolling, 'it announces')
      const writing = writeOn(other)
      await service.road.cut()
      const { length } = client.events
      await until(() => client.events.length > length + 20)
      const faults = () =>
        linesOf(one.said.out).filter(({ err }) =>
          JSON.stringify(err ?? '').includes(`${name} is unavailable: changes of other instances`),
        )
      await until(() => faults().length > 0)
      await service.road.mend()
      const atMend = client.events.length
      await until(() => client.events.length > atMend + 20)
      const written = await writing.stop()
      await until(() => client.events.length === 21 + written)
      // The clients of the service connect again on their own.
      await until(async () => (await roundsTake(other, client)) < withoutPolling)
      expectAll(t, client)
      t.equal(faults().length, 1, 'an outage is told once')
    },
  )

  t.test(`the service starts without ${name}, and uses it when it is there`, async (t) => {
    const service = await openService(t)
    if (service === undefined) return
    await service.road.cut()
    const [one, other] = await startTwo(t, join(t.testdir(), 'people.db'), service.env)
    const client = follower('/people/changes')
    await client.connect(one)
    await playBetween(other, client, 1)
    await until(() => one.said.out.includes(`${name} is unavailable: changes`))
    await service.road.mend()
    await until(async () => (await roundsTake(other, client)) < withoutPolling)
    expectAll(t, client)
  })
}

const skip = findClusterAbsence()
await t.test(
  'when PostgreSQL is lost under load and comes back, streams go on and miss nothing',
  { skip },
  async (t) => {
    const cluster = await makeCluster(t)
    await cluster.start()
    const [first, other] = await startTwo(t, cluster.url)
    const clients = [first, other].map((at) => ({ at, client: follower('/people/changes') }))
    for (const { at, client } of clients) await client.connect(at)
    const everyoneHas = (count: number) =>
      until(() => clients.every(({ client }) => client.events.length > count))
    const writing = [writeOn(first), writeOn(other)]
    for (const mode of ['fast', 'immediate'] as const) {
      const { length } = clients[0]!.client.events
      await everyoneHas(length + 20)
      await cluster.stop(mode)
      await until(async () => (await first.ask('/readyz')).status === 503)
      await cluster.start()
    }
    const { length } = clients[0]!.client.events
    await everyoneHas(length + 20)
    const counts = await Promise.all(writing.map((one) => one.stop()))
    await until(async () => {
      const made = await other.send('POST', '/person', { name: 'Last' })
      await made.text()
      return made.status === 201
    })
    const isLast = ({ data }: StreamEvent): boolean => data.person.name === 'Last'
    await until(() => clients[0]!.client.events.some(isLast))
    const last = Number(clients[0]!.client.events.find(isLast)?.id)
    // A write whose connection was lost at its commit may have happened.
    t.ok(last > counts.reduce((sum, count) => sum + count, 0), `${last} changes`)
    for (const { client } of clients) {
      await until(() => client.ids().at(-1) === last)
      expectAll(t, client)
    }
  },
)
