import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { skip, withTab, type Tab } from '../clients/drive-browser.js'
import { programsAreRequired } from '../clients/find-program.js'
import { listenFor } from '../../hosts/start-node.js'

const maxMs = 300_000
t.setTimeout(maxMs)

const site = new URL('../../../../site/dist/', import.meta.url)

/** One page of each kind. */
// oxfmt-ignore
const pages = [
  'index', 'playground', 'start', 'limits', 'options', 'status/index', 'status/422',
  'codes/not-acceptable', 'decisions/index', 'people', 'servers/index',
  'servers/graphql-yoga', 'performance', 'reports/performance', '404',
].map((name) => `${name}.html`)

const schemes = ['light', 'dark'] as const
const looks = schemes.flatMap((scheme) => [360, 1280].map((width) => [width, scheme] as const))

const isAbsent = !existsSync(new URL('index.html', site)) && !programsAreRequired
const noSite = isAbsent && 'NO SITE HERE: run `npm run site` to test its pages.'
void t.test('the pages in a browser', { skip: noSite || skip }, (t) =>
  withTab((tab) => checkAll(t, tab), maxMs),
)

async function checkAll(t: Test, tab: Tab): Promise<void> {
  const below = await serveSite(t)
  for (const [width, scheme] of looks) {
    await setLook(tab, width, scheme)
    for (const path of pages) await checkPage(t, tab, below, path, `${width}, ${scheme}`)
  }
  for (const start of [below, site.href]) {
    const kind = new URL(start).protocol
    await setLook(tab, 1280, 'light')
    takeSeen(tab)
    for (const path of pages) {
      await tab.open(start + path)
      const { requests, complaints } = takeSeen(tab)
      t.same(complaints, [], `${kind} ${path}: no complaint`)
      const others = requests.filter((url) => !url.startsWith(start))
      t.same(others, [], `${kind} ${path}: asks no other origin`)
    }
    await tab.open(`${start}status/422.html`)
    await checkSearch(t, tab, start, kind)
    await checkTheme(t, tab, start, kind)
  }
  await checkFirstPage(t, tab, below)
  for (const [width, scheme] of looks) {
    await setLook(tab, width, scheme)
    await checkPlayground(t, tab, `${below}playground.html`, `${width}, ${scheme}`)
  }
  await checkPlayground(t, tab, `${site.href}index.html`, 'on the first page')
  await checkLink(t, tab, site.href)
  await checkMenu(t, tab, below)
  await checkMissing(t, tab, below)
}

async function checkPage(t: Test, tab: Tab, below: string, path: string, look: string) {
  await tab.open(below + path)
  t.same(await tab.violations(), [], `${path}, ${look}: accessible`)
  const isAsWide = 'document.documentElement.scrollWidth === document.documentElement.clientWidth'
  t.ok(await tab.evaluate(isAsWide), `${path}, ${look}: as wide as the window`)
}

/** From the search to a page, by keyboard. */
async function checkSearch(t: Test, tab: Tab, start: string, kind: string): Promise<void> {
  await tab.evaluate(`document.querySelector('button.search').click()`)
  await tab.until(`document.querySelector('dialog.find p').textContent === ''`)
  await tab.evaluate(`{
    const input = document.querySelector('dialog.find input')
    input.value = 'NOT_ACCEPTABLE'
    input.dispatchEvent(new Event('input'))
  }`)
  const first = await tab.evaluate(`document.querySelector('dialog.find li a')?.href`)
  t.equal(first, `${start}codes/not-acceptable.html`, `${kind} the search finds a code`)
  t.same(await tab.violations(), [], `${kind} the search is accessible`)
  t.same(takeSeen(tab).complaints, [], `${kind} the search has no complaint`)
}

async function checkTheme(t: Test, tab: Tab, start: string, kind: string): Promise<void> {
  const isDark = `getComputedStyle(document.body).backgroundColor === 'rgb(20, 24, 26)'`
  await tab.open(`${start}start.html`)
  t.equal(await tab.evaluate(isDark), false, `${kind} light, as the system asks`)
  await tab.evaluate(`document.querySelector('button.theme').click()`)
  t.equal(await tab.evaluate(isDark), true, `${kind} dark at a click`)
  await tab.open(`${start}errors.html`)
  t.equal(await tab.evaluate(isDark), true, `${kind} and on the next page`)
  await tab.evaluate('localStorage.clear()')
}

