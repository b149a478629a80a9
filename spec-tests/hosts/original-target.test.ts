import { tracingChannel } from 'node:diagnostics_channel'
import { createServer, type RequestListener } from 'node:http'
import express, { Router } from 'express'
import fastify from 'fastify'
import { buildSchema } from 'graphql'
import Koa from 'koa'
import t, { type Test } from 'tap'
import { createRestHandler, type Route } from '@graphwire/rest'
import { createHandler, type Handler, type Options, type RequestTrace } from '../../src/index.js'
import { toNodeListener, toNodeResponder } from '../../src/hosts/node/index.js'
import { http1Client } from './http1-client.js'
import { listenFor } from './start-node.js'

const schema = buildSchema('type Query { hello: String  list: [String!] }')
const rootValue = { hello: 'Hello', list: ['a'] }

type Mount = (handler: Handler) => RequestListener | Promise<RequestListener>

/** Koa as a mounting middleware leaves it: the path is cut, and the whole one is kept on the context. */
function mountInKoa(handler: Handler): RequestListener {
  const app = new Koa()
  const respond = toNodeResponder(handler)
  app.use(async (context) => {
    context.path = context.path.slice('/graphql'.length) || '/'
    const { req, res, originalUrl } = context
    const answer = await respond(req, res, { originalUrl })
    context.status = answer.status
    context.body = answer.body
  })
  const callback = app.callback()
  return (incoming, outgoing) => void callback(incoming, outgoing)
}

async function mountInFastify(handler: Handler): Promise<RequestListener> {
  const app = fastify({ rewriteUrl: ({ url = '/' }) => url.replace('/graphql', '/inner') })
  const respond = toNodeResponder(handler)
  app.all('/inner', async (request, reply) => {
    const answer = await respond(request.raw, reply.raw)
    return reply.code(answer.status).send(answer.body)
  })
  await app.ready()
  return (incoming, outgoing) => app.routing(incoming, outgoing)
}

// oxfmt-ignore
const mounts: readonly [name: string, mount: Mount, path: string][] = [
  ['Express use',             (handler) => express().use('/graphql', toNodeListener(handler)), '/graphql'],
  ['Express all',             (handler) => express().all('/graphql', toNodeListener(handler)), '/graphql'],
  ['an Express router',       (handler) => express().use('/api', Router().use('/v1', toNodeListener(handler))), '/api/v1'],
  ['Koa',                     mountInKoa,                                                      '/graphql'],
  ['Fastify with rewriteUrl', mountInFastify,                                                  '/graphql'],
  ['Node alone',              (handler) => toNodeListener(handler),                            '/graphql'],
]

for (const [name, mount, path] of mounts) {
  void t.test(`${name}: traces and hooks know the target that the client sent`, async (t) => {
    const hooked: string[] = []
    const traced: string[] = []
    const note = ({ target }: { readonly target: string }): void => void hooked.push(target)
    const options: Pick<Options, 'admit' | 'onResult'> = { admit: note, onResult: note }
    const { end } = tracingChannel('graphwire:request')
    const trace = (message: unknown) => traced.push((message as RequestTrace).target)
    end.subscribe(trace)
    const send = await serve(t, await mount(createHandler({ schema, rootValue, ...options })))
    t.equal((await send(`${path}?query={hello}`)).status, 200)
    end.unsubscribe(trace)
    t.strictSame(traced, [`${path}?query={hello}`])
    t.strictSame(hooked, [...traced, ...traced])
  })
}

async function serve(t: Test, listener: RequestListener) {
  const origin = `http://127.0.0.1:${await listenFor(t, createServer(listener))}`
  return (target: string) => http1Client(`${origin}/`)({ query: target.slice(1) })
}

void t.test('a mounted route makes links of the target that the client sent', async (t) => {
  const headers: Route['headers'] = (_, { target }) => ({ Link: `<${target}>; rel="self"` })
  const list: Route = { method: 'GET', path: '/list', operation: '{ list }', headers }
  const handler = createRestHandler({ schema, rootValue, routes: [list] })
  const send = await serve(t, express().use('/api', toNodeListener(handler)))
  t.ok((await send('/api/list')).headers.includes('</api/list>; rel="self"'))
})
