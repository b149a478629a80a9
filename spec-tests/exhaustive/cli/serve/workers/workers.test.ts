import t from 'tap'
import { ask, start } from '../../binary.js'
import { gateFiles, many, pidOf, startBusyClient, startGated, untilGone } from '../../gate.js'

/** The processes that answer; connections go to them in turn. */
async function pidsOf(url: string): Promise<readonly number[]> {
  const pids = []
  for (let asked = 0; asked < 6; asked++) pids.push(await pidOf(url))
  return [...new Set(pids)].toSorted((one, other) => one - other)
}

void t.test('workers of a variable share the port, and the banner is shown once', async (t) => {
  const words = ['serve', 'gate.graphql', '--resolvers=gate.mjs', '--port=0']
  const env = { GRAPHWIRE_WORKERS: '2' }
  const server = start(words, { cwd: t.testdir(gateFiles), env })
  const pids = await pidsOf(await server.url())
  t.equal(pids.length, 2)
  t.notOk(pids.includes(server.child.pid ?? 0), 'the primary answers nothing')
  const { code, stdout, stderr } = await server.stop()
  t.same([code, stdout], [0, ''])
  t.match(stderr, '\n  workers        2\n')
  t.equal(stderr.match(/^(?:graphwire|listening on) /gm)?.length, 2)
  for (const pid of pids) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

void t.test('workers leave the SIGINT of a terminal to the primary', async (t) => {
  const { server, url } = await startGated(t.testdir(gateFiles), '--workers=2')
  const pids = await pidsOf(url)
  for (const pid of pids) process.kill(pid, 'SIGINT')
  t.same(await pidsOf(url), pids)
  t.match(await server.stop(), { code: 0 })
})

void t.test('a worker that runs in a circle does not keep the primary from ending', async (t) => {
  const circle = `console.error('waiting'); for (;;);`
  const module = `export const resolvers = { Query: { never() { ${circle} } } }`
  const cwd = t.testdir({ ...gateFiles, 'gate.mjs': module })
  const { server, url, waiting } = await startGated(cwd, '--workers=2', '--deadline=200')
  const lost = ask(url, '{ never }').catch(() => 'lost')
  await waiting(1)
  const stderr = /\nstopped: 0 requests finished, 0 cut, and 1 worker had to be killed$/
  t.match(await server.stop(), { code: 5, stderr })
  t.equal(await lost, 'lost')
})

void t.test('workers that die again and again end the primary with 3', async (t) => {
  const { server, url } = await startGated(t.testdir(gateFiles), '--workers=5')
  const pids = new Set<number>()
  while (pids.size < 5) pids.add(await pidOf(url))
  // All at once: how long a worker takes to start does not matter.
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  const { code, stderr } = await server.ended
  t.equal(code, 3)
  t.match(stderr, /\nWorkers ended 5 times within 10 s: giving up\.$/)
  t.equal(stderr.match(/^a worker ended by SIGKILL, starting another$/gm)?.length, 4)
})

void t.test('SIGHUP renews the workers, and no request is lost', async (t) => {
  const { server, url } = await startGated(t.testdir(gateFiles), '--workers=2')
  const old = await pidsOf(url)
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

/** Replaces the only worker, which has a request: by the primary, and because the worker got a signal. */
for (const [by, line] of [
  ['primary', /^reloaded /],
  ['worker', /^a worker got a signal to end, starting another$/],
] as const) {
  void t.test(`a signal to the ${by} replaces a worker before it ends`, async (t) => {
    const { server, url, waiting, open } = await startGated(t.testdir(gateFiles), '--workers=1')
    const old = await pidOf(url)
    const answer = ask(url, '{ wait }')
    await waiting(1)
    if (by === 'primary') server.child.kill('SIGHUP')
    else process.kill(old, 'SIGTERM')
    await server.line(line)
    while ((await pidOf(url)) === old) continue
    open()
    t.match(await answer, { status: 200 })
    await untilGone(old)
    t.match(await server.stop(), { code: 0 })
  })
}

void t.test('a connection that its worker has not taken goes to another', async (t) => {
  const { server, url } = await startGated(t.testdir(gateFiles), '--workers=2')
  const [stuck = 0, left] = await pidsOf(url)
  process.kill(stuck, 'SIGSTOP')
  const answers = many(100, () => pidOf(url))
  // Whatever is on its way to the worker that stands still comes back when that one dies.
  await Promise.race(answers)
  process.kill(stuck, 'SIGKILL')
  const pids = await Promise.all(answers)
  t.notOk(pids.includes(stuck))
  t.ok(pids.includes(left ?? 0))
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
