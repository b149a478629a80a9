import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { start } from '../service/started.js'
import type { Json } from '../../schema/serve-schema.js'
import { complaintsOf, openTab, skip, type Tab } from './chromium.js'

type Surface = 'graphql' | 'resource' | 'tool'

/** What the page shows once the last request has its response. */
async function settled(tab: Tab): Promise<Json> {
  await tab.until(`!/undefined|waiting/.test(document.querySelector('#status').dataset.kind)`)
  return tab.evaluate(`(() => {
    const parts = ['status', 'sentence', 'text', 'headers', 'curl', 'key-state', 'body-label']
    const shown = Object.fromEntries(parts.map((part) => [part, document.querySelector('#' + part).textContent]))
    const keyBox = document.querySelector('#key-box')
    return { ...shown, kind: document.querySelector('#status').dataset.kind, hasKeyField: keyBox.open }
  })()`)
}

async function choose(tab: Tab, surface: Surface, title: string): Promise<Json> {
  await tab.evaluate(`[...document.querySelectorAll('#${surface}-examples button')]
    .find((button) => button.textContent === ${JSON.stringify(title)}).click()`)
  return settled(tab)
}

async function submit(tab: Tab, fields: { readonly [name: string]: string } = {}): Promise<Json> {
  await tab.evaluate(`(() => {
    const form = document.querySelector('#request')
    const fields = ${JSON.stringify(fields)}
    for (const name in fields) form.elements.namedItem(name).value = fields[name]
    form.querySelector('.send').click()
  })()`)
  return settled(tab)
}

async function typeKey(tab: Tab, key: string): Promise<void> {
  await tab.evaluate(`(() => {
    const field = document.querySelector('#key')
    field.value = ${JSON.stringify(key)}
    field.dispatchEvent(new Event('input'))
  })()`)
}

const graphqlType = 'application/graphql-response\\+json; charset=utf-8'
const jsonType = 'application/(?:problem\\+)?json(?:; charset=utf-8)?'

// oxfmt-ignore
const examples: readonly (readonly [Surface, title: string, kind: string, status: string, text: string, sentence: string])[] = [
  ['graphql',  'A person and friends',   'done',    '200 OK',                    '"city": "Milan"',              'reply with a 200'],
  ['graphql',  'A page, with variables', 'done',    '200 OK',                    '"id": "13"',                   'reply with a 200'],
  ['graphql',  'Data and errors',        'partial', '294 Partial Success',       '"code": "BAD_USER_INPUT"',     'reply with a 294'],
  ['graphql',  'A mistake',              'refused', '422 Unprocessable Content', 'Cannot query field',           'does not pass GraphQL validation'],
  ['resource', 'A person',               'done',    '200 OK',                    '"name": "Ada Archer"',         'the request has succeeded'],
  ['resource', 'A page',                 'done',    '200 OK',                    '"id": "13"',                   'the request has succeeded'],
  ['resource', 'Not found',              'refused', '404 Not Found',             '"code": "NOT_FOUND"',          'did not find a current representation'],
  ['resource', 'A mistake',              'refused', '422 Unprocessable Content', '"parameter": "limit"',         'unable to process'],
  ['tool',     'List people',            'done',    '200 OK',                    '"structuredContent"',          'the request has succeeded'],
  ['tool',     'A person',               'done',    '200 OK',                    'Ada Archer',                   'the request has succeeded'],
  ['tool',     'A mistake',              'done',    '200 OK',                    'limit must be from 0 to 100',  'the request has succeeded'],
]

