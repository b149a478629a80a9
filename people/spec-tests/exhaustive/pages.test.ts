import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import t from 'tap'
import { production, start, type Started } from './service/started.js'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

const pages = ['/', '/docs', '/live'] as const

interface WebPage {
  readonly path: string
  readonly html: string
  readonly headers: Headers
}

function readPages(service: Started): Promise<readonly WebPage[]> {
  return Promise.all(
    pages.map(async (path) => {
      const answer = await service.ask(path, { headers: { Accept: browser } })
      return { path, html: await answer.text(), headers: answer.headers }
    }),
  )
}

/** The paths of this service that a page links to or loads. */
function linksOf(html: string): string[] {
  return [...html.matchAll(/(?:href|src|spec-url)="(\/[^"]*)"/g)].map(([, path = '']) => path)
}

t.test('pages of the service', async (t) => {
  const service = await start(t, ['--db', ':memory:', '--auth', 'all'])

  await t.test('/ is JSON, or a page for browsers', async (t) => {
    // oxfmt-ignore
    const rows: [accept: string, isHtml: boolean][] = [
      ['',                                        false],
      ['*/*',                                     false],
      ['application/json',                        false],
      [browser,                                   true],
      ['TEXT/HTML',                               true],
      ['text/html;q=0',                           false],
      ['text/html;q=0.5, application/json',       false],
      ['application/json;q=0.5, text/html;q=0.7', true],
      ['text/*',                                  true],
      ['text/html;level=1',                       false],
      ['application/json;q=0, */*',               true],
      ['text/html;title=", application/json"',    false],
    ]
    for (const [accept, isHtml] of rows) {
      const answer = await service.ask('/', { headers: { Accept: accept } })
      const type = isHtml ? 'text/html' : 'application/json'
      t.equal(answer.headers.get('content-type'), `${type}; charset=utf-8`, accept)
      t.equal(answer.headers.get('vary'), 'Accept')
      t.match(
        answer.headers.get('content-security-policy'),
        "default-src 'none'; script-src 'self';",
      )
      t.equal(answer.headers.get('referrer-policy'), 'no-referrer')
      const text = await answer.text()
      if (isHtml) t.match(text, /^<!doctype html>[^]*<\/html>\n$/)
      else t.match(JSON.parse(text), { name: 'people', version: /^\d+\.\d+\.\d+$/ })
    }
  })

  await t.test('what / links to is there', async (t) => {
    const { links } = (await (await service.ask('/')).json()) as { links: object }
    for (const path of Object.values(links) as string[]) {
      const { status } = await service.ask(path.replace('{id}', '1'))
      t.not(status, 404, path)
    }
    const paths = [...new Set((await readPages(service)).flatMap(({ html }) => linksOf(html)))]
    t.ok(paths.length >= 15)
    const headers = { 'X-API-Key': service.demoKey, Accept: browser }
    for (const path of paths) {
      // The IDE has tests of its own.
      if (path === '/graphql') continue
      t.equal((await service.ask(path, { headers })).status, 200, path)
    }
  })

  for (const [path, accept] of [
    ['/', '*/*'],
    ['/', browser],
    ['/docs', browser],
    ['/live', browser],
    ['/openapi.json', '*/*'],
  ] as const) {
    await t.test(`${path} for ${accept} is not sent twice to who has it`, async (t) => {
      const ask = (method: string, headers = {}) =>
        service.ask(path, { method, headers: { Accept: accept, ...headers } })
      const whole = await ask('GET')
      const text = await whole.text()
      const etag = whole.headers.get('etag') ?? ''
      t.match(etag, /^"[\w-]+"$/)
      for (const known of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
        const again = await ask('GET', { 'If-None-Match': known })
        t.match(again, { status: 304 })
        t.equal(again.headers.get('etag'), etag)
        t.equal(await again.text(), '')
      }
      for (const other of ['"other"', `other, ${etag}`, `"one" ${etag}`, `"a,${etag}`]) {
        t.equal((await ask('GET', { 'If-None-Match': other })).status, 200, other)
      }
      const head = await ask('HEAD')
      t.equal(head.status, 200)
      t.equal(head.headers.get('content-length'), String(Buffer.byteLength(text)))
      t.equal(await head.text(), '')
    })
  }

  await t.test('an ETag is of one kind of page', async (t) => {
    const json = (await service.ask('/')).headers.get('etag') ?? ''
    const headers = { Accept: browser, 'If-None-Match': json }
    t.equal((await service.ask('/', { headers })).status, 200)
  })

  for (const path of ['/', '/docs', '/live', '/openapi.json', '/metrics']) {
    await t.test(`${path} is only read`, async (t) => {
      const options = await service.ask(path, { method: 'OPTIONS' })
      t.equal(options.status, 204)
      t.equal(options.headers.get('allow'), 'GET, HEAD, OPTIONS')
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const refused = await service.ask(path, { method, body: '{}' })
        t.equal(refused.status, 405)
        t.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS')
        t.match(await refused.json(), { code: 'METHOD_NOT_ALLOWED', status: 405 })
      }
    })
  }

  const paths = [
    '/',
    '/docs',
    '/live',
    '/openapi.json',
    '/metrics',
    '/login',
    '/graphql',
    '/person/1',
  ]
  for (const path of paths) {
    await t.test(`no answer of ${path} may be read as another type`, async (t) => {
      for (const method of ['GET', 'OPTIONS', 'POST']) {
        const { headers, status } = await service.ask(path, { method })
        t.equal(headers.get('x-content-type-options'), 'nosniff', `${method}: ${status}`)
      }
    })
  }

  await t.test('probes are open, and not in the log', async (t) => {
    for (const path of ['/livez', '/readyz']) {
      const answer = await service.ask(path)
      t.equal(answer.status, 200)
      t.same(await answer.json(), { status: 'ok' })
    }
    t.notMatch(service.said.err, /livez|readyz/)
  })
})

