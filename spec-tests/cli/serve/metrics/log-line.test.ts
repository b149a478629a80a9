import { parse, type OperationDefinitionNode } from 'graphql'
import t from 'tap'
import { formatLogLine } from '../../../../src/cli/serve/metrics/log-line.js'
import type { RequestRecord } from '../../../../src/cli/serve/metrics/request-record.js'

const now = new Date('2030-01-02T03:04:05.678Z')

function recordOf(target: string, id?: string, name = '', status = 200): RequestRecord {
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
  }
}

const rows: readonly [name: string, record: RequestRecord, json: object, pretty: string][] = [
  [
    'an operation with a name and an id',
    recordOf('/graphql?query=secret', 'a-1', 'Sign'),
    {
      level: 'info',
      id: 'a-1',
      path: '/graphql',
      operation: 'Sign',
      type: 'mutation',
      status: 200,
    },
    '03:04:05.678 info POST /graphql 200 1.23 ms 8 B mutation Sign a-1',
  ],
  [
    'a refusal',
    recordOf('/x', undefined, '', 404),
    { level: 'info', path: '/x', status: 404 },
    '03:04:05.678 info POST /x 404 1.23 ms 8 B',
  ],
  [
    'a failure',
    recordOf('/x', undefined, '', 503),
    { level: 'error', path: '/x', status: 503 },
    '03:04:05.678 error POST /x 503 1.23 ms 8 B',
  ],
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
