import { parse, type OperationDefinitionNode } from 'graphql'
import t from 'tap'
import {
  formatLogLine,
  formatOperationLine,
  formatStreamLine,
} from '../../../../src/cli/serve/metrics/log-line.js'
import { ResponseHeaders } from '../../../../src/index.js'
import type {
  OperationRecord,
  RequestRecord,
} from '../../../../src/cli/serve/metrics/request-record.js'

const now = new Date('2030-01-02T03:04:05.678Z')

function recordOf(
  target: string,
  id?: string,
  name = '',
  status = 200,
  codes: string[] = [],
): RequestRecord {
  const [operation] = parse(`mutation ${name} { a }`).definitions
  return {
    head: {
      method: 'POST',
      target,
      headers: id === undefined ? [] : ['X-Request-ID', id],
      raw: undefined,
    },
    response: { status, headers: [], body: '{"é":1}' },
    duration: 1.23456,
    operation: name === '' ? undefined : (operation as OperationDefinitionNode),
    codes,
  }
}

// oxfmt-ignore
const rows: readonly [name: string, record: RequestRecord, json: object, pretty: string][] = [
  [
    'an operation with a name and an id',
    recordOf('/graphql?query=secret', 'a-1', 'Sign'),
    { level: 'info', id: 'a-1', path: '/graphql', operation: 'Sign', type: 'mutation', status: 200 },
    '03:04:05.678 info POST /graphql 200 1.23 ms 8 B mutation Sign a-1',
  ],
  [
    'a refusal',
    recordOf('/x', undefined, '', 404, ['NOT_FOUND']),
    { level: 'info', path: '/x', status: 404, codes: ['NOT_FOUND'] },
    '03:04:05.678 info POST /x 404 NOT_FOUND 1.23 ms 8 B',
  ],
  [
    'a client that left',
    recordOf('/x', undefined, '', 499, ['CANCELLED']),
    { level: 'info', path: '/x', status: 499, codes: ['CANCELLED'] },
    '03:04:05.678 info POST /x 499 CANCELLED 1.23 ms 8 B',
  ],
  [
    'errors with more codes, and longer ones, than anyone reads',
    recordOf('/x', undefined, '', 200, ['A', 'B'.repeat(99), 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J']),
    { level: 'info', path: '/x', status: 200, codes: ['A', 'B'.repeat(64), 'C', 'D', 'E', 'F', 'G', 'H'] },
    `03:04:05.678 info POST /x 200 A,${'B'.repeat(64)},C,D,E,F,G,H 1.23 ms 8 B`,
  ],
  ['a failure', recordOf('/x', undefined, '', 503), { level: 'error', path: '/x', status: 503 }, '03:04:05.678 error POST /x 503 1.23 ms 8 B'],
  [
    'control characters and an id that is none',
    recordOf('/\u001b[2J\n\u009b\u2028\u202e', 'a\nb'),
    { level: 'info', path: '/\u001b[2J\n\u009b\u2028\u202e', status: 200 },
    '03:04:05.678 info POST /\\u001b[2J\\u000a\\u009b\\u2028\\u202e 200 1.23 ms 8 B',
  ],
  [
    'a path without end',
    recordOf(`/${'x'.repeat(8_000)}`),
    { level: 'info', path: `/${'x'.repeat(199)}`, status: 200 },
    `03:04:05.678 info POST /${'x'.repeat(199)} 200 1.23 ms 8 B`,
  ],
]

for (const [name, record, json, pretty] of rows) {
  void t.test(`the line of ${name}`, async (t) => {
    t.equal(formatLogLine(record, 'pretty', now), pretty)
    const line = formatLogLine(record, 'json', now)
    t.match(line, /^[\x20-\x7e]*$/, 'nothing that moves a cursor')
    t.same(JSON.parse(line), {
      time: now.toISOString(),
      method: 'POST',
      ms: 1.23,
      bytes: 8,
      msg: 'request',
      ...json,
    })
  })
}

void t.test('a stream that has ended', async (t) => {
  const end = {
    transport: 'multipart',
    field: 'counter',
    operationName: 'Watch\n',
    cause: 'client-gone',
    events: 1,
    duration: 1234.6,
  } as const
  const { head } = recordOf('/graphql?query=secret', 'a-1')
  const json = formatStreamLine({ head, end }, 'json', now)
  t.same(JSON.parse(json.replaceAll('\\\\u000a', '')), {
    level: 'info',
    time: now.toISOString(),
    id: 'a-1',
    transport: 'multipart',
    field: 'counter',
    operation: 'Watch\n',
    cause: 'client-gone',
    events: 1,
    ms: 1235,
    msg: 'stream',
  })
  t.equal(
    formatStreamLine({ head, end }, 'pretty', now),
    '03:04:05.678 info multipart counter client-gone 1 event 1235 ms Watch\\u000a a-1',
  )
  const failed = { ...end, cause: 'source-failed', events: 2 } as const
  t.match(
    formatStreamLine({ head, end: failed }, 'pretty', now),
    /^\S+ error multipart counter source-failed 2 events /,
  )
})

void t.test('an operation over a WebSocket', async (t) => {
  const { head } = recordOf('/graphql?query=secret', 'a-1')
  const result: OperationRecord['result'] = {
    status: 200,
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
    transport: 'websocket',
    size: 8,
    headers: new ResponseHeaders(),
  }
  const json = formatOperationLine({ head, result }, 'json', now)
  t.same(JSON.parse(json.replaceAll('\\\\u000a', '')), {
    level: 'info',
    time: now.toISOString(),
    id: 'a-1',
    transport: 'websocket',
    path: '/graphql',
    operation: 'Watch\n',
    type: 'query',
    status: 200,
    ms: 1.23,
    bytes: 8,
    msg: 'operation',
  })
  t.equal(
    formatOperationLine({ head, result }, 'pretty', now),
    '03:04:05.678 info websocket /graphql 200 1.23 ms 8 B query Watch\\u000a a-1',
  )
  const stream = {
    ...result,
    operationName: undefined,
    operationType: undefined,
    size: 0,
    errorCodes: ['OVERLOADED', 'OVERLOADED'],
    status: 503,
  }
  t.equal(
    formatOperationLine({ head, result: stream }, 'pretty', now),
    '03:04:05.678 error websocket /graphql 503 OVERLOADED 1.23 ms a-1',
  )
})
