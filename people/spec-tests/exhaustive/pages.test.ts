import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { brotliDecompressSync } from 'node:zlib'
import t from 'tap'
import { start, type Headers, type Started } from './service/started.js'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

/** The paths of this service that a page links to or loads. */
function linksOf(html: string): string[] {
  return [...html.matchAll(/(?:href|src|spec-url)="(\/[^"]*)"/g)].map(([, path = '']) => path)
}

/** Asks without the header fields that `fetch` adds, and gives the bytes as they were sent. */
async function askRaw({ origin }: Started, path: string, headers: Headers = {}, method = 'GET') {
  const asking = request(origin + path, { headers, method }).end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  const bytes = Buffer.concat(await answer.toArray())
  return { status: answer.statusCode, headers: answer.headers, bytes }
}

const own = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'"
const framed = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const policy = `${own}; img-src 'self'; ${framed}`
const viewerPolicy = `${own} 'unsafe-inline'; img-src 'self' data:; ${framed}`

t.test('pages of the service', async (t) => {
  const service = await start(t, ['--auth', 'all', '--cors-origins', '*'])
  const links: string[] = []

  for (const path of ['/', '/docs', '/live']) {
    await t.test(`${path} loads nothing of others, and others cannot read it`, async (t) => {
      const { headers, bytes } = await askRaw(service, path, { Accept: browser })
      const html = String(bytes)
      links.push(...linksOf(html).filter((link) => !links.includes(link)))
      t.match(html, /^<!doctype html>[^]*<\/html>\n$/)
      t.notMatch(html, /<style|\sstyle=|<script(?! type="module" src=)|\son\w+=|javascript:/)
      t.notMatch(html, /\{\{/)
      t.equal(headers['content-type'], 'text/html; charset=utf-8')
      t.equal(headers['content-security-policy'], path === '/docs' ? viewerPolicy : policy)
      t.equal(headers['referrer-policy'], 'no-referrer')
      t.equal(headers['access-control-allow-origin'], undefined)
    })
  }

  await t.test('/ is JSON, or a page for browsers', async (t) => {
    // oxfmt-ignore
    const rows: [accept: string, type: string][] = [
      ['*/*',                                     'application/json'],
      ['text/csv',                                'application/json'],
      ['text/html;q=0.5, application/json',       'application/json'],
      ['application/json;q=0.5, text/html;q=0.7', 'text/html'],
    ]
    for (const [accept, type] of rows) {
      const { headers } = await askRaw(service, '/', { Accept: accept })
      t.equal(headers['content-type'], `${type}; charset=utf-8`, accept)
      t.equal(headers.vary, 'Accept')
    }
    const json = await service.ask('/')
    const about = (await json.json()) as { links: { [name: string]: string } }
    t.match(about, { name: 'people', version: /^\d+\.\d+\.\d+$/ })
    for (const path of Object.values(about.links)) {
      t.not((await service.ask(path.replace('{id}', '1'))).status, 404, path)
    }
    const known = { 'If-None-Match': json.headers.get('etag') ?? '', Accept: browser }
    t.equal((await askRaw(service, '/', known)).status, 200, 'an ETag is of one kind of page')
  })

  await t.test('lists, people and problems are pages for browsers', async (t) => {
    const headers = { Accept: browser, 'X-API-Key': service.demoKey }
    // oxfmt-ignore
    const rows: [path: string, status: number, html: readonly string[]][] = [
      ['/people?limit=2',    200, ['<a href="/person/1">Ada Archer</a>', '<a href="/people?limit=2&#38;after=2">Next page</a>']],
      ['/people?after=100',  200, ['<p>There are none.</p>', `curl -i &#39;${service.origin}/people?after=100&#39;`]],
      ['/person/1',          200, ['<h1>Ada Archer</h1>', '<dd>1 Station Road, Milan, Italy</dd>']],
      ['/person/4711',       404, ['<h1>404: Not found</h1>', 'No person has this id.', '<a href="/people">']],
      ['/people?limit=101',  422, ['<li>limit: Must be from 1 to 100.</li>']],
      ['/%3Cscript%3E/<b>',  404, ['<h1>404: Not found</h1>']],
    ]
    for (const [path, status, html] of rows) {
      const answer = await askRaw(service, path, headers)
      t.match(answer, { status, headers: { 'content-security-policy': policy } }, path)
      t.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
      t.equal(answer.headers.etag, undefined, 'the ETag is that of the JSON')
      const text = String(answer.bytes)
      for (const one of html) t.ok(text.includes(one), `${path}: ${text}`)
      t.notMatch(text, /<script|<b>/)
    }
    const refused = await askRaw(service, '/people', { Accept: 'text/html' })
    t.match(refused, { status: 401, headers: { 'www-authenticate': /^Bearer/ } })
    const json = await askRaw(service, '/people', { ...headers, Accept: '*/*' })
    t.match(json.headers, { 'content-type': 'application/json; charset=utf-8', vary: 'Accept' })
    const known = { ...headers, 'If-None-Match': json.headers.etag ?? '' }
    const page = await askRaw(service, '/people', known)
    t.equal(page.status, 200, 'a browser that knows the JSON asks with its ETag')
    const head = await askRaw(service, '/person/1', headers, 'HEAD')
    t.match(head, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
    const stream = await fetch(`${service.origin}/people/changes`, { headers })
    t.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    await stream.body?.cancel()
  })

  await t.test('what pages link to is there', async (t) => {
    t.ok(links.length >= 15)
    const headers = { 'X-API-Key': service.demoKey, Accept: browser }
    for (const path of links) t.equal((await service.ask(path, { headers })).status, 200, path)
  })

  for (const path of ['/', '/docs', '/live', '/openapi.json']) {
    await t.test(`${path} has an ETag, and is read-only`, async (t) => {
      const { headers, bytes } = await askRaw(service, path)
      const etag = headers.etag ?? ''
      t.match(etag, /^"[\w-]+"$/)
      const again = await askRaw(service, path, { 'If-None-Match': `"other", W/${etag}` })
      t.match(again, { status: 304, headers: { etag } })
      const head = await askRaw(service, path, {}, 'HEAD')
      t.equal(head.headers['content-length'], String(bytes.length))
      const allow = 'GET, HEAD, OPTIONS'
      t.match(await askRaw(service, path, {}, 'OPTIONS'), { status: 204, headers: { allow } })
      const refused = await askRaw(service, path, {}, 'PATCH')
      t.match(refused, { status: 405, headers: { allow } })
      t.match(JSON.parse(String(refused.bytes)), { code: 'METHOD_NOT_ALLOWED', status: 405 })
    })
  }

  await t.test('no answer may be read as another type', async (t) => {
    for (const path of '/ /docs /openapi.json /metrics /login /graphql /person/1'.split(' ')) {
      for (const method of ['GET', 'OPTIONS', 'POST']) {
        const { headers } = await askRaw(service, path, {}, method)
        t.equal(headers['x-content-type-options'], 'nosniff', `${method} ${path}`)
      }
    }
  })

  await t.test('probes are open, and not in the log', async (t) => {
    for (const path of ['/livez', '/readyz']) {
      const answer = await service.ask(path)
      t.equal(answer.status, 200)
      t.same(await answer.json(), { status: 'ok' })
    }
    t.notMatch(service.said.err, /livez|readyz/)
  })

  const [, folder = ''] = /(\/assets\/[\w-]{16}\/)/.exec(links.join(' ')) ?? []
  // oxfmt-ignore
  const types = new Map([
    ['css', 'text/css; charset=utf-8'],
    ['js',  'text/javascript; charset=utf-8'],
    ['svg', 'image/svg+xml'],
    ['txt', 'text/plain; charset=utf-8'],
  ])
  // Scripts that scripts import, and the license that the viewer names.
  const more = ['page.js', 'follow.js', 'request.js', 'rapidoc-min.js.LICENSE.txt']
  const assets = links.filter((path) => path.startsWith('/assets/'))
  for (const path of [...assets, ...more.map((name) => folder + name)]) {
    await t.test(path.replace(folder, ''), async (t) => {
      t.ok(path.startsWith(folder), 'one folder, whose name changes with its files')
      const { status, headers, bytes } = await askRaw(service, path)
      t.equal(status, 200)
      t.match(headers, {
        'content-type': types.get(path.split('.').pop() ?? ''),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
      const again = await askRaw(service, path, { 'If-None-Match': headers.etag ?? '' })
      t.equal(again.status, 304)
      for (const [, name = ''] of String(bytes).matchAll(/^import .* from '\.\/(.*)'/gm)) {
        t.ok(more.includes(name), `${name} is served, too`)
      }
    })
  }
  const gone = ['/assets/', '/assets/page.js', folder, `${folder}none.js`, '/assets/old/page.js']
  const key = { headers: { 'X-API-Key': service.demoKey } }
  for (const path of gone) t.equal((await service.ask(path, key)).status, 404, path)
  const metrics = await (await service.ask('/metrics')).text()
  t.match(metrics, 'http_route="/assets"')
  t.notMatch(metrics, folder, 'their names change with each release')

  await t.test('the viewer is the file of rapidoc 9.3.8 in each coding', async (t) => {
    const html = await (await service.ask('/docs')).text()
    t.match(html, /load-fonts="false"/, 'its fonts would come from elsewhere')
    const path = links.find((one) => one.includes('rapidoc')) ?? ''
    // oxfmt-ignore
    const rows: [accepted: string, coding: string | undefined, unpack: (bytes: Buffer) => Buffer, most: number][] = [
      ['',                  undefined, (bytes) => bytes,     863_099],
      ['gzip, br;q=0',      undefined, (bytes) => bytes,     863_099],
      ['gzip, deflate, br', 'br',      brotliDecompressSync, 180_000],
    ]
    for (const [accepted, coding, unpack, most] of rows) {
      const { headers, bytes } = await askRaw(service, path, { 'Accept-Encoding': accepted })
      t.equal(headers['content-encoding'], coding)
      t.equal(headers.vary, 'Accept-Encoding')
      t.ok(bytes.length <= most, `${bytes.length} bytes`)
      const digest = createHash('sha256').update(unpack(bytes)).digest('hex')
      t.equal(digest, 'affbd173a65e870e18f392cca963113bcdafb6e50e88cd2f6a834a65b22db94d')
      const known = { 'Accept-Encoding': accepted, 'If-None-Match': headers.etag ?? '' }
      const again = await askRaw(service, path, known)
      t.match(again, { status: 304, headers: { vary: 'Accept-Encoding' } })
      t.equal(again.headers['content-encoding'], undefined)
    }
  })
})
