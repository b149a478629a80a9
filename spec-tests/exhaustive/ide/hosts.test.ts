import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import { createIde } from '@graphwire/ide'
import { serve as serveFetch } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import t, { type Test } from 'tap'
import { toFetch } from '../../../src/hosts/fetch/index.js'
import { toFastifyPlugin } from '../../../src/hosts/frameworks/fastify.js'
import { toKoaMiddleware } from '../../../src/hosts/frameworks/koa.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { buildSchema, createHandler } from '../../../src/index.js'
import { skip as hasNoBrowser, withTab } from '../clients/drive-browser.js'
import { close, listenFor } from '../../hosts/start-node.js'
import { skip as isAbsent } from '../installed.js'
import { run } from './drive-ide.js'
import { installedHosts } from './installed-hosts.js'

function textOf(link: string): string {
  const name = link.slice('?ide='.length)
  const file = new URL(`../../../../packages/ide/assets/${name}.br`, import.meta.url)
  return brotliDecompressSync(readFileSync(file)).toString()
}

t.setTimeout(600_000)

const schema = buildSchema('type Query { a: Int }', { Query: { a: () => 1 } })
const ide = createIde()

async function start(t: Test, listener: RequestListener | Server): Promise<string> {
  const server = typeof listener === 'function' ? createServer(listener) : listener
  return `http://127.0.0.1:${await listenFor(t, server)}`
}

/** Where people open the endpoint, and how a host serves it. */
const hosts: { readonly [name: string]: (t: Test) => Promise<string> } = {
  'node:http': async (t) =>
    `${await start(t, toNodeListener(createHandler({ schema, ide, path: '/graphql' })))}/graphql`,
  'a proxy that changes the path': async (t) => {
    const listener = toNodeListener(createHandler({ schema, ide, path: '/graphql' }))
    const origin = await start(t, (incoming, outgoing) => {
      incoming.url = incoming.url?.replace('/public/api', '/graphql') ?? ''
      listener(incoming, outgoing)
    })
    return `${origin}/public/api`
  },
  'a router of Express': async (t) => {
    const router = express.Router()
    router.use('/graphql', toNodeListener(createHandler({ schema, ide })))
    return `${await start(t, express().use('/api', router))}/api/graphql`
  },
  'app.use of Express with a slash at the end': async (t) => {
    const app = express()
    app.use('/graphql', toNodeListener(createHandler({ schema, ide })))
    return `${await start(t, app)}/graphql/`
  },
  Koa: async (t) => {
    const callback = new Koa().use(toKoaMiddleware(createHandler({ schema, ide }))).callback()
    return `${await start(t, (...pair) => void callback(...pair))}/graphql`
  },
  'a prefix of Fastify': async (t) => {
    const app = fastify()
    app.register(toFastifyPlugin(createHandler({ schema, ide })), { prefix: '/api' })
    t.teardown(() => app.close())
    return `${await app.listen({ port: 0, host: '127.0.0.1' })}/api/graphql`
  },
  fetch: (t) => startFetch(t, toFetch(createHandler<Request>({ schema, ide, path: '/' })), '/'),
  'mount of Hono': (t) => {
    const app = new Hono().mount('/graphql', toFetch(createHandler<Request>({ schema, ide })))
    return startFetch(t, app.fetch, '/graphql')
  },
}

type FetchFunction = Parameters<typeof serveFetch>[0]['fetch']

function startFetch(t: Test, fetch: FetchFunction, path: string): Promise<string> {
  return new Promise((resolve) => {
    const server = serveFetch({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
      resolve(`http://127.0.0.1:${port}${path}`),
    )
    t.teardown(() => close(server))
  })
}

const rows = [
  ...Object.entries(hosts).map(([name, open]) => ({ name, open, skip: false as const })),
  ...Object.entries(installedHosts).map(([name, open]) => ({ name, open, skip: isAbsent })),
]

for (const { name, open, skip } of rows) {
  void t.test(name, { skip }, async (t) => {
    const url = await open(t)
    await t.test('serves the page and each file that it names', (t) => checkFiles(t, url))
    await t.test('a browser runs an operation', { skip: hasNoBrowser }, (t) => runIn(t, url))
  })
}

async function checkFiles(t: Test, url: string): Promise<void> {
  const headers = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const page = await fetch(url, { headers })
  t.equal(page.status, 200)
  t.match(page.headers.get('content-type'), 'text/html')
  const links = [...(await page.text()).matchAll(/(?:src|href)="(\?[^"]+)"/g)]
  t.equal(links.length, 2)
  for (const [, link = ''] of links) {
    const file = await fetch(new URL(link, page.url))
    t.equal(file.status, 200, link)
    const type = link.endsWith('.css') ? 'text/css' : 'text/javascript'
    t.match(file.headers.get('content-type'), type)
    t.match(file.headers.get('cache-control'), 'immutable')
    t.equal(await file.text(), textOf(link), 'as it was built')
  }
  const body = JSON.stringify({ query: '{ a }' })
  const json = { ...headers, 'Content-Type': 'application/json', Accept: 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers: json, body })
  t.strictSame(await answer.json(), { data: { a: 1 } })
}

async function runIn(t: Test, url: string): Promise<void> {
  await withTab(async (tab) => {
    await tab.open(`${url}?query={a}`)
    await tab.until(`document.querySelector('.graphiql-query-editor .view-line')`)
    await run(tab)
    await tab.until(`document.querySelector('.status strong')?.textContent === '200 OK'`)
    const loaded = `performance.getEntriesByType('resource')`
    for (const worker of ['editor', 'json', 'graphql']) {
      const isIt = `({ name }) => name.startsWith('${url}?ide=${worker}.worker-')`
      await tab.until(`${loaded}.some(${isIt})`)
    }
    t.strictSame([...tab.log.faults, ...tab.log.failedRequests], [])
  })
}
