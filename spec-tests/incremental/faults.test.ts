import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { HttpResponse, StreamBody } from '../../src/http/message.js'
import { buildSchema, createHandler, success, type Options } from '../../src/index.js'
import { thrower } from '../base/thrower.js'
import { overSocket } from '../handler/over-socket.js'
import { accepts, formats, partsClient, without17, type Format } from './client.js'
import { startFaulty } from './faulty.js'
import { bodyOf } from './read-parts.js'

const skip = without17

// An error that nobody handles ends the process, and so fails whichever of these tests is running.

const extensions = { code: 'INTERNAL_SERVER_ERROR', id: 'id' }
const masked = { message: 'Internal server error', extensions }
const timedOut = { extensions: { code: 'CANCELLED', cause: 'timed-out' } }

const headOf = (query: string, format: Format) => ({
  method: 'GET',
  target: `/?query=${encodeURIComponent(query)}`,
  headers: ['Accept', accepts[format]],
  raw: undefined,
})

/** What ends a result early: the options, the deferred field, and the error that everything pending gets. */
// oxfmt-ignore
const faults: readonly [title: string, options: Partial<Options>, field: string, error: object, bugs: number][] = [
  ['the time is up',                  { incrementalTimeout: 20 },  'never', timedOut, 0],
  ['a resolver that heeds the signal', { incrementalTimeout: 20 },  'slow',  timedOut, 0],
  ['a value that JSON cannot write',  {},                          'any',   { extensions }, 1],
  ['a part that is too long',         { maxResponseBytes: 300 },   'long',  { extensions }, 1],
]
for (const [title, options, field, error, bugs] of faults) {
  void t.test(`v0.2: everything pending is completed: ${title}`, { skip }, async (t) => {
    const started = startFaulty(options)
    const query = `{ now ... @defer { ${field} } ... @defer(label: "x") { ${field} later: never } }`
    const found = await started.parts(query, 'v0.2')
    t.match(found.at(-1), { completed: [{ errors: [error] }], hasNext: false })
    const parts = found as { completed?: { id: string }[] }[]
    const ids = parts.flatMap(({ completed = [] }) => completed.map(({ id }) => id))
    t.strictSame(ids.toSorted(), ['0', '1'], 'each id is completed once')
    t.equal(started.bugs.length, bugs)
    for (const signal of started.seen.signals) t.ok(signal.aborted)
    t.match(started.ends, [{ cause: 'source-failed', transport: 'multipart' }])
  })

  for (const type of ['multipart/mixed', 'text/event-stream', 'application/jsonl']) {
    void t.test(`20220824, ${type}: the end is missing: ${title}`, { skip }, async (t) => {
      const started = startFaulty(options)
      const json = { query: `{ now ... @defer { ${field} } }` }
      const headers = { Accept: `${type};deferSpec=20220824` }
      const body = await bodyOf(await started.send({ json, headers }))
      t.match(body, '{"data":{"now":1},"hasNext":true}')
      t.notMatch(body, /"hasNext":false|-----|complete/)
      t.equal(started.bugs.length, bugs)
      t.match(started.ends, [{ cause: 'source-failed' }])
    })
  }
}

void t.test('over a socket everything pending is completed, too', { skip }, async (t) => {
  const never = () => new Promise(() => {})
  const schema = buildSchema('type Query { now: Int  never: Int }', { Query: { never } })
  const ends: unknown[] = []
  const onStreamEnd: Options['onStreamEnd'] = ({ cause }) => void ends.push(cause)
  const options = { schema, incrementalTimeout: 20, onStreamEnd }
  const log = await overSocket(options, { query: '{ now ... @defer { never } }' })
  t.match(log, [/"hasNext":true/, /^\{"completed":.*"CANCELLED".*"hasNext":false\}$/, 'complete'])
  t.strictSame(ends, ['source-failed'])
})

