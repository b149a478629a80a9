import t from 'tap'
import type { WireEvent } from '../../../src/conformance/wire/exchange.js'
import { EventLog } from '../../../src/conformance/wire/streaming/event-log.js'
import { readerFor } from '../../../src/conformance/wire/streaming/stream-readers.js'
import { encodeFrame, FrameReader } from '../../../src/conformance/wire/web-socket/frames.js'
import { readFixtures } from '../read-fixtures.js'

/** The bytes of a stream, and what a runner must find in them (fixtures/selftest/streams.json). */
interface CannedStream {
  readonly id: string
  readonly contentType: string
  readonly chunks: readonly (string | { readonly hex: string })[]
  readonly events: readonly Partial<WireEvent>[]
  readonly faults?: readonly string[]
}

const streams = readFixtures('selftest/streams.json') as readonly CannedStream[]

function toBytes(chunk: CannedStream['chunks'][number]): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.hex, 'hex')
}

for (const { id, contentType, chunks, events, faults = [] } of streams) {
  void t.test(`${id} is read as the self-test says`, async (t) => {
    const log = new EventLog()
    if (contentType === 'websocket') {
      const reader = new FrameReader(log, () => {})
      for (const chunk of chunks) reader.add(toBytes(chunk))
    } else {
      const reader = readerFor({ status: 200, headers: [['content-type', contentType]] }, log)
      for (const chunk of chunks) reader?.add(toBytes(chunk))
      reader?.end?.()
    }
    const found = log.events.map((event) => ({ ...event, at: undefined, knownAt: undefined }))
    t.strictSame(JSON.parse(JSON.stringify(found)), events)
    t.strictSame(log.faults, faults)
  })
}

void t.test('a part is known only when its delimiter has come', async (t) => {
  const log = new EventLog()
  const headers = [['content-type', 'multipart/mixed; boundary=x']] as const
  const reader = readerFor({ status: 200, headers }, log)
  reader?.add(Buffer.from('--x\r\n\r\n{}'))
  t.equal(log.events.length, 0)
  reader?.add(Buffer.from('\r\n--x'))
  t.equal(log.events.length, 1)
})

void t.test('frames are masked, and have the shortest length', async (t) => {
  const heads = { 0: 6, 125: 6, 126: 8, 65_535: 8, 65_536: 14 }
  for (const [text, head] of Object.entries(heads)) {
    const size = Number(text)
    const frame = encodeFrame({ opcode: 1, payload: Buffer.alloc(size, 'x') })
    t.equal(frame.length, size + head)
    t.equal((frame[1] ?? 0) & 0x80, 0x80)
  }
  const payload = Buffer.concat([Buffer.of(0x03, 0xe8), Buffer.from('é')])
  const plain = encodeFrame({ opcode: 8, masked: false, payload })
  t.equal(plain.toString('hex'), '880403e8c3a9')
  t.equal(encodeFrame({ opcode: 3, fin: false, rsv: 4, payload: Buffer.alloc(0) })[0], 0x43)
})

void t.test('a log is bounded, and nothing follows its end', async (t) => {
  const log = new EventLog()
  for (let count = 0; count < 10_002; count++) log.add({ kind: 'line', at: 0, data: '' })
  t.equal(log.events.length, 10_001)
  t.match(log.events.at(-1), { kind: 'cut', data: 'more than 10000 events' })
  t.ok(log.changes.isOver)
  log.add({ kind: 'line', at: 0 })
  log.end()
  t.equal(log.events.length, 10_001)
})

void t.test('waiting ends with the condition, the end or the time', async (t) => {
  const log = new EventLog()
  const waiting = log.changes.until(60_000, () => log.events.length > 0)
  log.add({ kind: 'line', at: 0 })
  t.equal(await waiting, true)
  t.equal(await log.changes.until(1, () => false), false)
  const ended = log.changes.until(60_000, () => log.events.length > 5)
  log.end()
  t.equal(await ended, false)
})
