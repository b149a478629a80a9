import t from 'tap'
import { follow } from '../../../../src/base/transitions.js'
import {
  crewTransitions,
  workerTransitions,
  type CrewEvent,
  type CrewState,
  type WorkerEvent,
  type WorkerState,
} from '../../../../src/cli/serve/workers/crew-state.js'
import {
  broken,
  createStage,
  nothingCut,
  ready,
  settle,
  times,
  type Puppet,
  type Stage,
} from './puppets.js'

const crewWaysIn: { readonly [state in CrewState]: readonly CrewEvent[] } = {
  unstarted: [],
  starting: ['start'],
  startingStale: ['start', 'change'],
  running: ['start', 'settled'],
  renewing: ['start', 'settled', 'change'],
  renewingStale: ['start', 'settled', 'change', 'change'],
  stopping: ['start', 'stop'],
}

const crewHappenings: { readonly [event in CrewEvent]: (stage: Stage) => void } = {
  start: ({ crew }) => void crew.start(),
  change: ({ crew }) => void crew.renew(),
  settled: ({ puppets }) => puppets.at(-1)?.start(ready),
  stop: ({ crew }) => void crew.stop(times),
}

for (const state of Object.keys(crewTransitions) as CrewState[]) {
  for (const event of Object.keys(crewTransitions[state]) as CrewEvent[]) {
    const next = crewTransitions[state][event]
    void t.test(`crew ${state}, ${event}: ${next ?? 'never'}`, async (t) => {
      const stage = createStage(1)
      for (const way of crewWaysIn[state]) {
        crewHappenings[way](stage)
        await settle()
      }
      t.equal(stage.crew.state, state)
      const happen = (): void => crewHappenings[event](stage)
      if (next === undefined && event === 'start') t.throws(happen, /cannot happen/)
      else happen()
      await settle()
      t.equal(stage.crew.state, next ?? state)
    })
  }
}

type Happening = 'start' | WorkerEvent

/** How the first worker of two comes into each state. */
const workerWaysIn: { readonly [state in WorkerState]: readonly Happening[] } = {
  starting: ['start'],
  ready: ['start', 'ready'],
  failed: ['start', 'failed'],
  serving: ['start', 'ready', 'welcome'],
  leaving: ['start', 'ready', 'welcome', 'leave'],
  retiring: ['start', 'ready', 'retire'],
  lost: ['start', 'ready', 'welcome', 'ended'],
  ended: ['start', 'ready', 'ended'],
}

const workerHappenings: { readonly [event in Happening]: (stage: Stage) => void } = {
  start: ({ crew }) => void crew.start(),
  ready: ({ puppets }) => puppets[0]?.start(ready),
  failed: ({ puppets }) => puppets[0]?.start(broken),
  welcome: ({ puppets }) => puppets[1]?.start(ready),
  leave: ({ puppets }) => puppets[0]?.leave(),
  retire: ({ crew }) => void crew.stop(times),
  ended: ({ puppets }) => puppets[0]?.end('by a test'),
}

function stateOf({ crew, puppets, reports }: Stage): WorkerState | undefined {
  const state = puppets[0] && crew.stateOf(puppets[0])
  const isReplaced = reports.includes('a worker ended by a test, starting another')
  return state ?? (isReplaced ? 'lost' : 'ended')
}

for (const state of Object.keys(workerTransitions) as WorkerState[]) {
  for (const event of Object.keys(workerTransitions[state]) as WorkerEvent[]) {
    const next = workerTransitions[state][event]
    void t.test(`worker ${state}, ${event}: ${next ?? 'never'}`, async (t) => {
      const stage = createStage(2)
      for (const way of workerWaysIn[state]) {
        workerHappenings[way](stage)
        for (const puppet of stage.puppets) puppet.isSlow = true
        await settle()
      }
      t.equal(stateOf(stage), state)
      if (next === undefined) {
        t.throws(() => follow(workerTransitions, state, event), /cannot happen/)
        return
      }
      // Only a worker that stands in for another is welcomed after a failure: see the next test.
      if (state === 'failed' && event === 'welcome') return
      workerHappenings[event](stage)
      await settle()
      t.equal(stateOf(stage), next)
      const first = stage.puppets[0]
      // A crew that stops hands over what it holds to the very end.
      if (next !== 'retiring') {
        t.equal(first && stage.rotation.has(first), ['serving', 'leaving'].includes(next))
      }
      t.equal(first?.told.includes('drain'), next === 'retiring' || state === 'retiring')
    })
  }
}

/** A crew of one worker, which drains until the test ends it. */
async function startSlow(): Promise<{ readonly stage: Stage; readonly first: Puppet }> {
  const stage = createStage(1)
  void stage.crew.start()
  const first = await stage.puppet(0)
  first.isSlow = true
  first.start(ready)
  await settle()
  return { stage, first }
}

void t.test('a worker that fails in the place of another serves until it ends', async (t) => {
  const { stage, first } = await startSlow()
  first.end('by a test')
  const next = await stage.puppet(1)
  next.start(broken)
  await settle()
  t.equal(stage.crew.stateOf(next), 'serving')
})

void t.test('a worker that got a signal serves until it is replaced', async (t) => {
  const { stage, first } = await startSlow()
  first.leave()
  const next = await stage.puppet(1)
  t.ok(stage.rotation.has(first))
  next.start(ready)
  await settle()
  t.equal(stage.crew.stateOf(first), 'retiring')
  t.same([...stage.rotation], [next])
  t.same(stage.reports, ['a worker was told to end, starting another'])
})

void t.test('a second report of a worker that did not end in time is not made', async (t) => {
  const { stage, first } = await startSlow()
  first.report = { ...nothingCut, cut: 2 }
  void stage.crew.renew()
  const next = await stage.puppet(1)
  next.start(ready)
  await settle()
  first.leave()
  await settle()
  first.end('late')
  await settle()
  t.same(stage.reports, ['reloaded ', 'a worker did not end in time; aborted: 2 requests'])
})