t.test('what pages load', async (t) => {
  const service = await start(t, ['--db', ':memory:'])
  const loaded = (await readPages(service)).flatMap(({ html }) => linksOf(html))
  const paths = [...new Set(loaded.filter((path) => path.startsWith('/assets/')))]
  const [, folder = ''] = /^(\/assets\/[\w-]{16}\/)/.exec(paths[0] ?? '') ?? []
  // oxfmt-ignore
  const types = new Map([
    ['css', 'text/css; charset=utf-8'],
    ['js',  'text/javascript; charset=utf-8'],
    ['svg', 'image/svg+xml'],
    ['txt', 'text/plain; charset=utf-8'],
  ])
  // Scripts that scripts import, and the license that the viewer names.
  const more = ['page.js', 'follow.js', 'rapidoc-min.js.LICENSE.txt']
  for (const path of [...paths, ...more.map((name) => folder + name)]) {
    await t.test(path.replace(folder, ''), async (t) => {
      t.ok(path.startsWith(folder), 'one folder, whose name changes with its files')
      const { status, headers, bytes } = await askRaw(service, path)
      t.equal(status, 200)
      t.equal(headers['content-type'], types.get(path.split('.').pop() ?? ''))
      t.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
      t.equal(headers['x-content-type-options'], 'nosniff')
      t.equal(headers['cross-origin-resource-policy'], 'same-origin')
      const again = await askRaw(service, path, { 'If-None-Match': headers.etag ?? '' })
      t.equal(again.status, 304)
      const head = await askRaw(service, path, {}, 'HEAD')
      t.equal(head.headers['content-length'], String(bytes.length))
      for (const [, name = ''] of String(bytes).matchAll(/^import .* from '\.\/(.*)'/gm)) {
        t.ok(more.includes(name), `${name} is served, too`)
      }
    })
  }
  const gone = ['/assets/', '/assets/page.js', folder, `${folder}none.js`, '/assets/old/page.js']
  for (const path of gone) t.equal((await service.ask(path)).status, 404, path)
  const metrics = await (await service.ask('/metrics')).text()
  t.match(metrics, 'http_route="/assets"')
  t.notMatch(metrics, folder, 'their names change with each release')
})

type Unpack = (bytes: Buffer) => Buffer

