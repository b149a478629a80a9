import { createServer } from 'node:http'
import compression from 'compression'
import express from 'express'
import t, { type Test } from 'tap'
import type { Options } from '../../../src/index.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { listenFor } from '../start-node.js'
import { http1Streams, multipart } from './stream-client.js'
import { createStreamedEndpoint } from './streamed-endpoint.js'

/** Express with `compression` in front of all routes, as its documentation shows it. */
async function start(t: Test, options: Partial<Options> = {}) {
  const endpoint = createStreamedEndpoint(options)
  const app = express()
  app.use(compression({ threshold: 0 }))
  app.all('/graphql', toNodeListener(endpoint.handler))
  const port = await listenFor(t, createServer(app))
  return { ...endpoint, send: http1Streams(`http://127.0.0.1:${port}`) }
}

const query = 'subscription { pushed }'

/** Something in an application that replaces our `no-transform`. */
const replaced = { responseHeaders: () => ({ 'Cache-Control': 'no-cache' }) }

// oxfmt-ignore
const rows: readonly [name: string, options: Partial<Options>, accept: string, encoding: string | undefined][] = [
  ['events are left alone',             {},       'text/event-stream', undefined],
  ['parts are left alone',              {},       multipart,           undefined],
  ['events that may be transformed',    replaced, 'text/event-stream', 'gzip'],
  ['parts, which it never compresses',  replaced, multipart,           undefined],
]
for (const [name, options, accept, encoding] of rows) {
  void t.test(`compression: ${name}`, async (t) => {
    const { send, nextSource, nextEnd } = await start(t, options)
    const client = await send({ query, accept, gzip: true })
    const source = await nextSource()
    for (const event of [1, 2]) {
      source.push(event)
      await client.until(`"pushed":${event}`)
    }
    t.equal(client.headers['content-encoding'], encoding)
    client.leave()
    await source.returned
    t.match(await nextEnd(), { cause: 'client-gone', events: 2 })
  })
}

void t.test('compression: a client that reads gets all events of a fast source', async (t) => {
  const { send } = await start(t, replaced)
  // More than the compressor takes at once.
  const client = await send({ query: 'subscription { flood(bytes: 200000) }', gzip: true })
  t.equal(client.headers['content-encoding'], 'gzip')
  const event = `event: next\ndata: {"data":{"flood":"${'x'.repeat(200_000)}"}}\n\n`
  await client.until(event.repeat(3))
  client.leave()
})

void t.test('compression: a single result is compressed', async (t) => {
  const { send } = await start(t)
  const client = await send({ query: '{ hello }', accept: 'application/json', gzip: true })
  t.equal(client.headers['content-encoding'], 'gzip')
  t.match(await client.whole(), { body: '{"data":{"hello":"hi"}}' })
})
