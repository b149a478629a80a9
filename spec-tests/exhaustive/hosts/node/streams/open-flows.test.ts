import t from 'tap'
import { Waves } from '../../../../../src/hosts/node/streams/open-flows.js'

type Row = [name: string, flows: number, spread: number, deadline: number, waves: number[]]
// oxfmt-ignore
const rows: readonly Row[] = [
  ['no streams',                    0,   1000, Infinity, [0, 0]],
  ['one stream ends at once',       1,   5000, Infinity, [1]],
  ['as many in each wave',          100, 1000, Infinity, [20, 20, 20, 20, 20]],
  ['the first waves take the rest', 7,   1000, Infinity, [2, 2, 1, 1, 1]],
  ['all at once',                   100, 0,    Infinity, [100]],
  ['before the deadline',           100, 9000, 900,      [50, 50]],
  ['the deadline is near',          100, 9000, 100,      [100]],
]

for (const [name, flows, spread, deadline, sizes] of rows) {
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
