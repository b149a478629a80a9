import t from 'tap'
import { maxResponseBytes } from '../../../src/conformance/wire/exchange.js'
import { maxHeadBytes, ReceivedBytes } from '../../../src/conformance/wire/read-response.js'

const head = 'HTTP/1.1 200 OK\r\n\r\n'
const chunk = Buffer.alloc(50_000, 'a')

void t.test('bytes are kept in order until they are taken', async (t) => {
  const received = new ReceivedBytes()
  for (const text of ['ab', 'cde', 'f']) received.add(Buffer.from(text))
  t.equal(received.bytes.toString(), 'abcdef')
  const early = received.bytes.subarray(0, 2)
  received.take(2)
  received.add(Buffer.from('gh'.repeat(100)))
  t.equal(received.bytes.toString().slice(0, 6), 'cdefgh')
  t.equal(early.toString(), 'ab', 'what was taken stays as it was')
})

const pours: readonly [what: string, start: string, problem: RegExp, limit: number][] = [
  ['a body', head, /larger than \d+ bytes/, maxResponseBytes],
  ['a head', 'HTTP/1.1 200 OK\r\n', /head .* larger than/, 2 * maxHeadBytes],
]
for (const [what, start, problem, limit] of pours) {
  void t.test(`${what} over the limit is dropped, and memory stays within it`, async (t) => {
    const received = new ReceivedBytes()
    received.add(Buffer.from(start))
    let most = 0
    for (let count = 0; count < 2 * (maxResponseBytes / chunk.length); count++) {
      received.add(chunk)
      most = Math.max(most, received.retained)
    }
    t.match(received.problem, problem)
    t.ok(most <= limit, `${most} bytes at the most`)
    t.equal(received.retained, 0)
    t.equal(received.bytes.length, 0)
  })
}
