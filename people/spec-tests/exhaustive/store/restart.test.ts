import { inspect } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { openStore, type Store } from '../../../store/open-store.js'
import { StoreUnavailable } from '../../../store/store.js'
import { connect } from '../../store/databases.js'
import { until } from '../service/started.js'
import { findClusterAbsence, makeCluster } from './cluster.js'

/** Runs requests until it is stopped; they may fail only because the database is unavailable. */
function load({ people }: Store, id: string) {
  const seen = { done: 0, unavailable: 0, wrong: [] as unknown[], lastVersion: 0 }
  let isOn = true
  const attempt = async (ask: () => Promise<unknown>): Promise<void> => {
    try {
      await ask()
      seen.done += 1
    } catch (failure) {
      if (failure instanceof StoreUnavailable && failure.cause !== undefined) seen.unavailable += 1
      else seen.wrong.push(failure)
      await wait(5)
    }
  }
  const write = async (): Promise<void> => {
    const written = await people.update(id, { age: 1 })
    if (written.ok) seen.lastVersion = Math.max(seen.lastVersion, written.value.version)
  }
  const read = () => people.friendsOf([id], 10)
  const clients = [write, read, write, read, write, read].map(async (ask) => {
    while (isOn) await attempt(ask)
  })
  const stop = (): Promise<unknown> => {
    isOn = false
    return Promise.all(clients)
  }
  return { seen, stop }
}

const skip = findClusterAbsence()
await t.test('a server that restarts', { skip }, async (t) => {
  const cluster = await makeCluster(t)
  await cluster.start()
  const store = await openStore({ database: cluster.url })
  t.teardown(() => store.close())
  await store.seed()

  for (const mode of ['fast', 'immediate'] as const) {
    await t.test(`under load, stopped ${mode}`, async (t) => {
      const { seen, stop } = load(store, '1')
      await until(() => seen.done > 100)
      await cluster.stop(mode)
      await until(() => seen.unavailable > 20)
      t.equal(await store.check(), false)
      t.equal(store.isAway(), true)
      const done = seen.done
      await cluster.start()
      await until(() => store.check())
      await until(() => !store.isAway())
      await until(() => seen.done > done + 100)
      await stop()
      t.same(seen.wrong, [])
      const version = (await store.people.byIds(['1'])).get('1')?.version
      t.ok(version !== undefined && version >= seen.lastVersion, 'acknowledged writes are there')
    })
  }

  const { folder, port } = cluster.socket
  await t.test('over its unix socket, and over one that is not there', async (t) => {
    const inUrl = encodeURIComponent(folder)
    for (const database of [
      `postgres://postgres@${inUrl}:${port}/postgres`,
      `postgres://postgres:a@/postgres?host=${folder}&port=${port}`,
      `postgres:///postgres?host=${inUrl}&user=postgres&port=${port}`,
    ]) {
      const other = await openStore({ database })
      t.equal((await other.people.byIds(['1'])).size, 1)
      await other.close()
    }
    const database = `postgres://postgres:secret@/postgres?host=${folder}/none`
    const failure = await openStore({ database }).catch((reason: unknown) => reason as Error)
    t.match(failure, { name: 'StoreUnavailable', message: /\/postgres\?host=.*none: .*ENOENT/ })
    t.notMatch(inspect(failure), 'secret')
  })

  await t.test('without requests', async (t) => {
    await Promise.all(Array.from({ length: 10 }, () => store.people.byIds(['1'])))
    await cluster.stop('fast')
    await cluster.start()
    await until(() => store.check())
    t.equal((await store.people.byIds(['1'])).size, 1)
  })

  await t.test('that hangs is reported within a second', async (t) => {
    const administrator = await connect(t, cluster.url)
    const { rows } = await administrator.query<{ readonly pid: number }>(
      "select pid from pg_stat_activity where application_name = 'graphwire-people'",
    )
    t.ok(rows.length > 0)
    for (const { pid } of rows) process.kill(pid, 'SIGSTOP')
    try {
      const asked = performance.now()
      t.equal(await store.check(), false)
      // A busy machine may be late, but the query itself would wait for longer.
      t.ok(performance.now() - asked < 3_000)
    } finally {
      for (const { pid } of rows) process.kill(pid, 'SIGCONT')
    }
    await until(() => store.check())
  })

  await t.test('each kind of method reports that it is unavailable', async (t) => {
    await cluster.stop('fast')
    // One of each kind: a read, a write, a transaction, and one that records a change.
    const { people, messages, keys } = store
    const asked: readonly Promise<unknown>[] = [
      people.page(1),
      keys.revoke('k'),
      people.befriend('1', '2'),
      messages.send('1', 'hello'),
      store.seed(),
    ]
    for (const outcome of await Promise.allSettled(asked)) {
      t.match(outcome, { status: 'rejected', reason: { name: 'StoreUnavailable', cause: Error } })
    }
    t.equal(await store.check(), false)
    await t.rejects(openStore({ database: cluster.url }), { name: 'StoreUnavailable' })
    await cluster.start()
    await until(() => store.check())
  })
})
