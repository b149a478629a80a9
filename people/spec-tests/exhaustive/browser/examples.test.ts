import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { start } from '../service/started.js'
import type { Json } from '../../schema/serve-schema.js'
import { openTab, skip, type Tab } from './chromium.js'

type Surface = 'graphql' | 'resource'

function read(tab: Tab, surface: Surface): Promise<Json> {
  return tab.evaluate(`(() => {
    const of = (part) => document.querySelector('#${surface}-' + part)
    const [text, headers, curl] = ['text', 'headers', 'curl'].map((part) => of(part).textContent)
    return { kind: of('status').dataset.kind, status: of('status').textContent, text, headers, curl }
  })()`)
}

/** Waits for the response of a request that was just sent. */
async function settled(tab: Tab, surface: Surface): Promise<Json> {
  const kind = `document.querySelector('#${surface}-status').dataset.kind`
  await tab.until(`![undefined, 'waiting'].includes(${kind})`)
  return read(tab, surface)
}

async function choose(tab: Tab, surface: Surface, title: string): Promise<Json> {
  await tab.evaluate(`[...document.querySelectorAll('#${surface}-examples button')]
    .find((button) => button.textContent === ${JSON.stringify(title)}).click()`)
  return settled(tab, surface)
}

type Fields = { readonly [name: string]: string }

async function fillIn(tab: Tab, surface: Surface, fields: Fields): Promise<Json> {
  await tab.evaluate(`(() => {
    const form = document.querySelector('#${surface}')
    const fields = ${JSON.stringify(fields)}
    for (const name in fields) form.elements.namedItem(name).value = fields[name]
    form.querySelector('.send').click()
  })()`)
  return settled(tab, surface)
}

async function typeKey(tab: Tab, key: string): Promise<void> {
  await tab.evaluate(`(() => {
    const field = document.querySelector('#key')
    field.value = ${JSON.stringify(key)}
    field.dispatchEvent(new Event('input'))
  })()`)
}

const keyState = `document.querySelector('#key-state').textContent`
const graphqlType = 'application/graphql-response\\+json; charset=utf-8'
const duration = String.raw`\d+ ms$`

// oxfmt-ignore
const examples: readonly (readonly [Surface, title: string, kind: string, status: string, text: string])[] = [
  ['graphql',  'A person and friends',   'done',    '200 OK',                    '"city": "Milan"'],
  ['graphql',  'A page, with variables', 'done',    '200 OK',                    '"id": "13"'],
  ['graphql',  'Data and errors',        'partial', '294 Partial Success',       '"code": "BAD_USER_INPUT"'],
  ['graphql',  'A mistake',              'refused', '422 Unprocessable Content', 'Cannot query field'],
  ['graphql',  'A write',                'partial', '294 Partial Success',       '"code": "UNAUTHENTICATED"'],
  ['resource', 'A person',               'done',    '200 OK',                    '"name": "Ada Archer"'],
  ['resource', 'A page',                 'done',    '200 OK',                    '"id": "13"'],
  ['resource', 'Not found',              'refused', '404 Not Found',             '"code": "NOT_FOUND"'],
  ['resource', 'A mistake',              'refused', '422 Unprocessable Content', '"parameter": "limit"'],
  ['resource', 'A write',                'refused', '401 Unauthorized',          '"code": "UNAUTHENTICATED"'],
]

