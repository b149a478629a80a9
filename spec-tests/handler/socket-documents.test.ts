import { tracingChannel } from 'node:diagnostics_channel'
import t from 'tap'
import { sha256 } from '../../src/base/sha256.js'
import type { TraceMessages } from '../../src/handler/trace-messages.js'
import { createEndpoint, type Options } from '../../src/index.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'
import { overSocket } from './over-socket.js'

const schema = createStandardSchema()
const countdown = 'subscription { countdown(from: 1) }'
const hash = sha256(countdown)
const documents = { countdown, [`sha256:${hash}`]: countdown }
const events = ['{"data":{"countdown":1}}', '{"data":{"countdown":0}}', 'complete']
const trusted = { documents, trustedOnly: true }
const extensions = { persistedQuery: { version: 1, sha256Hash: hash } }

// oxfmt-ignore
const rows: readonly [title: string, options: Partial<Options>, payload: object, sent: string | readonly string[]][] = [
  ['a stored document',                 { documents }, { documentId: 'countdown' },      events],
  ['a hash of Apollo',                  { documents }, { extensions },                   events],
  ['an unknown id',                     { documents }, { documentId: 'x' },              'DOCUMENT_NOT_FOUND'],
  ['a document of the client',          { documents }, { query: countdown },             events],
  ['trusted: a stored document',        trusted,       { documentId: 'countdown' },      events],
  ['trusted: a document of the client', trusted,       { query: countdown },             'DOCUMENT_ID_REQUIRED'],
  ['trusted: another text',             trusted,       { documentId: 'countdown', query: '{ counter }' }, 'DOCUMENT_MISMATCH'],
  ['trusted: nothing',                  trusted,       {},                               'INVALID_PARAMETER'],
  ['apq: an unknown hash',              { apq: {} },   { extensions },                   'PERSISTED_QUERY_NOT_FOUND'],
  ['apq: a hash and its text',          { apq: {} },   { extensions, query: countdown }, events],
]
for (const [title, options, payload, sent] of rows) {
  void t.test(`sockets: ${title}`, async (t) => {
    const got = await overSocket({ schema, ...options }, payload)
    if (typeof sent === 'string') t.match(got, [new RegExp(`^error .*"${sent}"`)])
    else t.strictSame(got, sent)
  })
}

void t.test('sockets: a message needs a query, unless documents have names', async (t) => {
  const needsQuery = (options: Partial<Options>): boolean =>
    createEndpoint({ schema, ...options }).operations.limits.needsQuery
  t.strictSame([{}, { documents }, { apq: {} }].map(needsQuery), [true, false, false])
})

void t.test('sockets: operations are traced with the status that HTTP would have', async (t) => {
  const { asyncEnd, end } = tracingChannel('graphwire:operation')
  const statuses: (number | undefined)[] = []
  const add = (message: unknown): void => {
    statuses.push((message as TraceMessages['graphwire:operation']).result?.status)
  }
  for (const channel of [asyncEnd, end]) channel.subscribe(add)
  await overSocket({ schema }, { query: '{ counter }' })
  await overSocket({ schema }, { query: '{ nothing }' })
  for (const channel of [asyncEnd, end]) channel.unsubscribe(add)
  t.same(statuses, [200, 422])
})
