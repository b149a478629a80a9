import { join } from 'node:path'
import t from 'tap'
import { freePort, relayTo } from '../access/services.js'
import { start, type Started } from '../service/started.js'
import { complaintsOf, openTab, skip, type Tab } from './chromium.js'

const kind = `document.querySelector('#state').dataset.kind`
const state = `document.querySelector('#state').textContent`

/** The ids of the people in the list, the first change first, and the notices between them. */
function read(tab: Tab): Promise<readonly string[]> {
  return tab.evaluate(`[...document.querySelectorAll('#changes > li')].reverse().map((entry) => {
    const change = entry.querySelector('pre')
    if (change === null) return entry.textContent
    const { kind, id, person } = JSON.parse(change.textContent)
    return [kind, id, person?.age].join(' ')
  })`)
}

async function untilListed(tab: Tab, count: number): Promise<readonly string[]> {
  await tab.until(`document.querySelectorAll('#changes > li').length >= ${count}`)
  return read(tab)
}

async function write({ send }: Started, id: number, age: number, key?: string): Promise<void> {
  const headers = key === undefined ? {} : { 'X-API-Key': key }
  const answer = await send('PATCH', `/person/${id}`, { age }, headers)
  if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`)
}

/** With a key and without one, the page goes on where it was. */
for (const auth of ['all', 'writes']) {
  t.test(`live changes with AUTH=${auth}`, { skip }, async (t) => {
    const place = ['--host', '127.0.0.1', '--port', String(await freePort())]
    const all = [...place, '--db', join(t.testdir(), 'people.db'), '--auth', auth]
    const service = await start(t, all)
    const { port } = new URL(service.origin)
    const road = (await relayTo(t, 'the service', Number(port)))!
    const key = auth === 'all' ? `#key=${service.demoKey}` : ''
    const tab = await openTab(t, `http://127.0.0.1:${road.port}/live${key}`)
    await tab.until(`${kind} === 'open'`)

    await write(service, 1, 21)
    await service.send('DELETE', '/person/50', undefined)
    t.same(await untilListed(tab, 2), ['CHANGED 1 21', 'REMOVED 50 '], 'changes made elsewhere')
    t.equal(await tab.evaluate(`document.querySelector('.differences').textContent`), '')

    await road.cut()
    await tab.until(`${kind} === 'waiting'`)
    t.match(await tab.evaluate(state), 'Connection lost. Connecting again')
    for (const age of [22, 23, 24]) await write(service, 1, age)
    await road.mend()
    await write(service, 1, 25)
    const missed = [22, 23, 24, 25].map((age) => `CHANGED 1 ${age}`)
    const seen = ['CHANGED 1 21', 'REMOVED 50 ', ...missed]
    t.same(await untilListed(tab, 6), seen, 'each change once, also those while it was away')
    const last = await tab.evaluate(`document.querySelector('.differences').textContent`)
    t.equal(last, 'age 24 → 25', 'what has changed')

    // The key of the first start is still valid, since the database is the same.
    t.equal(await service.stop(), 0)
    await tab.until(`${kind} === 'waiting'`)
    await write(await start(t, all), 2, 31, service.demoKey)
    t.same(await untilListed(tab, 7), [...seen, 'CHANGED 2 31'], 'the same after a restart')
    // The browser itself writes this for each attempt that fails.
    const lost = /net::ERR_(?:CONNECTION|INCOMPLETE|EMPTY|SOCKET)_\w+/
    t.notOk(complaintsOf(tab).some((text) => !lost.test(text)))
  })
}

t.test('a position that is too old', { skip }, async (t) => {
  const port = String(await freePort())
  const place = ['--host', '127.0.0.1', '--port', port, '--db', ':memory:']
  const first = await start(t, place)
  const tab = await openTab(t, `${first.origin}/live`)
  await tab.until(`${kind} === 'open'`)
  await write(first, 1, 21)
  await untilListed(tab, 1)
  await first.stop()
  // The database is another one, and so are the keys.
  const second = await start(t, place)
  const [, notice] = await untilListed(tab, 2)
  t.match(notice, /^Changes are missing here: .* no longer kept/)
  await write(second, 2, 31)
  t.equal((await untilListed(tab, 3))[2], 'CHANGED 2 31')
  await second.send('POST', '/person', { name: 'Mo' })
  await second.send('DELETE', '/person/50', undefined)
  await untilListed(tab, 5)
  await tab.evaluate(`document.querySelector('details').open = true`)
  for (const scheme of ['light', 'dark'] as const) {
    await tab.prefer(scheme)
    t.same(await tab.violations(), [])
  }
})

t.test('keys', { skip }, async (t) => {
  const service = await start(t, ['--auth', 'all'])
  const tab = await openTab(t, `${service.origin}/live`)
  await tab.until(`${kind} === 'refused'`)
  t.equal(await tab.evaluate(state), 'A key is required here. Enter one to follow the changes.')
  t.same(complaintsOf(tab), [], 'nothing was sent without one')
  t.same(await tab.violations(), [])
  await enterKey(tab, 'gw_wrong')
  await tab.until(`${state}.includes('401')`)
  t.match(await tab.evaluate(state), 'The key is invalid')
  await enterKey(tab, service.demoKey)
  await tab.until(`${kind} === 'open'`)
  t.equal(await tab.evaluate(`document.querySelector('#key-form').hidden`), true)
  await write(service, 1, 21)
  t.same(await untilListed(tab, 1), ['CHANGED 1 21'])
  const stored = '[localStorage.length, sessionStorage.length, document.cookie]'
  t.same(await tab.evaluate(stored), [0, 0, ''])
})

async function enterKey(tab: Tab, key: string): Promise<void> {
  await tab.evaluate(`(() => {
    document.querySelector('#key').value = ${JSON.stringify(key)}
    document.querySelector('#key-form').requestSubmit()
  })()`)
}

const canClear = `document.querySelector('#clear').checkVisibility()`

t.test('the list is bounded', { skip }, async (t) => {
  const service = await start(t, ['--rate-limit', 'off'])
  const tab = await openTab(t, `${service.origin}/live`)
  await tab.until(`${kind} === 'open'`)
  t.equal(await tab.evaluate(canClear), false, 'there is nothing to clear')
  for (let age = 0; age < 206; age += 1) await write(service, (age % 2) + 1, age >> 1)
  await tab.until(`document.querySelector('#count').textContent.startsWith('206 changes')`)
  const entries = await read(tab)
  t.equal(entries.length, 200)
  t.equal(entries.at(-1), 'CHANGED 2 102')
  const count = await tab.evaluate(`document.querySelector('#count').textContent`)
  t.equal(count, '206 changes, of which the last 200 are shown')
  t.equal(await tab.evaluate(canClear), true)
  await tab.evaluate(`document.querySelector('#clear').click()`)
  t.same(await read(tab), [])
})
