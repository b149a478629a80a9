import t from 'tap'
import { Waves } from '../../../../../src/hosts/node/streams/open-flows.js'

interface Row {
  readonly name: string
  readonly flows: number
  readonly spread: number
  readonly deadline?: number
  readonly waves: readonly number[]
}

// oxfmt-ignore
const rows: readonly Row[] = [
  { name: 'no streams',                     flows: 0,   spread: 1000, waves: [0, 0] },
  { name: 'one stream ends at once',        flows: 1,   spread: 5000, waves: [1] },
  { name: 'as many in each wave',           flows: 100, spread: 1000, waves: [20, 20, 20, 20, 20] },
  { name: 'the first waves take the rest',  flows: 7,   spread: 1000, waves: [2, 2, 1, 1, 1] },
  { name: 'all at once',                    flows: 100, spread: 0,    waves: [100] },
  { name: 'before the deadline',            flows: 100, spread: 9000, deadline: 900, waves: [50, 50] },
  { name: 'the deadline is near',           flows: 100, spread: 9000, deadline: 100, waves: [100] },
]

for (const { name, flows, spread, deadline = Infinity, waves: sizes } of rows) {
  void t.test(name, async (t) => {
    const open = new Set(Array.from({ length: flows }, () => createFlow()))
    const waves = new Waves(() => open)
    waves.start(0, spread, deadline)
    const ended = sizes.map((_, at) => {
      const before = waves.ended.streams
      waves.next(at * 200)
      return waves.ended.streams - before
    })
    t.same(ended, sizes)
    t.equal(open.size, 0)

    function createFlow() {
      const flow = { shutDown: () => void open.delete(flow) }
      return flow
    }
  })
}

void t.test('what ends later is shut down once', async (t) => {
  let calls = 0
  const waves = new Waves(() => [flow])
  const flow = { shutDown: () => void (calls += 1) }
  waves.start(0, 400, Infinity)
  for (const now of [0, 200, 400, 600]) waves.next(now)
  t.equal(calls, 1)
  t.equal(waves.ended.streams, 1)
})

void t.test('what opens after the last wave ends with the next', async (t) => {
  const open = new Set<{ shutDown(): void }>()
  const waves = new Waves(() => open)
  waves.start(0, 0, Infinity)
  waves.next(0)
  const late = { shutDown: () => void open.delete(late) }
  open.add(late)
  waves.next(200)
  t.equal(waves.ended.streams, 1)
})

void t.test('WebSockets end in the same waves, unless they have', async (t) => {
  const calls: string[] = []
  const flowOf = (state: 'acknowledged' | 'closed') => ({
    state,
    shutDown: () => void calls.push(state),
  })
  const flows = [
    { shutDown: () => void calls.push('stream') },
    flowOf('closed'),
    flowOf('acknowledged'),
  ]
  const waves = new Waves(() => flows)
  waves.start(0, 400, Infinity)
  waves.next(0)
  t.same(waves.ended, { streams: 1, sockets: 0 })
  waves.next(200)
  t.same(waves.ended, { streams: 1, sockets: 1 })
  t.same(calls, ['stream', 'acknowledged'])
})
