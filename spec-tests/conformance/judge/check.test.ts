import t from 'tap'
import { check } from '../../../src/conformance/judge/check.js'
import type { Exchange } from '../../../src/conformance/wire/exchange.js'
import type { Assertion } from '../../../src/conformance/suite/checks.js'

const answerOf = (body: string): Exchange => {
  const headers = [['Content-Type', 'application/json']] as const
  return { sent: '', responses: [{ status: 200, headers, body: Buffer.from(body) }] }
}
const answer = answerOf('{"data":{"a":"b"},"errors":null}')
const list = answerOf('{"errors":[{},{"message":2},3]}')
const silence: Exchange = { sent: '', responses: [], failure: 'time is up' }
const cut: Exchange = { ...answer, failure: 'it was cut' }
const text = { type: 'string' } as const

// oxfmt-ignore
const rows: readonly [exchange: Exchange, assertion: Assertion, message: string][] = [
  [answer,  { status: 422 },                                                                      'the status is 200, not 422'],
  [answer,  { status: ['4xx', 501] },                                                             'the status is 200, not 4xx or 501'],
  [answer,  { status: { not: '2xx' } },                                                           'the status is 200, which must not be 2xx'],
  [answer,  { oneOf: [{ status: 400 }, { status: 422 }] },                                        'the status is 200, not 400 or 422'],
  [answer,  { oneOf: [{ status: 400 }, { status: 400 }] },                                        'the status is 200, not 400'],
  [
    answer,
    { oneOf: [{ status: 400 }, { header: { vary: { present: true } } }, { status: 422 }] },
    'no alternative holds: the status is 200, not 400 or 422; vary is missing',
  ],
  [answer,  { header: { 'content-type': { pattern: 'charset=', means: 'one with a charset' } } }, 'content-type is "application/json", not one with a charset'],
  [answer,  { json: { '/data/a': { pattern: '^c', means: 'a text that begins with c' } } },       '/data/a is "b", not a text that begins with c'],
  [silence, { oneOf: [{ status: 400 }, { responses: 2 }] },                                       'no response was received: time is up'],
  [answer,  { responses: 2 },                                                                     '1 response was received, not 2'],
  [cut,     { oneOf: [{ responses: 2 }, { responses: 3 }] },                                      '1 response was received: it was cut, not 2 or 3'],
  [answer,  { not: { json: { '/data': { type: 'object' } } } },                                   'the request was answered with data'],
  [answer,  { not: { json: { '/data/a': text } } },                                               'the request was answered with data'],
  [answer,  { not: { json: { '/errors': { const: null } } } },                                    '/errors is null, which is not allowed'],
  [
    answer,
    { not: { status: '2xx', header: { 'content-type': { present: true } } } },
    'the status is 200 and content-type is "application/json", which is not allowed',
  ],
  [answer,  { not: { header: { vary: { absent: true } } } },                                      'vary is missing, which is not allowed'],
  [list,    { json: { '/errors': { each: { members: { message: { type: 'string' } } } } } },      '/errors/1/message is 2, not of type string'],
  [answer,  { not: { body: { json: true } } },                                                    'the body is JSON, which is not allowed'],
  [answer,  { not: { json: { '': { type: 'object' } } } },                                        'the body is of type object, which is not allowed'],
]

for (const [exchange, assertion, message] of rows) {
  void t.test(`a broken assertion says "${message}"`, async (t) => {
    t.equal(check(assertion, exchange, '2026-09'), message)
  })
}