void t.test('the time limit goes on after a part', { skip }, async (t) => {
  const started = startFaulty({ incrementalTimeout: 20 })
  const query = '{ now ... @defer { again: now } ... @defer { never } }'
  const found = await started.parts(query, 'v0.2')
  t.match(found.at(-1), { completed: [{ errors: [timedOut] }], hasNext: false })
})

for (const format of formats) {
  void t.test(`${format}: errors in late parts are masked and reported`, { skip }, async (t) => {
    const started = startFaulty({
      formatError: (error) => ({ ...error, message: `${error.message}!` }),
    })
    const query = '{ now ... @defer { secret } ... @defer { shown } }'
    const { errors } = await started.merged(query, format)
    const sorted = errors.toSorted((a, b) => a.message.localeCompare(b.message))
    t.match(sorted, [
      { message: 'For clients.!', path: ['shown'] },
      { ...masked, message: 'Internal server error!', path: ['secret'] },
    ])
    t.match(started.bugs, [{ bug: { message: 'secret' }, id: 'id', path: ['secret'] }])
  })

  void t.test(`${format}: a client that leaves cancels the execution`, { skip }, async (t) => {
    const started = startFaulty()
    const leaving = new AbortController()
    const json = { query: '{ now endless @stream ... @defer { never } }' }
    const headers = { Accept: accepts[format] }
    const response = await started.send({ json, headers, signal: leaving.signal })
    const reader = (response.stream as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    while (started.seen.signals.length < 2) await reader.read()
    leaving.abort()
    t.match(started.seen.signals, [{ aborted: true }, { aborted: true }])
    t.match(started.ends, [{ cause: 'client-gone' }])
    await nextTurn()
    // The resolver that never ends counts until its time is up.
    t.strictSame(started.stats(), { open: 0, returning: 1, stuck: [], sockets: 0 })
    t.equal(started.seen.returned, 1)
    t.strictSame(started.bugs, [])
  })

  void t.test(`${format}: a result that comes too late is returned`, { skip }, async (t) => {
    const started = startFaulty({ context: async (request) => request })
    const leaving = new AbortController()
    const query = '{ now endless @stream }'
    const headers = { Accept: accepts[format] }
    const answer = started.send({ json: { query }, headers, signal: leaving.signal })
    leaving.abort()
    const { stream } = await answer
    t.equal(stream, undefined)
    await untilReturned(started.stats)
    t.equal(started.stats().open, 0)
    t.strictSame(started.bugs, [])
  })

  void t.test(`${format}: HEAD and unread bodies hold nothing open`, { skip }, async (t) => {
    const started = startFaulty()
    const reply = started.handler(headOf('{ now endless @stream(initialCount: 1) }', format))
    const response = await (reply as Promise<{ body: { discard: () => void } }>)
    response.body.discard()
    await untilReturned(started.stats)
    t.strictSame(started.stats(), { open: 0, returning: 0, stuck: [], sockets: 0 })
    t.equal(started.seen.returned, 1)
  })
}

/** Resolves when no source is being returned. */
async function untilReturned(stats: () => { readonly returning: number }): Promise<void> {
  await nextTurn()
  while (stats().returning > 0) await nextTurn()
}

void t.test('executionTimeout bounds the first part only', { skip }, async (t) => {
  const started = startFaulty({ executionTimeout: 20 })
  const refused = await started.ask('{ never ... @defer { now } }', 'v0.2')
  t.equal(refused.status, 503)
  t.match(refused.json(), { errors: [{ extensions: { code: 'CANCELLED' } }] })
})

void t.test('a first part that is too long is a masked 500', { skip }, async (t) => {
  const started = startFaulty({ maxResponseBytes: 300 })
  const refused = await started.ask('{ long endless @stream(initialCount: 1) }', 'v0.2')
  t.equal(refused.status, 500)
  t.match(refused.json(), { errors: [masked] })
  await nextTurn()
  t.equal(started.seen.returned, 1, 'and what it held open is returned')
})

void t.test('without room for streams the result is one JSON, or refused', { skip }, async (t) => {
  const started = startFaulty({ maxStreams: 0 })
  const json = { query: '{ now ... @defer { other: now } }' }
  const headers = { Accept: 'multipart/mixed, application/json' }
  t.strictSame((await started.send({ json, headers })).json(), { data: { now: 1, other: 1 } })
  const refused = await started.send({ json, headers: { Accept: 'multipart/mixed' } })
  t.equal(refused.status, 503)
  t.match(refused.json(), { errors: [{ extensions: { code: 'OVERLOADED' } }] })
})

void t.test('a server that shuts down lets a result run to its end', { skip }, async (t) => {
  const started = startFaulty()
  const { body } = started.handler(headOf('{ now ... @defer { shown } }', 'v0.2')) as HttpResponse
  let written = ''
  await new Promise<void>((resolve) => {
    const write = (piece: string): boolean => (written += piece) !== ''
    const flow = (body as StreamBody).open({ write, end: resolve, cut: resolve })
    flow.shutDown()
  })
  t.match(written, /"completed".*\r\n-----\r\n$/)
  t.match(started.ends, [{ cause: 'complete' }])
})

/** The credentials end while a part is pending; the clock of streams looks once a second. */
async function expire(t: Test, format: Format) {
  const authenticate = () => success('me')
  const started = startFaulty({ authenticate, credentialExpiry: () => Date.now() + 10 })
  const json = { query: '{ now ... @defer { never } }' }
  const body = await bodyOf(await started.send({ json, headers: { Accept: accepts[format] } }))
  t.match(started.ends, [{ cause: 'expired' }])
  return body
}

void t.test('a result whose credentials expire says so, if its format can', { skip }, async (t) => {
  const [body, older] = await Promise.all([expire(t, 'v0.2'), expire(t, '20220824')])
  t.match(
    body,
    /\{"completed":\[\{"errors":\[\{.*"UNAUTHENTICATED".*"id":"0"\}\],"hasNext":false\}/,
  )
  t.match(body, /\r\n-----\r\n$/)
  t.notMatch(older, /-----|UNAUTHENTICATED/)
})

void t.test('an error of the first part is reported once', { skip }, async (t) => {
  const reported: string[] = []
  const seen: unknown[] = []
  let ids = 0
  const handler = createHandler({
    schema: buildSchema('type Query { bad: String  slow: String }'),
    rootValue: { bad: thrower(new Error('down')), slow: 's' },
    createId: () => `id-${(ids += 1)}`,
    onBug: (_bug, { id }) => void reported.push(id),
    onResult: (_request, { errors }) => void seen.push(errors[0]?.extensions?.['id']),
  })
  const [first] = await partsClient(handler).parts('{ bad ... @defer { slow } }', 'v0.2')
  t.match(first, { errors: [{ extensions: { id: 'id-1' } }] })
  t.strictSame([reported, seen], [['id-1'], ['id-1']])
})

void t.test('long deferred work is spread over turns of the event loop', { skip }, async (t) => {
  let executed = 0
  const slow = () => {
    const until = performance.now() + 11
    while (performance.now() < until);
    return (executed += 1)
  }
  const schema = buildSchema('type Query { fast: Int  slow: Int }', { Query: { slow } })
  const handler = createHandler({ schema })
  const head = headOf('{ fast ... @defer { slow } }', 'v0.2')
  const sink = { write: () => true, end: () => undefined, cut: () => undefined }
  for (let at = 0; at < 8; at += 1) {
    const { body } = handler(head) as HttpResponse
    ;(body as StreamBody).open(sink)
  }
  for (let before = 0; before < 8; before = executed) {
    while (executed === before) await nextTurn()
    t.ok(executed - before <= 2, `${executed - before} in a turn`)
  }
})
