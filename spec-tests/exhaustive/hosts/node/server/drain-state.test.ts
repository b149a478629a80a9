import { createServer, type Server } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Phase } from '../../../../../src/hosts/node/connection/connections.js'
import type { CloseOptions } from '../../../../../src/hosts/node/server/close-options.js'
import { createDrain, type CloseReport } from '../../../../../src/hosts/node/server/drain.js'
import { listen } from '../../../../hosts/start-node.js'

interface Timer {
  readonly at: number
  readonly fire: () => void
}

/** A server with one connection that has a stream, and a clock that the test moves. */
async function createStage(t: Test) {
  const timers = new Map<object, Timer>()
  const server: Server = createServer()
  await listen(server)
  t.teardown(() => server.close())
  let now = 0
  const log: string[] = []
  const found = { sweeps: 0, report: undefined as CloseReport | undefined }
  const stream = { shutDown: () => void log.push(`${now} stream`) }
  const connections = {
    size: 1,
    finished: 7,
    onEmpty: undefined as (() => void) | undefined,
    enter: (phase: Phase) => void log.push(`${now} ${phase}`),
    closeIdle: () => void (found.sweeps += 1),
    cut: () => ({ requests: connections.size, streams: 0, sockets: 0 }),
    flows: () => [stream],
    closeBehindStreams() {},
  }
  const setTimer = (fire: () => void, ms: number): object => {
    const timer = { unref() {} }
    timers.set(timer, { at: now + ms, fire: () => void (timers.delete(timer) && fire()) })
    return timer
  }
  t.intercept(globalThis, 'setTimeout', { value: setTimer })
  t.intercept(globalThis, 'clearTimeout', { value: (timer: object) => timers.delete(timer) })
  t.intercept(performance, 'now', { value: () => now })
  const close = createDrain({ server, http1: undefined, connections, end() {} } as never)
  /** Lets everything happen up to a time. */
  const advance = async (until: number): Promise<void> => {
    for (;;) {
      for (let turn = 0; turn < 5; turn += 1) await nextTurn()
      const [first] = [...timers.values()].toSorted((one, other) => one.at - other.at)
      if (first === undefined || first.at > until) break
      now = first.at
      first.fire()
    }
    now = until
  }
  return {
    log,
    found,
    server,
    advance,
    start: (times: CloseOptions): void =>
      void close(times).then((report) => (found.report = report)),
    /** The listener waits in real time for connections that still come. */
    listenerClosed: async (): Promise<void> => {
      while (server.listening) await nextTurn()
    },
    empty(): void {
      connections.size = 0
      connections.onEmpty?.()
    },
  }
}

type Stage = Awaited<ReturnType<typeof createStage>>

type Step = (stage: Stage) => Promise<void> | void

const to =
  (time: number): Step =>
  ({ advance }) =>
    advance(time)
const closed: Step = ({ listenerClosed }) => listenerClosed()
const empty: Step = ({ empty: close }) => close()
const unheard: Step = ({ server }) => void server.close()

const usual = { delay: 1000, grace: 500, deadline: 3000 }

/** What happens, and what becomes of the connections at which times. */
// oxfmt-ignore
const rows: readonly (readonly [what: string, times: CloseOptions, before: readonly Step[], steps: readonly Step[], log: readonly string[], sweeps: number])[] = [
  ['with a delay',                             usual,                   [], [to(1000), closed, to(4000)],              ['0 closing', '800 calm', '1000 closing', '1000 stream', '3000 cut'], 8],
  ['with a short delay, which is calm',        { ...usual, delay: 100 }, [], [to(100), closed, to(4000)],              ['0 calm', '100 closing', '100 stream', '3000 cut'], 12],
  ['without a delay',                          { ...usual, delay: 0 },  [], [to(0), closed, to(4000)],                 ['0 calm', '0 closing', '0 stream', '3000 cut'], 13],
  ['without a listener',                       usual,                   [unheard], [to(4000)],                         ['0 closing', '1000 closing', '1000 stream', '3000 cut'], 8],
  ['without a grace',                          { ...usual, grace: 0 },  [], [to(1000), closed, to(4000)],              ['0 closing', '800 calm', '1000 closing', '1000 stream', '3000 cut'], 10],
  ['the deadline passes in the delay',         { ...usual, delay: 5000 }, [], [to(3000), closed, to(4000)],            ['0 closing', '3000 calm', '3000 stream', '3000 cut'], 0],
  ['the deadline passes in the calm',          { ...usual, delay: 3100 }, [], [to(3000), closed, to(4000)],            ['0 closing', '2900 calm', '3000 stream', '3000 cut'], 0],
  ['and while the listener is closed',         usual,                   [], [to(1000), to(3000), closed, to(4000)],    ['0 closing', '800 calm', '3000 stream', '3000 cut'], 0],
  ['an early end is not waited for',           usual,                   [], [empty, to(1000), closed, to(1000)],       ['0 closing', '800 calm', '1000 closing', '1000 cut'], 0],
  ['the last connection closes in the grace',  usual,                   [], [to(1000), closed, to(1300), empty, to(1300)], ['0 closing', '800 calm', '1000 closing', '1000 stream', '1300 cut'], 0],
  ['the last connection closes in the sweeps', usual,                   [], [to(1000), closed, to(1750), empty, to(1750)], ['0 closing', '800 calm', '1000 closing', '1000 stream', '1750 cut'], 2],
]

for (const [what, times, before, steps, log, sweeps] of rows) {
  void t.test(what, async (t) => {
    const stage = await createStage(t)
    for (const step of before) await step(stage)
    stage.start(times)
    for (const step of steps) await step(stage)
    t.same(stage.log, log)
    t.equal(stage.found.sweeps, sweeps)
    stage.empty()
    await stage.advance(4000)
    t.equal(stage.found.report?.finished, 7)
  })
}

void t.test('what was cut is counted, and waited for', async (t) => {
  const stage = await createStage(t)
  stage.start(usual)
  for (const step of [to(1000), closed, to(4000)]) await step(stage)
  t.equal(stage.found.report, undefined)
  stage.empty()
  await stage.advance(4000)
  const streams = { ended: 1, cut: 0 }
  t.same(stage.found.report, { finished: 7, cut: 1, streams, sockets: { closed: 0, cut: 0 } })
})
