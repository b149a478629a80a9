import t from 'tap'
import { onPostgres } from '../../store/databases.js'
import { follower, type Followed } from './follow.js'
import { startTwo, until, type Started } from './started.js'

const clients = 100

// oxfmt-ignore
const surfaces: readonly Followed[] = [
  '/people/changes',
  'subscription { personChanged { kind id person { name version address { city } } } }',
]

await onPostgres(t, 'clients of an instance that is killed resume', async (t, open, database) => {
  const [killed, other] = await startTwo(t, database, { STREAMS_PER_ADDRESS: String(clients) })
  const all = Array.from({ length: clients }, (_, at) => follower(surfaces[at % 2] ?? '/'))
  for (const client of all) t.equal(await client.connect(killed), 200)

  let isOver = false
  let written = 0
  /** Adds people, changes and removes them, until the instance is killed or the test is over. */
  const write = async (at: Started): Promise<void> => {
    while (!isOver) {
      const made = await at.send('POST', '/person', { name: 'Ada' })
      const place = made.headers.get('location') ?? ''
      await made.text()
      await (await at.send('PATCH', place, { age: written % 100 })).text()
      await (await at.send('DELETE', place)).text()
      written += 3
    }
  }
  const writers = [killed, killed, other, other].map((at) => write(at).catch(() => {}))
  await until(() => all.every(({ events }) => events.length >= 50))
  await killed.kill()
  for (const client of all) {
    await client.ended()
    t.equal(await client.connect(other), 200)
  }
  const atReturn = written
  await until(() => written > atReturn + 60)
  isOver = true
  await Promise.all(writers)

  const { changes } = await open()
  const last = await changes.last()
  await until(() => all.every(({ ids }) => ids().at(-1) === last))
  const committed = Array.from({ length: last }, (_, at) => at + 1)
  for (const [at, client] of all.entries()) {
    t.strictSame(client.ids(), committed, `client ${at}`)
  }
  const failed = all.flatMap(({ events }) => events.filter(({ data }) => data.errors || data.code))
  t.same(failed, [])
  // Both surfaces say the same about each change.
  const [route, graphql] = all
  t.same(
    graphql?.events.map(({ data }) => [data.data.personChanged.kind, data.data.personChanged.id]),
    route?.events.map(({ data }) => [data.kind, data.id]),
  )
  for (const client of all) client.leave()
  t.equal(await other.stop(), 0)
})