t.test('the viewer is the file of rapidoc 9.3.8 in each coding', async (t) => {
  const service = await start(t, ['--db', ':memory:'])
  const html = await (await service.ask('/docs')).text()
  t.match(html, /load-fonts="false"/, 'its fonts would come from elsewhere')
  const path = linksOf(html).find((one) => one.includes('rapidoc')) ?? ''
  const tags = new Set<string>()
  // oxfmt-ignore
  const rows: [acceptEncoding: string, coding: string | undefined, unpack: Unpack, most: number][] = [
    ['',                  undefined, (bytes) => bytes,     863_099],
    ['gzip',              'gzip',    gunzipSync,           230_000],
    ['gzip, deflate, br', 'br',      brotliDecompressSync, 180_000],
  ]
  for (const [acceptEncoding, coding, unpack, most] of rows) {
    await t.test(`Accept-Encoding: ${acceptEncoding}`, async (t) => {
      const accepted = { 'Accept-Encoding': acceptEncoding }
      const { status, headers, bytes } = await askRaw(service, path, accepted)
      t.equal(status, 200)
      t.equal(headers['content-encoding'], coding)
      t.equal(headers.vary, 'Accept-Encoding')
      t.ok(bytes.length <= most, `${bytes.length} bytes`)
      const digest = createHash('sha256').update(unpack(bytes)).digest('hex')
      t.equal(digest, 'affbd173a65e870e18f392cca963113bcdafb6e50e88cd2f6a834a65b22db94d')
      const head = await askRaw(service, path, accepted, 'HEAD')
      t.equal(head.headers['content-length'], String(bytes.length))
      t.equal(head.headers['content-encoding'], coding)
      const tag = headers.etag ?? ''
      const again = await askRaw(service, path, { ...accepted, 'If-None-Match': tag })
      t.match(again, { status: 304, headers: { etag: tag, vary: 'Accept-Encoding' } })
      t.equal(again.headers['content-encoding'], undefined)
      tags.add(tag)
    })
  }
  t.equal(tags.size, rows.length, 'each has a tag of its own')
  for (const tag of tags) {
    const headers = { 'If-None-Match': tag }
    const answers = await Promise.all(
      rows.map(([accepted]) => askRaw(service, path, { ...headers, 'Accept-Encoding': accepted })),
    )
    t.equal(answers.filter(({ status }) => status === 304).length, 1, `${tag} is of one coding`)
  }
})

/** Asks without the header fields that `fetch` adds, and gives the bytes as they were sent. */
async function askRaw(
  { origin }: Started,
  path: string,
  headers: { readonly [name: string]: string } = {},
  method = 'GET',
) {
  const asking = request(origin + path, { headers, method }).end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  const bytes = Buffer.concat(await answer.toArray())
  return { status: answer.statusCode, headers: answer.headers, bytes }
}

t.test('policies', async (t) => {
  const service = await start(t, ['--db', ':memory:', '--cors-origins', '*'])
  for (const { path, headers, html } of await readPages(service)) {
    await t.test(path, async (t) => {
      const policy = headers.get('content-security-policy')?.split('; ') ?? []
      for (const directive of [
        "default-src 'none'",
        "script-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        path === '/docs' ? "style-src 'self' 'unsafe-inline'" : "style-src 'self'",
      ]) {
        t.ok(policy.includes(directive), directive)
      }
      t.equal(headers.get('referrer-policy'), 'no-referrer')
      t.equal(headers.get('access-control-allow-origin'), null, 'other sites cannot read it')
      t.notMatch(html, /<style|\sstyle=|<script(?! type="module" src=)|\son\w+=|javascript:/)
      t.notMatch(html, /\{\{/)
    })
  }
})

// oxfmt-ignore
for (const [name, args, env, whoNeedsKey, hasIde] of [
  ['by default',    [],                 {},         'Reads need no key.',         true],
  ['AUTH=all',      ['--auth', 'all'],  {},         'Every request needs a key:', true],
  ['AUTH=off',      ['--auth', 'off'],  {},         'No request needs a key',     true],
  ['in production', [],                 production, 'Reads need no key.',         false],
  ['--ide off',     ['--ide', 'off'],   {},         'Reads need no key.',         false],
  ['--ide on',      ['--ide', 'on'],    production, 'Reads need no key.',         true],
] as const) {
  t.test(`pages ${name}`, async (t) => {
    const service = await start(t, [...args], { env })
    for (const { path, html } of await readPages(service)) {
      if (path === '/') t.match(html, whoNeedsKey)
      t.equal(html.includes('href="/graphql"'), hasIde, path)
      t.notMatch(html, /gw_/, 'no key is in a page')
    }
  })
}
