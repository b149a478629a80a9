import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Test } from 'tap'
import { eventStream, multipart, type StreamClient, type StreamRequest } from './stream-client.js'
import { createStreamedEndpoint, type StreamedEndpoint } from './streamed-endpoint.js'

interface StreamHost {
  readonly send: StreamClient
  close(): unknown
}

export type StartStreamHost = (endpoint: StreamedEndpoint) => StreamHost | Promise<StreamHost>

const part = (json: string): string =>
  `\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${json}\r\n--graphql`
const parts = [1, 0].map((at) => part(`{"payload":{"data":{"countdown":${at}}}}`))
const next = (json: string): string => `event: next\ndata: ${json}\n\n`
const complete = 'event: complete\ndata:\n\n'
const refused =
  /^:\n\nevent: next\ndata: \{"errors":\[\{"message":"Internal server error".*\n\nevent: complete\ndata:\n\n$/

/** With the whole body. */
type Row = readonly [name: string, request: StreamRequest, body: string | RegExp]

const countdown = 'subscription { countdown(from: 1) }'

/** Responses byte by byte. */
// oxfmt-ignore
const rows: readonly Row[] = [
  ['events of a POST', { query: countdown },                `:\n\n${next('{"data":{"countdown":1}}')}${next('{"data":{"countdown":0}}')}${complete}`],
  ['events in parts',  { query: countdown, accept: multipart }, `\r\n--graphql${parts.join('')}--\r\n`],
  ['a query is JSON beside parts', { query: '{ hello }', accept: multipart }, '{"data":{"hello":"hi"}}'],
  ['a resolver that refuses is an event, masked', { query: 'subscription { refused }' }, refused],
  ['HEAD subscribes to nothing',    { query: 'subscription { pushed }', method: 'HEAD' }, ''],
]

/** What a host must do with streams, whatever server or framework it lives in. */
export async function streamSuite(t: Test, start: StartStreamHost): Promise<void> {
  const endpoint = createStreamedEndpoint()
  const host = await start(endpoint)
  t.teardown(() => host.close())
  for (const [name, request, body] of rows) {
    await t.test(name, async (t) => {
      const response = await host.send(request)
      t.equal(response.status, 200)
      const whole = await response.whole()
      if (typeof body === 'string') t.equal(whole.body, body)
      else t.match(whole.body, body)
      t.notOk(whole.isCut)
    })
  }
  t.equal(endpoint.made(), 0, 'HEAD made no source')
  const checks = {
    'its headers': checkHeaders,
    'an event is sent before the next is made': checkEarly,
    'a source that fails': checkFailing,
    'a client of events that leaves': checkLeaving(eventStream),
    'a client of parts that leaves': checkLeaving(multipart),
    'a client that leaves while its subscription starts': checkLeavingEarly,
  }
  for (const [name, check] of Object.entries(checks)) {
    await t.test(name, (t) => check(t, host, endpoint))
  }
  t.equal(endpoint.open(), 0, 'no source is open')
  t.match(endpoint.stats(), { open: 0, stuck: [] })
  t.equal(endpoint.bugs.length, 3, 'no bugs but those that were asked for')
}

type Check = (t: Test, host: StreamHost, endpoint: StreamedEndpoint) => Promise<void>

const checkHeaders: Check = async (t, host, endpoint) => {
  const response = await host.send({ query: 'subscription { pushed }' })
  const head = await host.send({ query: 'subscription { pushed }', method: 'HEAD' })
  for (const { headers } of [response, head]) {
    t.match(headers, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      vary: 'Accept',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
    })
    t.equal(headers['content-length'], undefined)
  }
  ;(await endpoint.nextSource()).finish()
  await response.whole()
}

const checkEarly: Check = async (t, host, endpoint) => {
  const response = await host.send({ query: 'subscription Early { pushed }' })
  const source = await endpoint.nextSource()
  await response.until(':\n\n')
  source.push(1)
  t.notMatch(await response.until('{"data":{"pushed":1}}\n\n'), 'complete')
  source.push(2)
  source.push('none')
  const body = await response.until('"data":{"pushed":null}')
  t.match(body, /"pushed":2/)
  source.finish()
  t.ok((await response.whole()).body.endsWith(complete))
  t.match(await endOf(endpoint, 'Early'), { field: 'pushed', cause: 'complete', events: 3 })
}

/** The end of the stream of an operation; those of others may come before. */
async function endOf(endpoint: StreamedEndpoint, operationName: string) {
  for (;;) {
    const end = await endpoint.nextEnd()
    if (end.operationName === operationName) return end
  }
}

const checkFailing: Check = async (t, host, endpoint) => {
  const response = await host.send({ query: 'subscription Failing { pushed }' })
  ;(await endpoint.nextSource()).fail(new Error('secret of the source'))
  const { body, isCut } = await response.whole()
  t.match(body, /data: \{"errors":\[\{"message":"Internal server error"/)
  t.notMatch(body, 'secret')
  t.ok(body.endsWith(complete))
  t.notOk(isCut)
  t.match(await endOf(endpoint, 'Failing'), { cause: 'source-failed', events: 0 })
}

const checkLeaving =
  (accept: string): Check =>
  async (t, host, endpoint) => {
    const response = await host.send({ query: 'subscription Leaving { pushed }', accept })
    const source = await endpoint.nextSource()
    source.push(1)
    await response.until('{"pushed":1}')
    response.leave()
    await source.returned
    t.match(source.request.signal, { aborted: true, reason: { reason: 'client-gone' } })
    t.match(await endOf(endpoint, 'Leaving'), { cause: 'client-gone', events: 1 })
    source.push(2)
    t.equal(endpoint.open(), 0)
  }

const checkLeavingEarly: Check = async (t, host, endpoint) => {
  const made = endpoint.made()
  const client = new AbortController()
  const sending = host.send({ query: 'subscription { later }', signal: client.signal })
  const left = sending.catch(() => undefined)
  const { signal } = await endpoint.starting()
  const aborted = once(signal, 'abort')
  client.abort()
  await aborted
  // Only now is there a source, which nobody waits for.
  endpoint.letStart()
  await left
  while (endpoint.made() === made || endpoint.open() > 0) await nextTurn()
  t.equal(endpoint.open(), 0)
}
