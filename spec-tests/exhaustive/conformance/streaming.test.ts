import t from 'tap'
import { holdAll, noticedIn, show, unbrokenIn } from './defects/defect.js'
import type { Defect, Layers, Transformation } from './defects/defect.js'
import { otherProtocol } from './defects/parts-defects.js'
import { fromServer, hears, say, says } from './defects/sockets.js'
import { runOn } from './defects/start-server.js'
import { startStreamingServer, streamDefects } from './defects/streaming.js'

// Many servers, each with runs that wait for what must not come.
t.setTimeout(400_000)
// Defects leave connections open, which would keep the process.
t.teardown(() => setTimeout(() => process.exit(), 1000))

const suites = ['sse', 'websocket', 'incremental', 'multipart-subscriptions']

/** How many servers are held against the suites at once: they wait most of the time. */
const atOnce = 20

/** These wait several times, and so come first. */
const slow = new Set('inc.boundary mps.end mps.heartbeat sse.heartbeat'.split(' '))

/** Runs the suites against a server of its own. */
async function hold(transformation: Transformation | undefined, cases: readonly string[]) {
  const options = { suites, standard: true, capabilities: ['heartbeats'], timeout: 5000 }
  const server = await startStreamingServer(transformation)
  return runOn(server, { ...options, cases, concurrency: 8 })
}

void t.test('a server without a defect passes every case', async (t) => {
  const { cases } = await hold(undefined, [])
  t.strictSame(cases.filter(({ verdict }) => verdict !== 'pass').map(show), [])
})

void t.test('subscriptions in another protocol over multipart/mixed are not judged', async (t) => {
  const { cases } = await hold(otherProtocol, ['mps'])
  t.not(cases.length, 0)
  t.strictSame(cases.filter(({ verdict }) => verdict !== 'skip').map(show), [])
})

// oxfmt-ignore
const allowed: readonly [says: string, cases: string, layers: Layers][] = [
  ['a result that crosses the complete of the client', 'ws.complete.stops', hears((message, middle) => {
    const { id, type } = message
    if (type === 'complete') say(middle, { id, type: 'next', payload: { data: { countdown: 8 } } })
    return message })],
  ['pings and pongs between its messages', 'ws', says((message, middle) => {
    if ('id' in message) for (const type of ['ping', 'pong']) say(middle, { type })
    return message })],
  ['pong frames without a ping frame', 'ws', fromServer((frame, { toClient }) => {
    toClient({ first: 0x8a, isMasked: false, payload: '' })
    return frame })],
]
for (const [what, id, layers] of allowed) {
  void t.test(`a socket may send ${what}`, async (t) => {
    const { cases } = await hold(layers, [id])
    t.strictSame(cases.filter(({ verdict }) => verdict !== 'pass').map(show), [])
  })
}

void t.test('each defect is noticed and named', async (t) => {
  const holdOne = async ({ transformation, noticedBy }: Defect) =>
    (await hold(transformation, noticedBy)).cases
  const isSlow = ({ noticedBy }: Defect): boolean => noticedBy.some((id) => slow.has(id))
  const waiting = streamDefects.toSorted((a, b) => Number(isSlow(b)) - Number(isSlow(a)))
  for (const [one, found] of await holdAll(waiting, atOnce, holdOne)) {
    const isSeen = one.noticedBy.every((id) => noticedIn(found).has(id))
    // Some cases measure for how long a server is silent. Beside others that can be too long, so alone decides.
    const reports = isSeen ? found : await holdOne(one)
    const ids = noticedIn(reports)
    for (const id of one.noticedBy) t.ok(ids.has(id), `${one.name} is noticed by ${id}`)
    const faults = reports.filter(({ verdict }) => verdict === 'error')
    t.strictSame(faults.map(show), [], `${one.name} is no fault of the runner`)
  }
})

void t.test('every case is broken by some defect', async (t) => {
  t.strictSame(unbrokenIn(suites, streamDefects), [])
})