t.test('examples run in the page', { skip }, async (t) => {
  const service = await start(t)
  const tab = await openTab(t, `${service.origin}/`)
  const first = { kind: 'done', text: 'Ada Archer', hasKeyField: false }
  t.match(await settled(tab), first, 'the first one at once, without a key')
  t.same(complaintsOf(tab), [])

  for (const [surface, title, kind, status, text, sentence] of examples) {
    await t.test(`${surface}: ${title}`, async (t) => {
      const shown = await choose(tab, surface, title)
      const type = surface === 'graphql' ? graphqlType : jsonType
      t.match(shown.status, new RegExp(`^${status} · ${type} · \\d+ ms$`))
      t.match(shown, { kind, text, sentence, curl: /^curl -i 'http/, 'key-state': /^$/ })
      t.match(shown.headers, /^x-request-id: /m)
    })
  }

  for (const [surface, status, label] of [
    ['graphql', '294 Partial Success', 'Query'],
    ['resource', '401 Unauthorized', 'Body (JSON), not for GET'],
  ] as const) {
    await t.test(`${surface}: a write asks before it runs, and for a key`, async (t) => {
      const ready = await choose(tab, surface, 'A write')
      const asks = 'This example writes: press Send to run it.'
      const shown = { kind: 'ready', status: asks, text: /^$/, hasKeyField: true }
      t.match(ready, { ...shown, 'body-label': label })
      const sent = await submit(tab)
      t.match(sent, { status, text: '"UNAUTHENTICATED"', 'key-state': 'This request needs a key.' })
    })
  }

  for (const scheme of ['light', 'dark'] as const) {
    await t.test(`errors can be read in ${scheme}`, async (t) => {
      await tab.prefer(scheme)
      await tab.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`)
      t.same(await tab.violations(), [])
    })
  }

  await t.test('what is edited is sent', async (t) => {
    await choose(tab, 'graphql', 'A person and friends')
    t.match(await submit(tab, { body: '{ person(id: 2) { name } }' }), { text: 'Ada Bianchi' })
    const failed = { kind: 'failed', status: 'The variables are not JSON.', text: '' }
    t.match(await submit(tab, { variables: '{' }), failed)
    const path = '//elsewhere.example/person/1'
    const { status } = await submit(tab, { method: 'GET', path })
    t.equal(status, 'The path must begin with one slash.')
    t.match(await submit(tab, { method: 'GET', path: '/graphql' }), { kind: 'refused' })
    const { curl } = await submit(tab, { method: 'GET', path: 'person/1' })
    t.match(curl, `curl -i '${service.origin}/person/1'`)
    const stream = await submit(tab, { method: 'GET', path: '/people/changes' })
    t.match(stream, { kind: 'done', text: 'This is a stream' })
  })

  await t.test('with a key, both surfaces write', async (t) => {
    await typeKey(tab, service.demoKey)
    t.match(await choose(tab, 'graphql', 'A write'), { kind: 'ready' })
    t.match(await submit(tab), { kind: 'done', text: '"version": 2' })
    t.match(await choose(tab, 'resource', 'A write'), { kind: 'ready' })
    t.match(await (await service.ask('/person/1')).json(), { address: { city: 'Milan' } })
    const shown = await submit(tab)
    t.match(shown, { kind: 'done', text: '"city": "Rome"', curl: '-H "X-API-Key: $key"' })
    t.notMatch(shown.curl, service.demoKey)
    t.match(await (await service.ask('/person/1')).json(), { age: 36, address: { city: 'Rome' } })
  })

  await t.test('the command does the same', async (t) => {
    const { curl } = await submit(tab, { path: '/person/3', body: `{ "name": "O'Hara" }` })
    const env = { ...process.env, key: service.demoKey }
    const { stdout } = await promisify(execFile)('sh', ['-c', curl], { env })
    t.match(stdout, /^HTTP\/1\.1 200 OK[^]*O'Hara/)
  })

  const stored = '[localStorage.length, sessionStorage.length, document.cookie]'
  t.same(await tab.evaluate(stored), [0, 0, ''], 'nothing is stored')
})

t.test('the link with the demo key', { skip }, async (t) => {
  const service = await start(t, ['--auth', 'all'])
  const link = /^demo page: (\S+)$/m.exec(service.said.err)?.[1] ?? ''
  t.equal(link, `${service.origin}/#key=${service.demoKey}`)
  const tab = await openTab(t, link)
  t.match(await settled(tab), { kind: 'done', 'key-state': 'The key of the link is in use.' })
  t.equal(await tab.evaluate('location.href'), `${service.origin}/`, 'the key leaves the address')
  t.notOk(tab.log.requests.some((url) => url.includes(service.demoKey)))

  await t.test('without it nothing is sent where reads need a key', async (t) => {
    await tab.open('about:blank')
    await tab.open(`${service.origin}/`)
    const idle = `document.querySelector('#status').textContent + document.querySelector('#key-box').open`
    t.equal(await tab.evaluate(idle), 'No request has been sent yet.true')
    t.same(complaintsOf(tab), [])
  })

  await t.test('a key that is not valid is refused', async (t) => {
    await typeKey(tab, 'gw_revoked')
    const state = 'The service has refused this key'
    const refused = { status: /^401 Unauthorized · /, 'key-state': state }
    t.match(await choose(tab, 'resource', 'A person'), refused)
    t.same(await tab.violations(), [])
    await typeKey(tab, service.demoKey)
    const done = { status: /^200 OK · /, 'key-state': /^$/ }
    t.match(await choose(tab, 'resource', 'A person'), done)
  })
})