/** The page of 404 is shown at the path that was asked for, whatever it is. */
async function checkMissing(t: Test, tab: Tab, start: string): Promise<void> {
  const hasLinks = `document.querySelectorAll('a[data-href]').length > 10 &&
    [...document.querySelectorAll('a[data-href]')].every(({ href }) => href.startsWith('${start}'))`
  for (const path of ['none', 'none.html', 'status/none/', 'a/b/c/d/none.html?a=/b/', '404.html']) {
    // It is one page wherever it is shown: only what it loads depends on the path.
    for (const [width, scheme] of path === 'none' ? looks : looks.slice(0, 1)) {
      const look = `${width}, ${scheme}`
      await setLook(tab, width, scheme)
      takeSeen(tab)
      await checkPage(t, tab, start, path, look)
      await tab.until(hasLinks)
      const [color, isSticky] = (await tab.evaluate(`[
        getComputedStyle(document.body).backgroundColor,
        getComputedStyle(document.querySelector('header')).position === 'sticky',
      ]`)) as [string, boolean]
      t.equal(color, scheme === 'dark' ? 'rgb(20, 24, 26)' : 'rgb(255, 255, 255)', path)
      t.ok(isSticky, `${path}, ${look}: has its styles`)
      const { requests } = takeSeen(tab)
      const others = requests.filter((url) => !url.startsWith(start) && !url.startsWith('data:'))
      t.same(others, [], `${path}, ${look}: asks nothing outside of the site`)
    }
    const home = `document.querySelector('main p a').href`
    t.equal(await tab.evaluate(home), `${start}index.html`, `${path} links to the first page`)
  }
  await tab.open(`${start}a/b/none.html`)
  await tab.until(hasLinks)
  takeSeen(tab)
  await checkSearch(t, tab, start, '404')
}

/** What it is, a server, and what it answers are in one screen of 1280 x 800. */
async function checkFirstPage(t: Test, tab: Tab, start: string): Promise<void> {
  await setLook(tab, 1280, 'light')
  await tab.open(`${start}index.html`)
  await tab.until(status)
  const ends = await tab.evaluate<number[]>(
    `[...document.querySelectorAll('.pitch :is(h1, pre, .status)')].map((one) => one.getBoundingClientRect().bottom)`,
  )
  t.equal(ends.length, 5, 'a title, a server, commands, a status and its body')
  t.ok(Math.max(...ends) <= 800, `they end at ${Math.max(...ends)}`)
  const names = await tab.evaluate<string[]>(
    `[...document.querySelectorAll('.bars .own')].map(({ textContent }) => textContent)`,
  )
  const own = ['16', '17'].flatMap((major) => [`graphwire ${major}`, `graphwire compiled ${major}`])
  t.strictSame(names.toSorted(), own.toSorted(), 'the bars in our color')
  const terminal = await tab.evaluate<string>(`document.querySelector('.terminal').textContent`)
  checkTerminal(t, terminal)
}

/** What the terminal on the first page shows is what the binary prints. */
function checkTerminal(t: Test, shown: string): void {
  const folder = t.testdir({ 'schema.graphql': 'type Query { hello: String }' })
  const args = ['explain', join(folder, 'schema.graphql'), '--', '--json', '{"query":"{ nope }"}']
  const printed = execFileSync(process.execPath, [binary, ...args], { encoding: 'utf8' })
  const [, ...lines] = shown.split(/\n(?=422)/)
  const parts = lines.join('').split('\n...\n')
  t.ok(parts.length > 1)
  for (const part of parts) t.ok(printed.includes(part), part)
}

const binary = fileURLToPath(new URL('../../../src/cli/main.js', import.meta.url))

const status = `document.querySelector('.answer .status')?.textContent`

// oxfmt-ignore
const presets: readonly (readonly [name: string, status: string, sentence: string | undefined])[] = [
  ['200',    '200 OK',                     'SC-4'],
  ['294',    '294 Partial Success',        'SC-5'],
  ['406',    '406 Not Acceptable',         'SC-10'],
  ['415',    '415 Unsupported Media Type', 'SC-9'],
  ['422',    '422 Unprocessable Content',  'SC-17'],
  ['Stream', '200 OK',                     'SS-8'],
]

