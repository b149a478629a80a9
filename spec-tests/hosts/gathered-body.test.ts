import t from 'tap'
import { GatheredBody } from '../../src/hosts/gathered-body.js'

function gather(chunks: Iterable<Uint8Array>, expected = Infinity): GatheredBody {
  const body = new GatheredBody(() => expected)
  for (const chunk of chunks) body.add(chunk)
  return body
}

const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => at % 251)

void t.test('a body of one chunk is that chunk, not a copy', async (t) => {
  t.equal(gather([bytes]).take(), bytes)
  t.equal(gather([new Uint8Array(0), bytes]).take(), bytes)
})

void t.test('a body without a chunk is empty', async (t) => t.equal(gather([]).take().length, 0))

for (const [size, smallChunks] of /* oxfmt-ignore */ [
  [1,      100_000],
  [50,     2_000],
  [64,     1],
  [1_000,  0],
  [65_536, 0],
] as const) {
  void t.test(`chunks of ${size} bytes take at most twice their size`, async (t) => {
    const body = new GatheredBody(() => Infinity)
    for (let at = 0; at < bytes.length; at += size) {
      body.add(bytes.subarray(at, at + size))
      if (body.held > Math.max(1024, 2 * body.size)) t.fail(`${body.held} for ${body.size}`)
    }
    t.equal(body.smallChunks, smallChunks)
    t.strictSame(Buffer.compare(body.take(), bytes), 0)
    t.equal(body.held, 0)
  })
}

void t.test('the expected length bounds what a body takes, not what it holds', async (t) => {
  const halves = [bytes.subarray(0, 50_000), bytes.subarray(50_000, 60_000)]
  t.equal(gather(halves).held, 100_000)
  t.equal(gather(halves, 70_000).held, 70_000)
  t.equal(gather(halves, 10).held, 60_000)
  t.strictSame(Buffer.compare(gather(halves, 10).take(), bytes.subarray(0, 60_000)), 0)
})