t.test('examples run in the page', { skip }, async (t) => {
  const service = await start(t)
  const tab = await openTab(t)
  await tab.open(`${service.origin}/`)
  for (const surface of ['graphql', 'resource'] as const) {
    t.match(await settled(tab, surface), { kind: 'done', text: 'Ada Archer' }, 'the first at once')
  }
  t.same(tab.complaints, [])

  for (const [surface, title, kind, status, text] of examples) {
    await t.test(`${surface}: ${title}`, async (t) => {
      const shown = await choose(tab, surface, title)
      const type =
        surface === 'graphql' ? graphqlType : `application/(?:problem\\+)?json(?:; charset=utf-8)?`
      t.match(shown.status, new RegExp(`^${status} · ${type} · ${duration}`))
      t.equal(shown.kind, kind)
      t.match(shown.text, text)
      t.match(shown.headers, /^x-request-id: /m)
      t.match(shown.curl, /^curl -i 'http/)
      const told = title === 'A write' ? 'This request needs a key.' : ''
      t.equal(await tab.evaluate(keyState), told)
    })
  }

  for (const scheme of ['light', 'dark'] as const) {
    await t.test(`errors can be read in ${scheme}`, async (t) => {
      await tab.setScheme(scheme)
      await tab.evaluate(
        `document.querySelectorAll('details').forEach((details) => (details.open = true))`,
      )
      t.same(await tab.violations(), [])
    })
  }

  await t.test('what is edited is sent', async (t) => {
    t.match(await fillIn(tab, 'graphql', { query: '{ person(id: 2) { name } }' }), {
      text: 'Ada Bianchi',
    })
    const failed = { kind: 'failed', status: 'The variables are not JSON.', text: '' }
    t.match(await fillIn(tab, 'graphql', { variables: '{' }), failed)
    const path = '//elsewhere.example/person/1'
    const { status } = await fillIn(tab, 'resource', { method: 'GET', path })
    t.equal(status, 'The path must begin with one slash.')
    const stream = await fillIn(tab, 'resource', { method: 'GET', path: '/people/changes' })
    t.match(stream, { kind: 'done', text: 'This is a stream' })
  })

  await t.test('with a key, both surfaces write', async (t) => {
    await typeKey(tab, service.demoKey)
    t.match(await choose(tab, 'graphql', 'A write'), { kind: 'done', text: '"version": 2' })
    const shown = await choose(tab, 'resource', 'A write')
    t.match(shown, { kind: 'done', text: '"city": "Rome"', curl: '-H "X-API-Key: $key"' })
    t.notMatch(shown.curl, service.demoKey)
    t.match(await (await service.ask('/person/1')).json(), { age: 36, address: { city: 'Rome' } })
  })

  await t.test('the command does the same', async (t) => {
    const { curl } = await fillIn(tab, 'resource', {
      method: 'PATCH',
      path: '/person/3',
      body: `{ "name": "O'Hara" }`,
    })
    const env = { ...process.env, key: service.demoKey }
    const { stdout } = await promisify(execFile)('sh', ['-c', curl], { env })
    t.match(stdout, /^HTTP\/1\.1 200 OK[^]*O'Hara/)
  })

  const stored = '[localStorage.length, sessionStorage.length, document.cookie]'
  t.same(await tab.evaluate(stored), [0, 0, ''], 'nothing is stored')
})

t.test('the link with the demo key', { skip }, async (t) => {
  const service = await start(t, ['--auth', 'all'])
  const tab = await openTab(t)
  const link = /^demo page: (\S+)$/m.exec(service.said.err)?.[1] ?? ''
  t.equal(link, `${service.origin}/#key=${service.demoKey}`)
  await tab.open(link)
  t.match(await settled(tab, 'graphql'), { kind: 'done' })
  t.match(await settled(tab, 'resource'), { kind: 'done' })
  t.equal(await tab.evaluate('location.href'), `${service.origin}/`, 'the key leaves the address')
  t.equal(await tab.evaluate(keyState), 'The key of the link is in use.')
  t.notOk(tab.requested.some((url) => url.includes(service.demoKey)))

  await t.test('without it nothing is sent where reads need a key', async (t) => {
    await tab.open('about:blank')
    await tab.open(`${service.origin}/`)
    t.match(await read(tab, 'graphql'), { status: 'No request has been sent yet.' })
    t.same(tab.complaints, [])
  })

  await t.test('a key that is not valid is refused', async (t) => {
    await typeKey(tab, 'gw_revoked')
    t.match(await choose(tab, 'resource', 'A person'), { status: /^401 Unauthorized · / })
    t.match(await tab.evaluate(keyState), 'The service has refused this key')
    t.same(await tab.violations(), [])
    await typeKey(tab, service.demoKey)
    t.match(await choose(tab, 'resource', 'A person'), { status: /^200 OK · / })
    t.equal(await tab.evaluate(keyState), '')
  })
})