/** Each preset of the playground has its status, and cites a sentence; the page remains accessible. */
async function checkPlayground(t: Test, tab: Tab, url: string, look: string): Promise<void> {
  takeSeen(tab)
  await tab.open(url)
  for (const [name, expected, sentence] of presets) {
    await press(tab, name)
    await tab.until(`${status} === '${expected}'`)
    const cited = await tab.evaluate<string>(`document.querySelector('cite a').textContent`)
    t.equal(cited.split(' ')[0], sentence, `${look}: ${name} is ${expected}`)
    if (name === 'Stream') {
      await tab.until(`document.querySelector('.answer pre').textContent.includes('complete')`)
    }
    t.same(await tab.violations(), [], `${look}: ${name} is accessible`)
  }
  await press(tab, '294')
  await choose(tab, 'select[id$=edition]', '2025-05')
  await tab.until(`${status} === '200 OK'`)
  const { requests, complaints } = takeSeen(tab)
  t.same(complaints, [], `${look}: no complaint`)
  const origin = new URL(url).href.replace(/[^/]*$/, '')
  const isOwn = requests.every((one) => one.startsWith(origin))
  t.ok(isOwn, `${look}: asks no other origin`)
}

/** The link of the small playground opens the same request in the large one, from a file system, too. */
async function checkLink(t: Test, tab: Tab, start: string): Promise<void> {
  await tab.open(`${start}index.html`)
  await press(tab, '406')
  await tab.until(`${status}?.startsWith('406')`)
  const link = await tab.evaluate<string>(`document.querySelector('.playground form a').href`)
  await tab.open(link)
  await tab.until(`${status}?.startsWith('406')`)
  await choose(tab, 'select[id$=method]', 'DELETE')
  await tab.until(`${status}?.startsWith('405')`)
  const steps = await tab.evaluate<string>(`document.querySelector('.stages').textContent`)
  t.match(steps, /requestLine\s*refused\s*DELETE [^]*graphql$/)
}

async function press(tab: Tab, name: string): Promise<void> {
  const buttons = `[...document.querySelectorAll('.presets button')]`
  await tab.until(status)
  await tab.evaluate(`${buttons}.find((one) => one.textContent.trim() === '${name}').click()`)
}

async function choose(tab: Tab, select: string, value: string): Promise<void> {
  await tab.evaluate(`{
    const select = document.querySelector('${select}')
    select.value = '${value}'
    select.dispatchEvent(new Event('change'))
  }`)
}

/** In a narrow window the menu covers the page, and scrolls to its last entry. */
async function checkMenu(t: Test, tab: Tab, start: string): Promise<void> {
  await tab.resize(360, 740)
  for (const path of ['index.html', 'playground.html', 'start.html']) {
    await tab.open(start + path)
    await tab.evaluate(`document.querySelector('a.menu').click()`)
    const end = await tab.evaluate<number>(`{
      const menu = document.querySelector('.contents:target')
      menu.scrollTo(0, menu.scrollHeight)
      menu.querySelector('section:last-child a:last-of-type').getBoundingClientRect().bottom
    }`)
    t.ok(end > 0 && end <= 740, `${path}: the last entry of the menu ends at ${end}`)
  }
}

async function setLook(tab: Tab, width: number, scheme: 'light' | 'dark'): Promise<void> {
  await tab.resize(width, 900)
  await tab.prefer(scheme)
}

/** What the page has requested since this was last asked, and what the console complains about. */
function takeSeen({ log }: Tab) {
  const complaints = [...log.faults.splice(0), ...log.failedRequests.splice(0)]
  return { requests: log.requests.splice(0), complaints }
}

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** Serves the site below a path, which no page knows. */
async function serveSite(t: Test): Promise<string> {
  const server = createServer(({ url = '' }, outgoing) => {
    const [path = ''] = url.split('?')
    const file = new URL(path.replace('/some/where/', './'), site)
    const isFound = path.startsWith('/some/where/') && extname(path) !== '' && existsSync(file)
    const type = isFound ? types[extname(path)] : types['.html']
    outgoing
      .writeHead(isFound ? 200 : 404, { 'Content-Type': type ?? 'text/plain' })
      .end(readFileSync(isFound ? file : new URL('404.html', site)))
  })
  return `http://127.0.0.1:${await listenFor(t, server)}/some/where/`
}
