import t from 'tap'
import type { Sink } from '../../../src/http/message.js'
import type { IncrementalType } from '../../../src/over-http/response/choose-incremental.js'
import {
  incrementalHeaders,
  openParts,
  wholeInParts,
} from '../../../src/over-http/response/incremental-parts.js'
import type { EndCause } from '../../../src/streams/end-cause.js'

/** A sink that keeps each piece, and how the body ended. */
function pieces(): { readonly sink: Sink; readonly written: string[] } {
  const written: string[] = []
  const sink: Sink = {
    write: (piece) => written.push(piece) > 0,
    end: () => void written.push('END'),
    cut: () => void written.push('CUT'),
  }
  return { sink, written }
}

const partHead = '\r\nContent-Type: application/json; charset=utf-8\r\n\r\n'

/** The pieces of `{"a":1}` and `{"b":2}`: each ends with what makes clients deliver it. */
// oxfmt-ignore
const bytes: readonly [type: IncrementalType, pieces: readonly string[], idle: readonly string[], last: readonly string[]][] = [
  ['multipart/mixed',   ['\r\n---', `${partHead}{"a":1}\r\n---`, `${partHead}{"b":2}\r\n---`],            [],        ['--\r\n']],
  ['text/event-stream', [':\n\n', 'event: next\ndata: {"a":1}\n\n', 'event: next\ndata: {"b":2}\n\n'],    [':\n\n'], ['event: complete\ndata:\n\n']],
  ['application/jsonl', ['{"a":1}\n', '{"b":2}\n'],                                                       [],        ['']],
]

for (const [type, expected, idle, last] of bytes) {
  const encoding = { type, format: 'v0.2' } as const
  const open = (close: (errors: string) => string | undefined = () => undefined) => {
    const { sink, written } = pieces()
    const outlet = openParts(encoding, sink, close)
    outlet.next('{"a":1}', undefined)
    outlet.next('{"b":2}', undefined)
    return { outlet, written }
  }

  void t.test(`${type}: the pieces, and the end that is meant`, async (t) => {
    const { outlet, written } = open()
    outlet.end('complete', undefined)
    t.strictSame(written, [...expected, ...last, 'END'])
  })

  void t.test(`${type}: a heartbeat is nothing that clients take for a part`, async (t) => {
    const { outlet, written } = open()
    outlet.heartbeat()
    t.strictSame(written, [...expected, ...idle])
  })

  // oxfmt-ignore
  const ends: readonly [cause: EndCause, errors: string | undefined, closes: boolean, end: readonly string[]][] = [
    ['client-gone',   undefined,          true,  []],
    ['slow-reader',   undefined,          true,  ['CUT']],
    ['source-failed', '[{"message":"x"}]', false, ['END']],
    ['expired',       '[{"message":"x"}]', false, ['END']],
    ['too-long',      '[{"message":"x"}]', true,  ['PART', ...last, 'END']],
    ['expired',       '[{"message":"x"}]', true,  ['PART', ...last, 'END']],
  ]
  for (const [cause, errors, closes, end] of ends) {
    void t.test(`${type}: ${cause}, ${closes ? 'reported' : 'not ended'}`, async (t) => {
      const { outlet, written } = open((given) => (closes ? `{"completed":${given}}` : undefined))
      outlet.end(cause, errors)
      const shown = written
        .slice(expected.length)
        .map((piece) => (piece.includes('{"completed":[{"message":"x"}]}') ? 'PART' : piece))
      t.strictSame(shown, end)
    })
  }

  void t.test(`${type}: a result that came whole is the only part`, async (t) => {
    const { sink, written } = pieces()
    const outlet = openParts(encoding, sink, () => undefined)
    outlet.next('{"data":{},"hasNext":false}', undefined)
    outlet.end('complete', undefined)
    t.equal(wholeInParts('{"data":{}}', encoding), written.slice(0, -1).join(''))
  })
}

for (const type of ['multipart/mixed', 'text/event-stream', 'application/jsonl'] as const) {
  void t.test(`${type}: the headers name the format`, async (t) => {
    const own = type === 'multipart/mixed' ? 'boundary="-"' : 'charset=utf-8'
    for (const [format, named] of [
      ['v0.2', 'incrementalSpec=v0.2'],
      ['20220824', 'deferSpec=20220824'],
    ] as const) {
      const headers = incrementalHeaders({ type, format })
      t.strictSame(headers.slice(0, 2), ['Content-Type', `${type}; ${own}; ${named}`])
      const rest = ['Vary Accept', 'X-Content-Type-Options nosniff']
      const uncached = ['Cache-Control no-store, no-transform', 'X-Accel-Buffering no']
      t.equal(headers.slice(2).join(' '), [...rest, ...uncached].join(' '))
    }
  })
}
