import { tracingChannel } from 'node:diagnostics_channel'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { WebSocket } from 'ws'
import { sha256 } from '../../src/base/sha256.js'
import { serve } from '../../src/hosts/node/index.js'
import type { TraceMessages } from '../../src/handler/trace-messages.js'
import type { Options } from '../../src/index.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'

const countdown = 'subscription { countdown(from: 1) }'
const hash = sha256(countdown)
const documents = { countdown, [`sha256:${hash}`]: countdown }

/** Sends one `subscribe`, and returns the types of what comes back with its payloads. */
async function subscribe(
  t: Test,
  options: Partial<Options>,
  payload: object,
): Promise<readonly [type: string, payload?: unknown][]> {
  const served = await serve({
    schema: createStandardSchema(),
    host: 'localhost',
    port: 0,
    websocket: true,
    ...(options as object),
  })
  t.teardown(() => served.close())
  const socket = new WebSocket(served.url.replace('http', 'ws'), 'graphql-transport-ws')
  const received: [string, unknown?][] = []
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { type: string; payload?: unknown }
    if (message.type === 'connection_ack') {
      return socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload }))
    }
    received.push([message.type, message.payload])
    if (message.type !== 'next') socket.close()
  })
  socket.on('open', () => socket.send('{"type":"connection_init"}'))
  const [code] = (await once(socket, 'close')) as [number]
  return received.length > 0 ? received : [[`closed with ${code}`]]
}

const events = [
  ['next', { data: { countdown: 1 } }],
  ['next', { data: { countdown: 0 } }],
  ['complete', undefined],
]
const refusedWith = (code: string) => [['error', [{ extensions: { code } }]]]
const trusted = { documents, trustedOnly: true }
const extensions = { persistedQuery: { version: 1, sha256Hash: hash } }

// oxfmt-ignore
const rows: readonly [title: string, options: Partial<Options>, payload: object, received: unknown][] = [
  ['a stored document',                 { documents }, { documentId: 'countdown' },      events],
  ['a hash of Apollo',                  { documents }, { extensions },                   events],
  ['an unknown id',                     { documents }, { documentId: 'x' },              refusedWith('DOCUMENT_NOT_FOUND')],
  ['a document of the client',          { documents }, { query: countdown },             events],
  ['trusted: a stored document',        trusted,       { documentId: 'countdown' },      events],
  ['trusted: a document of the client', trusted,       { query: countdown },             refusedWith('DOCUMENT_ID_REQUIRED')],
  ['trusted: another text',             trusted,       { documentId: 'countdown', query: '{ counter }' }, refusedWith('DOCUMENT_MISMATCH')],
  ['trusted: nothing',                  trusted,       {},                               refusedWith('INVALID_PARAMETER')],
  ['without documents: no query',       {},            { documentId: 'countdown' },      [['closed with 4400']]],
  ['apq: an unknown hash',              { apq: {} },   { extensions },                   refusedWith('PERSISTED_QUERY_NOT_FOUND')],
  ['apq: a hash and its text',          { apq: {} },   { extensions, query: countdown }, events],
]
for (const [title, options, payload, received] of rows) {
  void t.test(`sockets: ${title}`, async (t) => {
    t.match(await subscribe(t, options, payload), received)
  })
}

void t.test('sockets: operations are traced with the status that HTTP would have', async (t) => {
  const { asyncEnd, end } = tracingChannel('graphwire:operation')
  const statuses: (number | undefined)[] = []
  const add = (message: unknown): void => {
    statuses.push((message as TraceMessages['graphwire:operation']).result?.status)
  }
  for (const channel of [asyncEnd, end]) channel.subscribe(add)
  await subscribe(t, {}, { query: '{ counter }' })
  await subscribe(t, {}, { query: '{ nothing }' })
  for (const channel of [asyncEnd, end]) channel.unsubscribe(add)
  t.same(statuses, [200, 422])
})
