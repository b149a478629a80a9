import t from 'tap'
import type { RequestFixture } from '../../../src/conformance/suite/fixture.js'
import { toTarget } from '../../../src/conformance/wire/target.js'
import { toWireRequest } from '../../../src/conformance/wire/to-wire-request.js'

// oxfmt-ignore
const rows: readonly [title: string, request: RequestFixture, body: string | undefined][] = [
  ['nothing',                               {},                                                undefined],
  ['text',                                  { text: '{"a":1}' },                               '{"a":1}'],
  ['JSON',                                  { json: { query: '{ a }' } },                      '{"query":"{ a }"}'],
  ['bytes',                                 { hex: '7b 7d' },                                  '{}'],
  ['one part',                              { parts: ['x'] },                                  'x'],
  ['parts, of which one counts',            { parts: ['{', { text: 'a%:b% ', times: 3, counter: '%' }, { text: '}', times: 2 }] }, '{a0:b0 a1:b1 a2:b2 }}'],
  ['a part without a counter as it stands', { parts: [{ text: '%', times: 2 }] },              '%%'],
]

const target = toTarget('http://localhost:4000/graphql')

for (const [title, request, body] of rows) {
  void t.test(`a body is ${title}`, async (t) => {
    const made = toWireRequest(request, target, []).body
    t.equal(made && Buffer.from(made).toString(), body)
  })
}
