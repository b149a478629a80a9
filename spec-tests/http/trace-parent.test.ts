import t from 'tap'
import { parseTraceParent } from '../../src/http/trace-parent.js'

const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']

// oxfmt-ignore
const rows: readonly [name: string, value: string | undefined, isSampled: boolean | undefined][] = [
  ['sampled',                         `00-${traceId}-${spanId}-01`,                 true],
  ['not sampled',                     `00-${traceId}-${spanId}-00`,                 false],
  ['other flags',                     `00-${traceId}-${spanId}-fe`,                 false],
  ['whitespace around it',            ` \t00-${traceId}-${spanId}-03 `,             true],
  ['a later version',                 `01-${traceId}-${spanId}-01`,                 true],
  ['a later version with more',       `01-${traceId}-${spanId}-01-anything`,        true],
  ['a later version with more flags', `01-${traceId}-${spanId}-01anything`,         undefined],
  ['this version with more',          `00-${traceId}-${spanId}-01-anything`,        undefined],
  ['version ff',                      `ff-${traceId}-${spanId}-01`,                 undefined],
  ['upper case',                      `00-${traceId.toUpperCase()}-${spanId}-01`,   undefined],
  ['a trace of zeros',                `00-${'0'.repeat(32)}-${spanId}-01`,          undefined],
  ['a span of zeros',                 `00-${traceId}-${'0'.repeat(16)}-01`,         undefined],
  ['a trace that is too short',       `00-${traceId.slice(1)}-${spanId}-01`,        undefined],
  ['two fields',                      `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`, undefined],
  ['a line of its own behind',        `00-${traceId}-${spanId}-01\n`,               undefined],
  ['a long text',                     '0'.repeat(100_000),                          undefined],
  ['many blanks',                     ' '.repeat(100_000),                          undefined],
  ['nothing',                         '',                                           undefined],
  ['no field',                        undefined,                                    undefined],
]

for (const [name, value, isSampled] of rows) {
  void t.test(`traceparent with ${name}`, async (t) => {
    const expected = isSampled === undefined ? undefined : { traceId, spanId, isSampled }
    t.same(parseTraceParent(value), expected)
  })
}
