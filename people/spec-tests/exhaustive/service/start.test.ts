import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { startProcess } from '../service-process.js'
import { production, start, until } from './started.js'

const introspect = { query: '{ __schema { queryType { name } } }' }

t.test('a fresh folder is served with people in it, at once', async (t) => {
  const folder = t.testdir()
  const begun = performance.now()
  const service = await startProcess([], { cwd: folder })
  t.teardown(() => service.kill())
  // It takes 0.7 s on an idle machine; the limit allows for a busy one.
  const took = performance.now() - begun
  t.ok(took < 20_000, `listening after ${Math.round(took)} ms`)
  t.ok(existsSync(join(folder, 'data/people.db')), 'where nothing else is said')
  const people = await fetch(`${service.origin}/people?limit=100`)
  t.match(await people.json(), { 99: { id: '100' } })
  t.equal(service.said.out, '', 'stdout is for data')
})

t.test('the demo credentials are printed once, and nothing is lost', async (t) => {
  const args = ['--db', join(t.testdir(), 'people.db')]
  const first = await start(t, args)
  const [, login, password] = /^demo login: (\S+) \/ (\S+)$/m.exec(first.said.err) ?? []
  const loggedIn = await first.send('POST', '/login', { login, password })
  const { token } = (await loggedIn.json()) as { token: string }
  t.equal((await first.send('POST', '/person', { name: 'A' })).status, 201)
  t.equal(await first.stop(), 0)
  const second = await start(t, args)
  const existing = 'already exists; it was printed when it was created'
  const lines = `demo key: ${existing}\ndemo login: ${existing}\nStart page: `
  t.ok(second.said.err.startsWith(lines))
  t.equal((await second.ask('/person/101')).status, 200)
  const bearer = { Authorization: `Bearer ${token}` }
  const { status } = await second.send('POST', '/person', { name: 'B' }, bearer)
  t.equal(status, 401, 'a key of the first run signed it')
})

t.test('production has no seed, no demo, no introspection, and a log on stdout', async (t) => {
  const service = await start(t, [], { env: production })
  t.same(await (await service.ask('/people')).json(), [])
  const refused = await service.send('POST', '/graphql', introspect)
  t.match(await refused.json(), { errors: [{ message: /ntrospection/ }] })
  await until(() => service.said.out.includes('"route":"/graphql"'))
  for (const line of service.said.out.trim().split('\n')) t.equal(typeof JSON.parse(line), 'object')
  const seeded = await start(t, ['--seed'], { env: production })
  t.equal(((await (await seeded.ask('/people?limit=100')).json()) as object[]).length, 100)
  t.notMatch(seeded.said.err, 'demo')
})

// oxfmt-ignore
for (const [name, args, env, whoNeedsKey, hasIde] of [
  ['by default',                [],                {},         'Reads need no key.',         true],
  ['AUTH=all',                  ['--auth', 'all'], {},         'Every request needs a key:', true],
  ['AUTH=off',                  ['--auth', 'off'], {},         'No request needs a key',     true],
  ['without the IDE',           ['--ide', 'off'],  {},         'Reads need no key.',         false],
  ['in production',             [],                production, 'Reads need no key.',         false],
  ['in production with an IDE', ['--ide', 'on'],   production, 'Reads need no key.',         true],
] as const) {
  t.test(`the start names the pages that are served ${name}`, async (t) => {
    const service = await start(t, [...args], { env })
    const { origin } = service
    const lines = [
      `Start page: ${origin}/`,
      ...(hasIde ? [`GraphQL IDE: ${origin}/graphql`] : []),
      `API description: ${origin}/docs`,
      `Live changes: ${origin}/live`,
      `listening on ${origin}`,
    ]
    const said = service.said.err.trimEnd().split('\n')
    t.same(said.filter((line) => !line.startsWith('demo ')), lines)
    for (const line of lines.slice(0, -1)) {
      const url = line.slice(line.indexOf(': ') + 2)
      const page = await fetch(url, { headers: { Accept: 'text/html' } })
      t.match(page.headers.get('content-type'), 'text/html', url)
      const html = await page.text()
      t.notMatch(html, /gw_/, 'no key is in a page')
      if (url.endsWith('/graphql')) continue
      if (url === `${origin}/`) t.match(html, whoNeedsKey)
      t.equal(html.includes('href="/graphql"'), hasIde, url)
    }
  })
}
