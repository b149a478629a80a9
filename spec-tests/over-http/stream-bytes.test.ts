import t from 'tap'
import {
  openEventStream,
  wholeEventStream,
  openMultipartEvents,
} from '../../src/over-http/response/event-stream.js'
import type { EndCause } from '../../src/streams/end-cause.js'
import type { Outlet } from '../../src/streams/outlet.js'

/** Collects what an outlet writes; how it ends is a mark that no text has. */
function record(open: (sink: Parameters<typeof openEventStream>[0]) => Outlet) {
  const written: string[] = []
  const outlet = open({
    write(piece) {
      written.push(piece)
      return piece !== 'full'
    },
    end: () => void written.push('<end>'),
    cut: () => void written.push('<cut>'),
  })
  const take = (): string => written.splice(0).join('')
  return { outlet, take }
}

const errors = '[{"message":"why"}]'
const json = 'Content-Type: application/json; charset=utf-8'
const why = '{"payload":null,"errors":[{"message":"why"}]}'

const failed =
  'event: next\ndata: {"errors":[{"message":"why"}]}\n\nevent: complete\ndata:\n\n<end>'
const retry = /^retry: [1-4]\d{3}\n\n<end>$/
const last = (part: string): string => `\r\n${json}\r\n\r\n${part}\r\n--graphql--\r\n<end>`

/** What is written at the end, by its cause, and whether there are errors to tell. */
// oxfmt-ignore
const ends: { readonly [cause in EndCause]: readonly [events: string | RegExp, parts: string, hasErrors: boolean] } = {
  complete:          ['event: complete\ndata:\n\n<end>', '--\r\n<end>',                                        false],
  'source-failed':   [failed,                            last('{"payload":{"errors":[{"message":"why"}]}}'),  true],
  'client-gone':     ['',                                '',                                                  false],
  'client-complete': ['event: complete\ndata:\n\n<end>', '--\r\n<end>',                                        false],
  'slow-reader':     ['<cut>',                           '<cut>',                                             false],
  'too-long':        [retry,                             last(why),                                           true],
  interrupted:       [retry,                             last(why),                                           true],
  expired:           [failed,                            last(why),                                           true],
  shutdown:          [retry,                             last(why),                                           true],
}

for (const [cause, [text, part, hasErrors]] of Object.entries(ends)) {
  void t.test(`the end of a stream: ${cause}`, async (t) => {
    const shown = hasErrors ? errors : undefined
    const events = record(openEventStream)
    t.equal(events.take(), ':\n\n')
    events.outlet.end(cause as EndCause, shown)
    const written = events.take()
    t.ok(typeof text === 'string' ? written === text : text.test(written), written)

    const parts = record(openMultipartEvents)
    t.equal(parts.take(), '\r\n--graphql')
    parts.outlet.end(cause as EndCause, shown)
    t.equal(parts.take(), part)
  })
}

void t.test('events', async (t) => {
  const { outlet, take } = record(openEventStream)
  take()
  t.ok(outlet.next('{"data":{"a":1}}', undefined))
  t.equal(take(), 'event: next\ndata: {"data":{"a":1}}\n\n')
  outlet.next('{"data":{"a":2}}', 'x-2')
  t.equal(take(), 'id: x-2\nevent: next\ndata: {"data":{"a":2}}\n\n')
  outlet.heartbeat()
  t.equal(take(), ':\n\n')
  const whole = ':\n\nevent: next\ndata: {"data":null}\n\nevent: complete\ndata:\n\n'
  t.equal(wholeEventStream('{"data":null}'), whole)
})

void t.test('parts: the delimiter of the next one is behind each', async (t) => {
  const { outlet, take } = record(openMultipartEvents)
  take()
  t.ok(outlet.next('{"data":{"a":1}}', 'ids are only for events'))
  t.equal(take(), `\r\n${json}\r\n\r\n{"payload":{"data":{"a":1}}}\r\n--graphql`)
  outlet.heartbeat()
  t.equal(take(), `\r\n${json}\r\n\r\n{}\r\n--graphql`)
})

void t.test('an outlet says when its client reads too slowly', async (t) => {
  for (const open of [openEventStream, openMultipartEvents]) {
    const outlet = open({ write: () => false, end() {}, cut() {} })
    t.notOk(outlet.next('{}', undefined))
  }
})
