import t from 'tap'
import { ask, start, type Running } from '../../binary.js'

t.setTimeout(300_000)

const cwd = t.testdir({
  'pid.graphql': 'type Query { pid: Int! }',
  'pid.mjs': `export const resolvers = { Query: { pid: () => process.pid } }`,
})

function startWorkers(...words: string[]): Running {
  const resolvers = ['--resolvers=pid.mjs', '--port=0', '--host=127.0.0.1']
  return start(['serve', 'pid.graphql', ...resolvers, ...words], { cwd })
}

async function pidOf(url: string): Promise<number> {
  const { body } = await ask(url, '{ pid }')
  return (JSON.parse(body) as { data: { pid: number } }).data.pid
}

/** The processes that answer; connections go to them in turn. */
async function pidsOf(url: string): Promise<readonly number[]> {
  const pids = []
  for (let asked = 0; asked < 6; asked++) pids.push(await pidOf(url))
  return [...new Set(pids)].toSorted((one, other) => one - other)
}

void t.test('two workers share the port, and the banner is shown once', async (t) => {
  const server = startWorkers('--workers=2')
  const url = await server.url()
  const pids = await pidsOf(url)
  t.equal(pids.length, 2)
  t.notOk(pids.includes(server.child.pid ?? 0), 'the primary answers nothing')
  const { code, stdout, stderr } = await server.stop()
  t.equal(code, 0)
  t.equal(stdout, '')
  t.match(stderr, '\n  workers        2\n')
  t.equal(stderr.match(/^graphwire /gm)?.length, 1)
  t.equal(stderr.match(/^listening on /gm)?.length, 1)
  for (const pid of pids) t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

void t.test('workers can be asked for by a variable', async (t) => {
  const server = start(['serve', '--standard'], {
    env: { GRAPHWIRE_WORKERS: '2', GRAPHWIRE_PORT: '0' },
  })
  t.match(await ask(await server.url(), '{ counter }'), { status: 200 })
  t.match(await server.stop(), { code: 0, stderr: /workers {8}2/ })
})

void t.test('a worker that is killed is replaced, on the same port', async (t) => {
  const server = startWorkers('--workers=2')
  const url = await server.url()
  const [killed = 0, left = 0] = await pidsOf(url)
  process.kill(killed, 'SIGKILL')
  await server.line(/^a worker ended by SIGKILL, starting another$/)
  let pids = await pidsOf(url)
  while (pids.length < 2) pids = await pidsOf(url)
  t.ok(pids.includes(left))
  t.notOk(pids.includes(killed))
  t.match(await server.stop(), { code: 0 })
})

void t.test('workers leave the SIGINT of a terminal to the primary', async (t) => {
  const server = startWorkers('--workers=2')
  const url = await server.url()
  const pids = await pidsOf(url)
  for (const pid of pids) process.kill(pid, 'SIGINT')
  t.same(await pidsOf(url), pids)
  t.match(await server.stop(), { code: 0 })
})

void t.test('a worker that runs in a circle does not keep the primary from ending', async (t) => {
  const server = start(
    [
      'serve',
      'circle.graphql',
      '--resolvers=circle.mjs',
      '--port=0',
      '--workers=2',
      '--deadline=200',
    ],
    {
      cwd: t.testdir({
        'circle.graphql': 'type Query { circle: Int }',
        'circle.mjs': `export const resolvers = {
        Query: { circle: () => { console.error('in a circle'); for (;;); } },
      }`,
      }),
    },
  )
  const lost = ask(await server.url(), '{ circle }').catch(() => 'lost')
  await server.line(/^in a circle$/)
  t.match(await server.stop(), {
    code: 5,
    stderr: /\nstopped: 0 requests finished, 0 cut, and 1 worker had to be killed$/,
  })
  t.equal(await lost, 'lost')
})

void t.test('workers that die again and again end the primary with 3', async (t) => {
  const server = startWorkers('--workers=5')
  const url = await server.url()
  const pids = new Set<number>()
  while (pids.size < 5) pids.add(await pidOf(url))
  // All at once: how long a worker takes to start does not matter.
  for (const pid of pids) process.kill(pid, 'SIGKILL')
  const { code, stderr } = await server.ended
  t.equal(code, 3)
  t.match(stderr, /\nWorkers ended 5 times within 10 s: giving up\.$/)
  t.equal(stderr.match(/^a worker ended by SIGKILL, starting another$/gm)?.length, 4)
})
