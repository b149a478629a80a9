import t from 'tap'
import { start } from './service/started.js'

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

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
      t.match(answer.headers.get('content-security-policy'), "default-src 'none'")
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
    const html = await (await service.ask('/', { headers: { Accept: browser } })).text()
    const linked = [...html.matchAll(/href="(\/[^"]*)"/g)].map(([, path = '']) => path)
    t.ok(linked.length >= 5)
    const key = { 'X-API-Key': service.demoKey }
    for (const path of linked) {
      t.equal((await service.ask(path, { headers: key })).status, 200, path)
    }
  })

  for (const [path, accept] of [
    ['/', '*/*'],
    ['/', browser],
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

  for (const path of ['/', '/openapi.json', '/metrics']) {
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

  for (const path of ['/', '/openapi.json', '/metrics', '/login', '/graphql', '/person/1']) {
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
