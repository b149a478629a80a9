import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { ExplainedExchange } from '../../../src/cli/explain/explain-exchange.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import { createHandler } from '../../../src/index.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { listen } from '../listen.js'
import { say } from '../say.js'

const good = toNodeListener(createHandler({ schema: createStandardSchema() }))

function always(status: number, type: string, body: string): RequestListener {
  return (_, outgoing) => outgoing.writeHead(status, { 'Content-Type': type }).end(body)
}

function inGzip(type: string, body: string): RequestListener {
  const headers = { 'Content-Type': type, 'Content-Encoding': 'gzip' }
  return (_, outgoing) => outgoing.writeHead(200, headers).end(gzipSync(body))
}

const graphql = 'application/graphql-response+json; charset=utf-8'
const data = '{"data":{"a":1}}'
const noData = '{"errors":[{"message":"No."}]}'
const partial = '{"data":{"a":null},"errors":[{"message":"No."}]}'

// oxfmt-ignore
const habits: readonly [habit: string, listener: RequestListener, words: readonly string[], breaks: readonly string[]][] = [
  ['nothing',                 good,                                    ['--json', '{"query":"{ __typename }"}'],              []],
  ['nothing by a 422',        good,                                    ['--json', '{"query":"{ nope }"}'],                    []],
  ['nothing by a 406',        good,                                    ['-H', 'Accept: text/csv', '--json', '{"query":"{ __typename }"}'], []],
  ['nothing by a 405',        good,                                    ['-G', '-d', 'query=mutation%20%7B__typename%7D'],     []],
  ['nothing by a 400',        good,                                    ['--json', '{'],                                       []],
  ['200 for request errors',  always(200, graphql, noData),            ['--json', '{"query":"{ a }"}', '-H', 'Accept: */*'],  ['SC-6']],
  ['200 for partial success', always(200, graphql, partial),           ['--json', '{"query":"{ a }"}', '-H', 'Accept: */*'],  ['SC-5']],
  ['201 for data',            always(201, graphql, data),              ['--json', '{"query":"{ a }"}', '-H', 'Accept: */*'],  ['SC-4']],
  ['no message',              always(422, graphql, '{"errors":[{}]}'), ['--json', '{"query":"{ a }"}'],                       ['GS-3']],
  ['405 without Allow',       always(405, graphql, noData),            ['-X', 'PUT'],                                         ['R9110-15.5.6']],
  ['a member in gzip',        inGzip(graphql, '{"data":{},"foo":1}'),  ['--compressed'],                                      ['GS-7']],
  ['no charset',              always(200, 'application/graphql-response+json', data), ['--json', '{"query":"{ a }"}', '-H', 'Accept: */*'], ['BD-3']],
]

for (const [habit, listener, words, breaks] of habits) {
  void t.test(`the habit "${habit}" breaks ${breaks.join(', ') || 'nothing'}`, async (t) => {
    const url = await listen(t, listener)
    const { code, out, err } = await say(['explain', '--json', url, '--', ...words])
    t.equal(err, '')
    const { touched } = JSON.parse(out) as ExplainedExchange
    const broken = touched.filter(({ verdict }) => verdict !== 'pass')
    t.strictSame(broken.map(({ rule }) => rule.statement).toSorted(), breaks.toSorted())
    t.ok(touched.length > 3)
    t.equal(code, touched.some(({ verdict }) => verdict === 'fail') ? 1 : 0)
  })
}

void t.test('the exchange is printed, without the control characters of the server', async (t) => {
  const url = await listen(t, always(200, 'text/plain', 'a\u001b[31m'))
  const { out } = await say(['explain', url, '-H', 'X: y'])
  t.match(out, /^200: breaks none of the \d rules? .*\n.*\n\n> GET \/graphql HTTP\/1\.1\n> host: /)
  t.match(out, '> X: y\n')
  t.match(out, '< HTTP 200\n')
  t.match(out, String.raw`< a\x1b[31m`)
  t.notMatch(out, '\u001b')
})

const broken = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n'

// oxfmt-ignore
const scopes: readonly [listener: RequestListener, scope: string | RegExp, code?: number][] = [
  [always(200, graphql, data),                     'Checked: the status, the headers and the format of the body. Not checked: whether'],
  [always(200, 'application/json', '{"data":{}}'), 'Checked: the status, the headers and the format of the body. Not checked: whether'],
  [always(200, 'application/json', '{"a":1}'),     'Checked: the status and the headers. Not checked: the body'],
  [always(200, 'text/html; charset=utf-8', '<p>'), 'Checked: the status and the headers. Not checked: the body'],
  [(_, { socket }) => socket?.end(broken),         /^200: nothing could be checked\.\n[^]*^< HTTP 200, then broken HTTP: /m, 1],
  [() => {},                                       /^No response: nothing could be checked\.\n[^]*^< no complete response within 200 ms$/m, 1],
]

for (const [listener, scope, code = 0] of scopes) {
  void t.test(`an exchange says what was checked: ${scope}`, async (t) => {
    const url = await listen(t, listener)
    t.match(await say(['explain', '--timeout', '200', url]), { code, out: scope })
  })
}

void t.test('a whole command of curl can be pasted', async (t) => {
  const url = await listen(t, good)
  const words = ['explain', 'curl', '-s', url, '--json', '{"query":"{ __typename }"}']
  t.match(await say(words), { code: 0, out: '200: breaks none of the ' })
})

void t.test('a command of the suite can be pasted', async (t) => {
  const { origin } = new URL(await listen(t, good))
  const words = ['-i', '-X', 'OPTIONS', '--request-target', '*', origin, '-H', 'accept:']
  t.match(await say(['explain', 'curl', ...words]), { err: '', out: '\n> OPTIONS * HTTP/1.1\n' })
})
