import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { follow } from '../../src/base/transitions.js'
import { defer } from '../base/defer.js'
import { thrower } from '../base/thrower.js'
import type { EndCause } from '../../src/streams/end-cause.js'
import type { Outlet } from '../../src/streams/outlet.js'
import { Pump, pumpTransitions } from '../../src/streams/pump.js'
import type { Program } from '../../src/streams/program.js'
import type { PumpEvent, PumpState } from '../../src/streams/pump.js'

let pass = (_milliseconds: number): void => {}

/** A test that begins in a turn of its own, which is never long, however busy the machine is: time passes only by `pass`. */
function test(title: string, run: (t: Test) => Promise<void>): void {
  void t.test(title, async (t) => {
    await nextTurn()
    const { now } = performance
    let time = now.call(performance)
    performance.now = () => time
    pass = (milliseconds) => (time += milliseconds)
    t.teardown(() => (performance.now = now))
    await run(t)
  })
}

/** A pump whose source, execution and client wait for the test. */
function createStage(options: Pick<Outlet, 'seesSlowReaders'> = {}) {
  const seen: string[] = []
  let isFull = false
  let event = defer<IteratorResult<unknown>>()
  let giveResult: ((result: string) => void) | undefined
  const program: Program = {
    field: 'field',
    operationName: undefined,
    client: undefined,
    source: {
      next() {
        seen.push('pull')
        event = defer()
        return event.promise
      },
    },
    play: () => new Promise((resolve) => (giveResult = resolve)),
    describeFailure: (bug) => String(bug),
    describeEnd: (cause) => `why ${cause}`,
    stop: (cause) => void seen.push(`stop ${cause}`),
  }
  const pump = new Pump(
    program,
    {
      ...options,
      next(result) {
        seen.push(result)
        return !isFull
      },
      heartbeat() {
        seen.push('heartbeat')
        return !isFull
      },
      end: (cause, errors) => void seen.push(`end ${cause} ${errors}`),
    },
    (_, cause) => void seen.push(`ended ${cause}`),
  )
  pump.start()
  const happen = async (what: PumpEvent): Promise<void> => {
    if (what === 'event') event.resolve({ done: false, value: 1 })
    if (what === 'drained') pump.resume()
    if (what === 'end') pump.end('shutdown')
    if (what === 'result' || what === 'resultFull') {
      isFull = what === 'resultFull'
      giveResult?.('result')
    }
    await nextTurn()
  }
  const takeSeen = (): string[] => seen.splice(0)
  const giveLast = () => event.resolve({ done: true, value: undefined })
  const fail = (bug: unknown) => event.reject(bug as Error)
  return { pump, program, happen, takeSeen, giveLast, fail }
}

/** A pump that has started, whose client takes everything. */
function start(program: Partial<Program>, outlet: Partial<Outlet> = {}): Pump {
  const takes: Outlet = { next: () => true, heartbeat: () => true, end() {}, ...outlet }
  const whole: Program = { ...createStage().program, play: () => '{}', ...program }
  const pump = new Pump(whole, takes, () => undefined)
  pump.start()
  return pump
}

/** How a stream comes into each state. */
const waysIn: { readonly [state in PumpState]: readonly PumpEvent[] } = {
  pulling: [],
  working: ['event'],
  blocked: ['event', 'resultFull'],
  ended: ['event', 'end'],
}

/** What is seen of an event that can happen; nothing of all others. */
const ending = ['stop shutdown', 'ended shutdown', 'end shutdown why shutdown']
const effects: { readonly [cell: string]: readonly string[] } = {
  'pulling end': ending,
  'working result': ['result', 'pull'],
  'working resultFull': ['result'],
  'working end': ending,
  'blocked drained': ['pull'],
  'blocked end': ending,
}

for (const state of Object.keys(pumpTransitions) as PumpState[]) {
  for (const event of Object.keys(pumpTransitions[state]) as PumpEvent[]) {
    const next = pumpTransitions[state][event]
    test(`${state}, ${event}: ${next ?? 'never'}`, async (t) => {
      const { pump, happen, takeSeen } = createStage()
      for (const way of waysIn[state]) await happen(way)
      t.equal(pump.state, state)
      takeSeen()
      if (next === undefined) {
        t.throws(() => follow(pumpTransitions, state, event), /cannot happen/)
        return
      }
      await happen(event)
      t.equal(pump.state, next)
      t.same(takeSeen(), effects[`${state} ${event}`] ?? [])
    })
  }
}

test('the last event is the end', async (t) => {
  const { giveLast, takeSeen } = createStage()
  giveLast()
  await nextTurn()
  t.same(takeSeen(), ['pull', 'ended complete', 'end complete why complete'])
})

const interruption = Object.assign(new Error('away'), { code: 'INTERRUPTED' })
// oxfmt-ignore
const failures: readonly [title: string, bug: unknown, ends: readonly string[]][] = [
  ['that fails says why, once',                    'broken',     ['stop source-failed', 'ended source-failed', 'end source-failed broken']],
  ['that was interrupted is not one that failed', interruption, ['stop interrupted', 'ended interrupted', 'end interrupted why interrupted']],
]
for (const [title, bug, ends] of failures) {
  test(`a source ${title}`, async (t) => {
    const { fail, takeSeen } = createStage()
    fail(bug)
    await nextTurn()
    t.same(takeSeen(), ['pull', ...ends])
  })
}

test('a source that fails after the end is ignored', async (t) => {
  const { pump, program, fail, giveLast, takeSeen } = createStage()
  Object.assign(program, { describeFailure: () => t.fail('reported') })
  pump.end('client-gone')
  takeSeen()
  fail('broken')
  giveLast()
  await nextTurn()
  t.same(takeSeen(), [])
})

