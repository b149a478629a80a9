import { createServer, type Server } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { follow } from '../../../../../src/base/transitions.js'
import type { ConnectionPolicy } from '../../../../../src/hosts/node/connection/connections.js'
import { createDrain, type CloseReport } from '../../../../../src/hosts/node/server/drain.js'
import { drainTransitions, policies } from '../../../../../src/hosts/node/server/drain-states.js'
import type { DrainEvent, DrainState } from '../../../../../src/hosts/node/server/drain-states.js'
import { listen } from '../../../../hosts/start-node.js'

interface Timer {
  readonly ms: number
  readonly fire: () => void
}

const deadline = 123_456

/** A server without connections of its own, whose timers are fired by the test. */
async function createStage(t: Test) {
  const timers = new Map<object, Timer>()
  const server: Server = createServer()
  await listen(server)
  const found = { state: 'serving' as DrainState, sweeps: 0, report: undefined as unknown }
  const connections = {
    size: 1,
    finished: 7,
    onEmpty: undefined as (() => void) | undefined,
    obey(policy: ConnectionPolicy) {
      const [state] = Object.entries(policies).find(([, row]) => row === policy) ?? []
      found.state = state as DrainState
    },
    closeIdle: () => void (found.sweeps += 1),
    cut: () => ({ requests: connections.size, streams: 0 }),
    flows: () => [],
    webSockets: () => [],
    closeBehindStreams() {},
  }
  t.teardown(() => server.close())
  const setTimer = (callback: () => void, ms: number): object => {
    const timer = { unref() {} }
    const fire = (): void => void (timers.delete(timer) && callback())
    timers.set(timer, { ms, fire })
    return timer
  }
  t.intercept(globalThis, 'setTimeout', { value: setTimer })
  t.intercept(globalThis, 'clearTimeout', { value: (timer: object) => timers.delete(timer) })
  const parts = { server, http1: undefined, connections, sessions: undefined, end() {} }
  const close = createDrain(parts as never)
  const start = (delay: number): void => {
    void close({ delay, deadline }).then((report: CloseReport) => (found.report = report))
  }
  const fire = (isWanted: (ms: number) => boolean): void => {
    for (const { ms, fire: now } of timers.values()) if (isWanted(ms)) return now()
  }
  return { found, server, connections, start, fire }
}

type Stage = Awaited<ReturnType<typeof createStage>>

/** How a server comes into each state. */
const waysIn: { readonly [state in DrainState]: readonly DrainEvent[] } = {
  serving: [],
  leaving: ['closeLater'],
  calm: ['closeLater', 'waited'],
  closing: ['closeLater', 'waited', 'waited'],
  hurried: ['closeLater', 'deadline'],
  grace: ['closeLater', 'waited', 'waited', 'listenerClosed'],
  sweeping: ['closeLater', 'waited', 'waited', 'listenerClosed', 'waited'],
  cutting: ['closeLater', 'deadline', 'listenerClosed'],
  ended: ['closeLater', 'deadline', 'listenerClosed', 'empty'],
}

/** What happens to a server when it meets each event. */
const happenings: { readonly [event in DrainEvent]: (stage: Stage) => Promise<void> | void } = {
  // A delay that is not longer than the calm is spent in it.
  close: ({ start }) => start(1),
  closeLater: ({ start }) => start(10_000),
  waited: ({ fire, found }) => fire((ms) => ms !== deadline && found.state !== 'sweeping'),
  async listenerClosed({ server, found }) {
    const { state } = found
    while (server.listening || found.state === state) await nextTurn()
  },
  async empty({ connections }) {
    connections.size = 0
    connections.onEmpty?.()
    // Not a turn, in which the server itself might close.
    await Promise.resolve()
  },
  deadline: ({ fire }) => fire((ms) => ms === deadline),
}

/** What is left behind in a state where the last connection has closed: nothing to wait for. */
function settled(state: DrainState): DrainState {
  return state === 'cutting' ? 'ended' : state
}

for (const state of Object.keys(drainTransitions) as DrainState[]) {
  for (const event of Object.keys(drainTransitions[state]) as DrainEvent[]) {
    const next = drainTransitions[state][event]
    void t.test(`${state}, ${event}: ${next ?? 'never'}`, async (t) => {
      const stage = await createStage(t)
      for (const way of waysIn[state]) await happenings[way](stage)
      t.equal(stage.found.state, state)
      if (next === undefined) {
        t.throws(() => follow(drainTransitions, state, event), /cannot happen/)
        if (event === 'listenerClosed') return
        await happenings[event](stage)
        // A server that has begun to close hears nothing of a second call, and has no timer to fire.
        t.equal(stage.found.state, state)
        return
      }
      await happenings[event](stage)
      t.equal(stage.found.state, event === 'empty' ? settled(next) : next)
    })
  }
}

void t.test('what was cut is counted, and so is what was answered', async (t) => {
  const stage = await createStage(t)
  for (const way of waysIn.ended) await happenings[way](stage)
  t.match(stage.found.report, { finished: 7, cut: 1 })
})

void t.test('a server that does not listen goes from its delay to the grace', async (t) => {
  const stage = await createStage(t)
  stage.server.close()
  stage.start(10_000)
  t.equal(stage.found.state, 'leaving')
  await happenings.waited(stage)
  t.equal(stage.found.state, 'grace')
})

void t.test('idle connections are closed again and again', async (t) => {
  const stage = await createStage(t)
  for (const way of waysIn.sweeping) await happenings[way](stage)
  t.equal(stage.found.sweeps, 1)
  stage.fire((ms) => ms !== deadline)
  t.equal(stage.found.sweeps, 2)
})
