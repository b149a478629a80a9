import { parse, type OperationDefinitionNode } from 'graphql'
import t from 'tap'
import { pipe } from '../../say.js'
import { formatLogLine } from '../../../../src/cli/serve/metrics/log-line.js'
import { ResponseHeaders, type ResultInfo } from '../../../../src/index.js'
import type { RequestEvent } from '../../../../src/cli/serve/metrics/observe.js'

const now = new Date('2030-01-02T03:04:05.678Z')

function headOf(target: string, ...headers: string[]): RequestEvent['head'] {
  return { method: 'POST', target, headers, raw: undefined }
}

function recordOf(target: string, status = 200, codes: string[] = []): RequestEvent {
  return {
    kind: 'request',
    head: headOf(target),
    response: { status, headers: [], body: '{"é":1}' },
    duration: 1.23456,
    operation: undefined,
    codes,
  }
}

const [operation] = parse('mutation Sign { a }').definitions
const signed = {
  ...recordOf('/graphql?query=secret'),
  head: headOf('/graphql?query=secret', 'X-Request-ID', 'a-1'),
  operation: operation as OperationDefinitionNode,
}
const long = 'B'.repeat(64)
const hidden = '/\u001b[2J\n\u009b\u2028\u202e'
const odd = { ...recordOf(hidden), head: headOf(hidden, 'X-Request-ID', 'a\nb') }
const endless = recordOf(`/${'x'.repeat(8_000)}`)
const cut = `/${'x'.repeat(199)}`
// More than anyone reads, and longer ones.
const codes = ['A', `${long}BBB`, 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J']
const some = ['A', long, 'C', 'D', 'E', 'F', 'G', 'H']

// Beside each other, the figures of requests are in columns.
const ok = 'info  200   1.23 ms      8 B'

// oxfmt-ignore
const rows: readonly [name: string, record: RequestEvent, json: object, pretty: string][] = [
  [
    'an operation with a name and an id',
    signed,
    { path: '/graphql', id: 'a-1', operation: 'Sign', type: 'mutation' },
    `${ok} POST /graphql mutation Sign a-1`,
  ],
  ['a refusal',              recordOf('/x', 404, ['NOT_FOUND']), { status: 404, codes: ['NOT_FOUND'] }, 'info  404   1.23 ms      8 B POST /x NOT_FOUND'],
  ['a client that left',     recordOf('/x', 499, ['CANCELLED']), { status: 499, codes: ['CANCELLED'] }, 'info  499   1.23 ms      8 B POST /x CANCELLED'],
  ['errors with many codes', recordOf('/x', 200, codes),         { codes: some },                       `${ok} POST /x ${some.join()}`],
  ['a failure',              recordOf('/x', 503),                { level: 'error', status: 503 },       'error 503   1.23 ms      8 B POST /x'],
  ['control characters, an id with one', odd, { path: hidden }, `${ok} POST /\\x1b[2J \\x9b\\u{2028}\\u{202e}`],
  ['a path without end',     endless,                            { path: cut },                         `${ok} POST ${cut}`],
]

const lineOf = (event: Parameters<typeof formatLogLine>[0], how: 'json' | 'pretty'): string =>
  formatLogLine(event, how, now, pipe) ?? 'none'

const time = now.toISOString()
const common = { time, level: 'info', path: '/x', status: 200 }

for (const [name, record, json, pretty] of rows) {
  void t.test(`the line of ${name}`, async (t) => {
    t.equal(lineOf(record, 'pretty'), `03:04:05.678 ${pretty}`)
    const line = lineOf(record, 'json')
    t.match(line, /^[\x20-\x7e]*$/, 'nothing that moves a cursor')
    const every = { method: 'POST', ms: 1.23, bytes: 8, msg: 'request' }
    t.same(JSON.parse(line), { ...common, ...every, ...json })
  })
}

const { head } = signed

void t.test('a stream that has ended', async (t) => {
  const source = { transport: 'multipart', field: 'counter' } as const
  const told = { ...source, cause: 'client-gone', events: 1 } as const
  const end = { ...told, operationName: 'Watch\n', duration: 1234.6 }
  const line = { level: 'info', time, id: 'a-1', operation: 'Watch\n', ms: 1235, msg: 'stream' }
  t.same(JSON.parse(lineOf({ kind: 'stream', head, end }, 'json')), { ...told, ...line })
  const pretty = 'multipart counter client-gone 1 event Watch a-1'
  const shown = lineOf({ kind: 'stream', head, end }, 'pretty')
  t.equal(shown, `03:04:05.678 info        1235 ms          ${pretty}`)
  const failed = { ...end, cause: 'source-failed', events: 2 } as const
  const shownFailed = lineOf({ kind: 'stream', head, end: failed }, 'pretty')
  t.match(shownFailed, /^\S+ error +1235 ms +multipart counter source-failed 2 events /)
})

void t.test('an operation over a WebSocket', async (t) => {
  const told = { status: 200, transport: 'websocket' } as const
  const result: ResultInfo = {
    ...told,
    operationName: 'Watch\n',
    operationType: 'query',
    document: 'query { secret }',
    documentId: undefined,
    errors: [],
    errorCodes: [],
    hasData: true,
    duration: 1.23456,
    cost: 1,
    execution: 'compiled',
    documentCached: true,
    size: 8,
    headers: new ResponseHeaders(),
  }
  const line = { ...common, ...told, id: 'a-1', path: '/graphql', msg: 'operation' }
  const own = { operation: 'Watch\n', type: 'query', ms: 1.23, bytes: 8 }
  const json = lineOf({ kind: 'operation', head, result }, 'json')
  t.same(JSON.parse(json), { ...line, ...own })
  const shown = lineOf({ kind: 'operation', head, result }, 'pretty')
  t.equal(shown, `03:04:05.678 ${ok} websocket /graphql query Watch a-1`)
  const unnamed = { operationName: undefined, operationType: undefined, size: 0 }
  const refused = { ...result, ...unnamed, status: 503, errorCodes: ['OVERLOADED', 'OVERLOADED'] }
  const refusal = '03:04:05.678 error 503   1.23 ms          websocket /graphql OVERLOADED a-1'
  t.equal(lineOf({ kind: 'operation', head, result: refused }, 'pretty'), refusal)
})

void t.test('a request that begins has no line yet', async (t) => {
  t.equal(lineOf({ kind: 'begun' }, 'json'), 'none')
})

void t.test('on a terminal the status has a colour, and the operation stands out', async (t) => {
  const line = (record: RequestEvent): string =>
    formatLogLine(record, 'pretty', now, { ...pipe, colour: true }) ?? ''
  t.match(line(signed), '\u001b[32m200\u001b[0m')
  t.match(line(signed), '\u001b[1mSign\u001b[0m')
  t.match(line(recordOf('/x', 294)), '\u001b[33m294\u001b[0m')
  t.match(line(recordOf('/x', 503)), '\u001b[31merror\u001b[0m \u001b[31m503\u001b[0m ')
  t.notMatch(line(odd), '\u001b[2J')
})
