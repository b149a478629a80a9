import { startNginx } from './nginx.js'
import { startOrigin, type Origin } from './origin.js'
import { testWith } from './proxy.js'
import { change, checkRows, get, long, post, query, read, untouched, type Row } from './row.js'

const gzip = { 'accept-encoding': 'gzip' }

/** A server of nginx that passes everything on, with more in its location. */
function passing({ port }: Origin, more = ''): string {
  return `server {
    listen unix:SOCKET;
    location / { proxy_pass http://127.0.0.1:${port}; ${more} }
  }`
}

testWith('nginx', 'nginx with proxy_pass alone', async (t, program) => {
  const origin = await startOrigin(t)
  // `gzip on` is what Debian's nginx.conf says.
  const nginx = await startNginx(t, program, `gzip on; ${passing(origin)}`)
  const rows: readonly Row[] = [
    {
      name: 'speaks HTTP/1.0 to the server, with the name of the upstream as Host',
      requests: [get('{ fail }', { host: 'api.example' })],
      status: 294,
      seen: { httpVersion: '1.0', headers: { host: `127.0.0.1:${origin.port}` } },
    },
    {
      name: 'believes the X-Forwarded-For of a client',
      requests: [get('{ counter }', { 'x-forwarded-for': '192.0.2.1' })],
      status: 200,
      seen: { headers: { 'x-forwarded-for': '192.0.2.1' } },
    },
    {
      name: 'does not compress application/graphql-response+json',
      requests: [get(`{ ${long} }`, gzip)],
      status: 200,
      headers: { 'content-encoding': null },
      intact: true,
    },
    {
      name: 'refuses a body of more than 1 MiB by itself, in HTML',
      requests: [post('x'.repeat(1_100_000))],
      reached: 0,
      status: 413,
      headers: { 'content-type': 'text/html' },
    },
    {
      name: 'refuses a GET of a page of its own with an Origin, since Host is another',
      requests: [get('{ counter }', { host: 'api.example', origin: 'http://api.example' })],
      status: 403,
    },
  ]
  await checkRows(t, nginx, origin, [...untouched, ...rows])
})

testWith('nginx', '$host of nginx', async (t, program) => {
  const origin = await startOrigin(t)
  const nginx = await startNginx(t, program, passing(origin, 'proxy_set_header Host $host;'))
  await checkRows(t, nginx, origin, [
    {
      name: 'has lost the port',
      requests: [post('{ fail }', { host: 'api.example:8080' })],
      status: 294,
      seen: { headers: { host: /^api\.example$/ } },
    },
  ])
})

testWith('nginx', 'add_header of nginx', async (t, program) => {
  const origin = await startOrigin(t)
  const more = 'add_header X-Some yes; add_header X-Every yes always;'
  const nginx = await startNginx(t, program, passing(origin, more))
  const both = { 'x-some': 'yes', 'x-every': 'yes' }
  const always = { 'x-some': null, 'x-every': 'yes' }
  // oxfmt-ignore
  await checkRows(t, nginx, origin, [
    { name: 'on 200',                                                           requests: [post('{ counter }')], status: 200, headers: both },
    { name: 'on 294',                                                           requests: [post('{ fail }')],    status: 294, headers: always },
    { name: 'on 422',                                                           requests: [post('{ nope }')],    status: 422, headers: always },
    { name: 'on 200 where partialSuccessStatus is 200', path: '/graphql/plain', requests: [post('{ fail }')],    status: 200, headers: both },
  ])
})

testWith('nginx', 'compression by nginx', async (t, program) => {
  const origin = await startOrigin(t)
  const types = 'application/graphql-response+json application/json'
  const more = `gzip on; gzip_min_length 1; gzip_types ${types};`
  const nginx = await startNginx(t, program, passing(origin, more))
  const compressed = { 'content-encoding': 'gzip' }
  const plain = { 'content-encoding': null }
  await checkRows(t, nginx, origin, [
    {
      name: 'of 200, without Vary: Accept-Encoding',
      requests: [post(`{ ${long} }`, gzip)],
      status: 200,
      headers: { ...compressed, vary: 'Accept' },
    },
    {
      name: 'not of 294',
      requests: [post(`{ ${long} fail }`, gzip)],
      status: 294,
      headers: plain,
      intact: true,
    },
    {
      name: 'not of 422',
      requests: [post(`{ ${long} nope }`, gzip)],
      status: 422,
      headers: plain,
      intact: true,
    },
    {
      name: 'of a partial answer where partialSuccessStatus is 200',
      path: '/graphql/plain',
      requests: [post(`{ ${long} fail }`, gzip)],
      status: 200,
      headers: compressed,
    },
    {
      name: 'makes a strong ETag weak',
      path: '/person/1',
      requests: [read(gzip)],
      status: 200,
      headers: { ...compressed, etag: 'W/"3"' },
    },
    {
      name: 'whose weak ETag is good for If-None-Match',
      path: '/person/1',
      requests: [read({ ...gzip, 'if-none-match': 'W/"3"' })],
      status: 304,
    },
    {
      name: 'whose weak ETag fails every If-Match',
      path: '/person/1',
      requests: [change('W/"3"')],
      status: 412,
    },
  ])
})

testWith('nginx', 'error pages of nginx', async (t, program) => {
  const origin = await startOrigin(t)
  const page = 'location = /page { internal; default_type text/html; return 200 page; }'
  const start = async (more: string) =>
    startNginx(
      t,
      program,
      passing(origin, `error_page 422 503 /page; ${more}`).replace('location', `${page} location`),
    )
  const busy = { path: '/graphql/busy', requests: [post('{ counter }')], status: 503 } as const
  await checkRows(t, await start(''), origin, [
    { name: 'stay out of the way of 422', requests: [post('{ nope }')], status: 422, intact: true },
    { name: 'stay out of the way of 503', ...busy, intact: true },
  ])
  await checkRows(t, await start('proxy_intercept_errors on;'), origin, [
    {
      name: 'take the place of 422 with proxy_intercept_errors',
      requests: [post('{ nope }')],
      status: 422,
      headers: { 'content-type': 'text/html' },
      body: /^page$/,
    },
    {
      name: 'take the place of 503 and its Retry-After with proxy_intercept_errors',
      ...busy,
      headers: { 'retry-after': null },
      body: /^page$/,
    },
    { name: 'leave 294 alone', requests: [post('{ fail }')], status: 294, intact: true },
  ])
  await t.test('cannot be given for 294', async (t) => {
    await t.rejects(startNginx(t, program, 'error_page 294 /page;'), /must be between 300 and 599/)
  })
})

testWith('nginx', 'proxy_next_upstream http_503 of nginx', async (t, program) => {
  const origin = await startOrigin(t)
  const server = `server 127.0.0.1:${origin.port} max_fails=0;`
  const more = 'proxy_pass http://two; proxy_next_upstream http_503;'
  const nginx = await startNginx(
    t,
    program,
    `upstream two { ${server} ${server} }
     server { listen unix:SOCKET; location / { ${more} } }`,
  )
  const busy = { path: '/graphql/busy', status: 503, intact: true } as const
  // oxfmt-ignore
  await checkRows(t, nginx, origin, [
    { name: 'asks again after GET',          ...busy, requests: [get('{ counter }')],   reached: 2 },
    { name: 'asks again after QUERY',        ...busy, requests: [query('{ counter }')], reached: 2 },
    { name: 'does not ask again after POST', ...busy, requests: [post('{ counter }')] },
  ])
})
