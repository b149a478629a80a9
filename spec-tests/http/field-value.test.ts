import t from 'tap'
import { fieldValue } from '../../src/http/message.js'

// oxfmt-ignore
const rows: readonly [headers: readonly string[], name: string, value: string | undefined][] = [
  [['Accept', 'a', 'accept', 'b'],                    'accept', 'a, b'],
  [['Accept', 'a'],                                   'cookie', undefined],
  [['Cookie', 'a=1'],                                 'cookie', 'a=1'],
  // RFC 9113 section 8.2.3.
  [['cookie', 'a=1', 'x', 'y', 'cookie', 'b=2; c=3'], 'cookie', 'a=1; b=2; c=3'],
]

for (const [headers, name, value] of rows) {
  void t.test(`${name} of ${headers.join(' ')}`, async (t) => {
    t.equal(fieldValue(headers, name), value)
  })
}
