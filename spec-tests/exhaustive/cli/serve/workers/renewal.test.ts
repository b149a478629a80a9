import t from 'tap'
import { ask } from '../../binary.js'
import { gateFiles, pidOf, startBusyClient, startGated, untilGone } from '../../gate.js'

t.setTimeout(300_000)

const many = <Item>(count: number, make: () => Item): Item[] => Array.from({ length: count }, make)

void t.test('SIGHUP renews the workers, and no request is lost', async (t) => {
  const { server, url } = await startGated(t.testdir(gateFiles), '--workers=2')
  const old = [...new Set([await pidOf(url), await pidOf(url)])]
  t.equal(old.length, 2)
  const clients = many(40, () => startBusyClient(url, 'stop'))
  await Promise.all(clients.map(({ started }) => started))
  for (let renewal = 0; renewal < 2; renewal++) {
    server.child.kill('SIGHUP')
    await server.line(/^reloaded gate\.graphql with gate\.mjs, 1 type$/)
  }
  await Promise.all(old.map(untilGone))
  for (const { stop } of clients) stop()
  await Promise.all(clients.map(({ done }) => done))
  const served = new Set(clients.flatMap(({ pids }) => [...pids]))
  t.ok(served.size >= 4, `${served.size} processes have answered`)
  t.notOk(old.includes(await pidOf(url)))
  t.match(await server.stop(), { code: 0 })
})

void t.test('SIGHUP renews a single worker that was asked for, too', async (t) => {
  const { server, url, waiting, open } = await startGated(t.testdir(gateFiles), '--workers=1')
  const old = await pidOf(url)
  const answer = ask(url, '{ wait }')
  await waiting(1)
  server.child.kill('SIGHUP')
  await server.line(/^reloaded /)
  t.not(await pidOf(url), old)
  open()
  t.match(await answer, { status: 200 })
  await untilGone(old)
  t.match(await server.stop(), { code: 0 })
})

void t.test('a renewal that has to cut a request says so', async (t) => {
  const words = ['--workers=1', '--deadline=300']
  const { server, url, waiting } = await startGated(t.testdir(gateFiles), ...words)
  const lost = ask(url, '{ never }').catch(() => 'lost')
  await waiting(1)
  server.child.kill('SIGHUP')
  await server.line(/^a worker did not end in time; aborted: 1 request$/)
  t.equal(await lost, 'lost')
  t.match(await server.stop(), { code: 0 })
})

void t.test('connections wait while no worker is ready', async (t) => {
  const { server, url } = await startGated(t.testdir(gateFiles), '--workers=1')
  const killed = await pidOf(url)
  process.kill(killed, 'SIGKILL')
  await server.line(/^a worker ended by SIGKILL, starting another$/)
  const pids = await Promise.all(many(50, () => pidOf(url)))
  t.equal(new Set(pids).size, 1)
  t.notOk(pids.includes(killed))
  t.match(await server.stop(), { code: 0 })
})

void t.test('a connection that its worker has not taken goes to another', async (t) => {
  const { server, url } = await startGated(t.testdir(gateFiles), '--workers=2')
  const stuck = await pidOf(url)
  const left = await pidOf(url)
  process.kill(stuck, 'SIGSTOP')
  const answers = many(100, () => pidOf(url))
  // Whatever is on its way to the worker that stands still comes back when that one dies.
  await Promise.race(answers)
  process.kill(stuck, 'SIGKILL')
  for (const pid of await Promise.all(answers)) t.not(pid, stuck)
  t.ok((await Promise.all(answers)).includes(left))
  t.match(await server.stop(), { code: 0 })
})

void t.test('a worker that gets a signal is replaced first', async (t) => {
  const { server, url, waiting, open } = await startGated(t.testdir(gateFiles), '--workers=1')
  const old = await pidOf(url)
  const answer = ask(url, '{ wait }')
  await waiting(1)
  process.kill(old, 'SIGTERM')
  await server.line(/^a worker was told to end, starting another$/)
  while ((await pidOf(url)) === old) continue
  open()
  t.match(await answer, { status: 200 })
  await untilGone(old)
  t.match(await server.stop(), { code: 0 })
})

void t.test('workers whose primary is killed answer what they have and end', async (t) => {
  const { server, url, waiting, open } = await startGated(t.testdir(gateFiles), '--workers=2')
  const answers = many(2, () => ask(url, '{ wait }'))
  await waiting(2)
  server.child.kill('SIGKILL')
  open()
  for (const answer of await Promise.all(answers)) t.match(answer, { status: 200 })
  // Its stderr is closed when the last process that has it has ended.
  t.match(await server.ended, { code: null })
})

void t.test('a burst of connections is served by all workers', async (t) => {
  const { server, url } = await startGated(t.testdir(gateFiles), '--workers=2')
  const pids = await Promise.all(many(400, () => pidOf(url)))
  t.equal(new Set(pids).size, 2)
  t.match(await server.stop(), { code: 0 })
})
