import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { createRestHandler } from '../../../src/index.js'
import { toFetch } from '../../../src/hosts/fetch.js'
import { listen, toNodeListener } from '../../../src/hosts/node/index.js'
import { createPeople, routes } from '../../rest/people.js'

async function start(t: Test): Promise<string> {
  const { schema } = createPeople()
  const handler = createRestHandler({ schema, routes, methodOverride: true })
  const server = await listen(toNodeListener(handler), { port: 0, host: '127.0.0.1' })
  t.teardown(() => server.close({ grace: 0 }))
  return server.origin
}

function put(url: string, headers: { [name: string]: string }, json: unknown): Promise<Response> {
  const body = JSON.stringify(json)
  return fetch(url, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  })
}

void t.test('a person is created, read, changed and deleted over a socket', async (t) => {
  const origin = await start(t)
  const created = await fetch(`${origin}/person`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"name":"Zoë 😀"}',
  })
  t.equal(created.status, 201)
  const url = `${origin}${created.headers.get('location') ?? ''}`
  const read = await fetch(url)
  const etag = read.headers.get('etag') ?? ''
  t.strictSame(await read.json(), await created.json())
  t.equal(created.headers.get('etag'), etag)

  const known = await fetch(url, { headers: { 'If-None-Match': etag } })
  t.equal(known.status, 304)
  t.equal(await known.text(), '')
  t.equal(known.headers.get('content-type'), null)
  t.equal(known.headers.get('content-length'), null)

  const head = await fetch(url, { method: 'HEAD' })
  t.equal(head.status, 200)
  t.equal(head.headers.get('etag'), etag)
  t.equal(head.headers.get('content-length'), read.headers.get('content-length'))

  t.equal((await put(url, { 'If-Match': etag }, { name: 'Zed' })).status, 200)
  t.equal((await put(url, { 'If-Match': etag }, { name: 'Zed' })).status, 412)
  const patched = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/merge-patch+json', 'X-HTTP-Method-Override': 'PATCH' },
    body: '{"age":7}',
  })
  t.match(await patched.json(), { name: 'Zed', age: 7 })
  t.equal((await fetch(url, { method: 'DELETE' })).status, 200)
  const gone = await fetch(url)
  t.equal(gone.status, 404)
  t.equal(gone.headers.get('content-type'), 'application/problem+json')
  const options = await fetch(url, { method: 'OPTIONS' })
  t.equal(options.status, 204)
  t.equal(options.headers.get('allow'), 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS')
})

void t.test('of many writers with the same If-Match exactly one wins', async (t) => {
  const origin = await start(t)
  const writers = Array.from({ length: 8 }, (_, at) =>
    put(`${origin}/person/1`, { 'If-Match': '"3"' }, { name: `writer ${at}` }),
  )
  const answers = await Promise.all(writers)
  const statuses = answers.map(({ status }) => status)
  t.strictSame(
    statuses.toSorted((a, b) => a - b),
    [200, ...Array<number>(7).fill(412)],
  )
  const winner = answers[statuses.indexOf(200)]
  const now = await fetch(`${origin}/person/1`)
  t.equal(now.headers.get('etag'), '"4"')
  t.strictSame(await now.json(), await winner?.json())
})

void t.test('a body is refused before it is sent', async (t) => {
  const origin = await start(t)
  const request = httpRequest(`${origin}/person`, {
    method: 'POST',
    headers: { Expect: '100-continue', 'Content-Type': 'text/plain', 'Content-Length': 10 },
  })
  request.on('continue', () => t.fail('the body was wanted'))
  request.flushHeaders()
  const [response] = (await once(request, 'response')) as [{ statusCode: number }]
  t.equal(response.statusCode, 415)
  request.destroy()
})

void t.test('a target in absolute form reaches its route', async (t) => {
  const origin = await start(t)
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(
    'GET http://example.com/person/1 HTTP/1.1\r\nHost: example.com\r\nConnection: close\r\n\r\n',
  )
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  t.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
  t.match(answer, '"name":"Ann"')
})

void t.test('a fetch host serves routes too', async (t) => {
  const { schema } = createPeople()
  const serve = toFetch(createRestHandler({ schema, routes }))
  const url = 'http://localhost/person/1'
  const read = await serve(new Request(url))
  t.equal(read.status, 200)
  t.equal(read.headers.get('etag'), '"3"')
  t.match(await read.json(), { name: 'Ann' })
  const known = await serve(new Request(url, { headers: { 'If-None-Match': '"3"' } }))
  t.equal(known.status, 304)
  t.equal(known.body, null)
  const head = await serve(new Request(url, { method: 'HEAD' }))
  t.equal(head.headers.get('content-length'), read.headers.get('content-length'))
  const headers = { 'Content-Type': 'application/json' }
  const sent = new Request(url, { method: 'PUT', headers, body: '{"name":"Al"}' })
  t.equal((await serve(sent)).status, 200)
})
