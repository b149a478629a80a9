import t from 'tap'
import { checkGet } from '../../../src/over-http/request/check-head.js'

const rules = { getHeaders: [], cors: { allows: () => false } }

// oxfmt-ignore
const rows: readonly [origin: string, host: string, isRefused: boolean][] = [
  ['https://example.com',     'example.com',      false],
  ['http://example.com:4000', 'Example.com:4000', false],
  ['https://evil.example',    'example.com',      true],
  // An origin without a scheme is nobody's own, whatever its last letters are.
  ['null',                    'll',               true],
  ['null',                    '',                 true],
  ['',                        '',                 true],
  ['://',                     '',                 true],
]
for (const [origin, host, isRefused] of rows) {
  const what = `a GET of the origin ${JSON.stringify(origin)} to the host ${JSON.stringify(host)}`
  void t.test(`${isRefused ? 'refuses' : 'takes'} ${what}`, async (t) => {
    const headers = ['Host', host, 'Origin', origin]
    const refusal = checkGet({ method: 'GET', target: '/', headers, raw: undefined }, rules)
    t.equal(refusal?.kind, isRefused ? 'cross-site' : undefined)
  })
}
