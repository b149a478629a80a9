import t from 'tap'
import { checkGet } from '../../../src/over-http/request/check-head.js'

const rules = {
  getHeaders: [],
  cors: { allows: (origin: string) => origin === 'https://app.example' },
}
const host = 'api.example'
const refused = 'cross-site'

// oxfmt-ignore
const rows: readonly [headers: { readonly [name: string]: string }, kind: string | undefined][] = [
  [{},                                     undefined],
  [{ 'sec-fetch-site': 'same-origin' },    undefined],
  [{ 'sec-fetch-site': 'same-site' },      undefined],
  [{ 'sec-fetch-site': 'none' },           undefined],
  [{ 'sec-fetch-site': 'cross-site' },     refused],
  [{ host, origin: 'http://api.example' }, undefined],
  // A proxy may have ended TLS, so that the schemes differ.
  [{ host, origin: 'https://api.example' },                         undefined],
  [{ host: 'API.Example', origin: 'http://api.example' },           undefined],
  [{ host: 'API.Example:4000', origin: 'http://api.example:4000' }, undefined],
  [{ host, origin: 'https://other.example' },                       refused],
  [{ host, origin: 'null' },                                        refused],
  [{ host, origin: '' },                                            refused],
  [{ host, origin: 'https://api.example.evil.example' },            refused],
  [{ host, origin: 'https://evil-api.example' },                    refused],
  [{ host, origin: 'https://www.api.example' },                     refused],
  [{ host, origin: 'https://api.example:444' },                     refused],
  // An origin without a scheme is nobody's own, whatever its last letters are.
  [{ host: 'll', origin: 'null' },                                             refused],
  [{ host: '', origin: 'null' },                                               refused],
  [{ host: '', origin: '' },                                                   refused],
  [{ host: '', origin: '://' },                                                refused],
  [{ host, origin: 'https://other.example', 'sec-fetch-site': 'same-origin' }, refused],
  [{ host, origin: 'https://app.example', 'sec-fetch-site': 'cross-site' },    undefined],
  [{ 'content-type': 'application/json; charset=utf-8' },                      undefined],
  [{ 'content-type': 'text/plain' },                                           'content-on-get'],
  [{ 'content-type': 'application/x-www-form-urlencoded' },                    'content-on-get'],
  [{ 'content-type': 'multipart/form-data' },                                  'content-on-get'],
  [{ 'content-type': 'nonsense' },                                             'content-on-get'],
]
for (const [fields, kind] of rows) {
  void t.test(`a GET with ${JSON.stringify(fields)}: ${kind ?? 'taken'}`, async (t) => {
    const headers = Object.entries(fields).flat()
    const refusal = checkGet({ method: 'GET', target: '/', headers, raw: undefined }, rules)
    t.equal(refusal?.kind, kind)
  })
}