const fails = thrower(new Error('odd'))
// oxfmt-ignore
const odd: readonly (readonly [name: string, next: () => unknown])[] = [
  ['throws',                    () => fails()],
  ['returns nothing',           () => undefined],
  ['returns a number',          () => 5],
  ['resolves to null',          async () => null],
  ['has a `done` that throws',  () => ({ get done() { return fails() } })],
  // oxlint-disable-next-line unicorn/no-thenable -- it is what a source may return
  ['is a thenable that throws', () => ({ then: () => fails() })],
]

for (const [name, next] of odd) {
  test(`a source whose next ${name} has failed`, async (t) => {
    let cause: EndCause | undefined
    const end = (why: EndCause) => void (cause = why)
    const pump = start({ source: { next } as never }, { next: () => false, end })
    await nextTurn()
    // A number is an object without `done`, like any other.
    if (name === 'returns a number') t.equal(pump.state, 'blocked')
    else t.equal(cause, 'source-failed')
  })
}

test('a source that always has an event leaves room for others', async (t) => {
  const pump = start({ source: { next: async () => ({ done: false, value: 1 }) } })
  for (let turns = 0; turns < 10; turns += 1) await nextTurn()
  t.ok(pump.events > 16 && pump.events < 400, `${pump.events} events in ten turns`)
  pump.end('client-gone')
  const { events } = pump
  await nextTurn()
  t.equal(pump.events, events)
})

test('the clock: heartbeats, and clients that do not read', async (t) => {
  const { pump, happen, takeSeen } = createStage()
  takeSeen()
  for (let looks = 0; looks < 6; looks += 1) pump.look(3, 2)
  t.same(takeSeen(), ['heartbeat', 'heartbeat'])
  await happen('event')
  await happen('result')
  takeSeen()
  pump.look(3, 2)
  pump.look(3, 2)
  t.same(takeSeen(), [], 'an event is a sign of life')
  await happen('event')
  await happen('resultFull')
  takeSeen()
  pump.look(1, 2)
  pump.look(1, 2)
  t.same(takeSeen(), [], 'no heartbeats for a client that does not read')
  await happen('drained')
  await happen('event')
  await happen('resultFull')
  takeSeen()
  for (let looks = 0; looks < 2; looks += 1) pump.look(1, 2)
  t.same(takeSeen(), [], 'it has read in between')
  pump.look(1, 2)
  t.same(takeSeen(), ['stop slow-reader', 'ended slow-reader', 'end slow-reader why slow-reader'])
})

test('a client that does not read its heartbeats is slow, too', async (t) => {
  const { pump, happen, takeSeen } = createStage()
  takeSeen()
  await happen('resultFull')
  pump.look(1, 2)
  pump.resume()
  for (let looks = 0; looks < 3; looks += 1) pump.look(1, 2)
  t.same(takeSeen(), ['heartbeat', 'heartbeat'], 'it has read the first')
  pump.look(1, 2)
  t.same(takeSeen(), ['stop slow-reader', 'ended slow-reader', 'end slow-reader why slow-reader'])
})

// The stream of a socket would end without a word, and its client would wait for ever.
test('a transport that sees slow readers itself decides when to end them', async (t) => {
  const { pump, happen, takeSeen } = createStage({ seesSlowReaders: true })
  await happen('event')
  await happen('resultFull')
  takeSeen()
  for (let looks = 0; looks < 6; looks += 1) pump.look(1, 2)
  t.same(takeSeen(), [])
  t.equal(pump.state, 'blocked')
})

for (const [name, length, count] of [
  ['short ones', 5, 16],
  ['long ones, which count as several of 4096 characters', 300_000, 4],
] as const) {
  test(`of events that are there already, a stream sends in a turn: ${name}`, async (t) => {
    await nextTurn()
    const sent: string[] = []
    const event = { done: false, value: 1 }
    const source = { next: async () => event, poll: () => event, onReady: () => undefined }
    const next = (result: string): boolean => sent.push(result) > 0
    const pump = start({ source, play: () => 'x'.repeat(length) }, { next })
    t.equal(sent.length, count)
    pump.gone()
  })
}

test('a source that throws when it begins ends its stream', async (t) => {
  const bug = new Error('no')
  const bugs: unknown[] = []
  const ends: EndCause[] = []
  const next = async () => ({ done: true, value: undefined })
  const source = { next, poll: () => undefined, onReady: thrower(bug) }
  const describeFailure = (thrown: unknown): string => `${bugs.push(thrown)}`
  start({ source, describeFailure }, { end: (cause) => void ends.push(cause) })
  t.same([bugs, ends], [[bug], ['source-failed']])
})

test('events that take long and come at once are spread over turns', async (t) => {
  const sources: ((next: IteratorResult<unknown>) => void)[] = []
  let played = 0
  for (let at = 0; at < 12; at += 1) {
    const next = () => new Promise<IteratorResult<unknown>>((give) => sources.push(give))
    const play = (): string => {
      pass(11)
      played += 1
      return 'result'
    }
    const pump = start({ source: { next }, play })
    t.teardown(() => pump.gone())
  }
  while (sources.length < 12) await nextTurn()
  for (const give of sources.splice(0)) give({ done: false, value: 1 })
  for (let before = 0; before < 12; before = played) {
    while (played === before) await nextTurn()
    // The first begins the turn, and the second ends it.
    t.ok(played - before <= 2, `${played - before} in a turn`)
  }
})
