import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { createIde } from '@graphwire/ide'
import { serve as serveFetch } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import Koa from 'koa'
import t, { type Test } from 'tap'
import { toFetch } from '../../../src/hosts/fetch/index.js'
import { toFastifyPlugin } from '../../../src/hosts/frameworks/fastify.js'
import { toKoaMiddleware } from '../../../src/hosts/frameworks/koa.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { buildSchema, createHandler, type Handler } from '../../../src/index.js'
import { close, listen } from '../../hosts/start-node.js'

/** The content of a file that the page names. */
function textOf(link: string): string {
  const name = link.slice(link.lastIndexOf('/') + 1)
  const file = new URL(`../../../../ide/assets/${name}.br`, import.meta.url)
  return brotliDecompressSync(readFileSync(file)).toString()
}

const schema = buildSchema('type Query { a: Int }', { Query: { a: () => 1 } })
const ide = createIde()

/** Serves a listener and gives its origin. */
async function start(t: Test, listener: RequestListener | Server): Promise<string> {
  const server = typeof listener === 'function' ? createServer(listener) : listener
  const port = await listen(server)
  t.teardown(() => close(server))
  return `http://127.0.0.1:${port}`
}

/** Where people open the endpoint, and how a host serves it. */
const hosts: { readonly [name: string]: (t: Test) => Promise<string> } = {
  'node:http': async (t) =>
    `${await start(t, toNodeListener(createHandler({ schema, ide, path: '/graphql' })))}/graphql`,
  Express: async (t) => {
    const app = express()
    app.use('/graphql', toNodeListener(createHandler({ schema, ide })))
    return `${await start(t, app)}/graphql`
  },
  'a router of Express': async (t) => {
    const router = express.Router()
    router.use('/graphql', toNodeListener(createHandler({ schema, ide })))
    return `${await start(t, express().use('/api', router))}/api/graphql`
  },
  'Express with a slash at the end': async (t) => {
    const app = express()
    app.use('/graphql', toNodeListener(createHandler({ schema, ide })))
    return `${await start(t, app)}/graphql/`
  },
  Koa: async (t) => {
    const callback = new Koa().use(toKoaMiddleware(createHandler({ schema, ide }))).callback()
    return `${await start(t, (...pair) => void callback(...pair))}/graphql`
  },
  Fastify: async (t) => {
    const app = fastify()
    app.register(toFastifyPlugin(createHandler({ schema, ide })))
    t.teardown(() => app.close())
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}/graphql`
  },
  'a prefix of Fastify': async (t) => {
    const app = fastify()
    app.register(toFastifyPlugin(createHandler({ schema, ide })), { prefix: '/api' })
    t.teardown(() => app.close())
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/graphql`
  },
  fetch: async (t) => {
    const handler: Handler<Request> = createHandler<Request>({ schema, ide, path: '/' })
    const fetch = toFetch(handler)
    return new Promise((resolve) => {
      const server = serveFetch({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
        resolve(`http://127.0.0.1:${port}/`),
      )
      t.teardown(() => close(server))
    })
  },
}

for (const [name, open] of Object.entries(hosts)) {
  void t.test(`${name} serves the page and each file that it names`, async (t) => {
    const url = await open(t)
    const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
    const page = await fetch(url, { headers })
    t.equal(page.status, 200)
    t.match(page.headers.get('content-type'), 'text/html')
    const links = [...(await page.text()).matchAll(/(?:src|href)="(\.[^"]+)"/g)]
    t.ok(links.length > 4)
    for (const [, link = ''] of links) {
      const file = await fetch(new URL(link, page.url))
      t.equal(file.status, 200, link)
      t.match(
        file.headers.get('content-type'),
        link.endsWith('.css') ? 'text/css' : 'text/javascript',
      )
      t.match(file.headers.get('cache-control'), 'immutable')
      t.equal(await file.text(), textOf(link), 'as it was built')
    }
    const missing = await fetch(new URL('./graphql/@ide/nothing.js', page.url))
    t.equal(missing.status, 404)
    const body = JSON.stringify({ query: '{ a }' })
    const json = { ...headers, 'Content-Type': 'application/json', Accept: 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers: json, body })
    t.strictSame(await answer.json(), { data: { a: 1 } })
  })
}
