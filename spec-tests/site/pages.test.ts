import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import axe from 'axe-core'
import t, { type Test } from 'tap'
import { withPage, type BrowserPage } from '../clients/browser-page.js'
import { findProgram, programsAreRequired } from '../clients/find-program.js'

t.setTimeout(300_000)

const site = new URL('../../../site/dist/', import.meta.url)

/** The rules that the page breaks, each with its elements. */
// It would request the styles once more, which a file system refuses.
const violations = `axe.run({ preload: false }).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' ')))`

/** One page of each kind. */
const pages = [
  'index.html',
  'start.html',
  'limits.html',
  'options.html',
  'status/index.html',
  'status/422.html',
  'codes/not-acceptable.html',
  'decisions/index.html',
  'people.html',
  'performance.html',
  'reports/performance.html',
  '404.html',
]

const browser = findProgram('chromium', 'chromium-browser', 'google-chrome')
const isBuilt = existsSync(new URL('index.html', site))
if (browser !== undefined && isBuilt) {
  void t.test('the pages in a browser', (t) => withPage(browser, (page) => checkAll(t, page)))
} else {
  const reason = isBuilt
    ? 'NO BROWSER HERE: install the package chromium to test the pages.'
    : 'NO SITE HERE: run `npm run site` to test its pages.'
  if (programsAreRequired) t.fail(reason)
  else t.comment(reason)
  void t.test('the pages in a browser', { skip: reason }, neverRuns)
}

async function checkAll(t: Test, page: BrowserPage): Promise<void> {
  const below = await serveSite(t)
  for (const width of [360, 1280]) {
    for (const scheme of ['light', 'dark'] as const) {
      await page.look(width, scheme)
      for (const path of pages) await checkPage(t, page, below, path, `${width}, ${scheme}`)
    }
  }
  for (const start of [below, site.href]) {
    const kind = new URL(start).protocol
    await page.look(1280, 'light')
    page.takeSeen()
    for (const path of pages) {
      await page.open(start + path)
      const { requests, complaints } = page.takeSeen()
      t.same(complaints, [], `${kind} ${path}: no complaint`)
      t.ok(
        requests.every((url) => url.startsWith(start)),
        `${kind} ${path}: asks no other origin`,
      )
    }
    await page.open(`${start}status/422.html`)
    await checkSearch(t, page, start, kind)
    await checkTheme(t, page, start, kind)
  }
  await checkFirstPage(t, page, below)
  await checkMissing(t, page, below)
}

async function checkPage(
  t: Test,
  page: BrowserPage,
  below: string,
  path: string,
  look: string,
): Promise<void> {
  await page.open(below + path)
  await page.evaluate(axe.source)
  t.same(await page.evaluate(violations), [], `${path}, ${look}: accessible`)
  t.equal(
    await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    ),
    0,
    `${path}, ${look}: as wide as the window`,
  )
}

/** From the search to a page, by keyboard. */
async function checkSearch(t: Test, page: BrowserPage, start: string, kind: string): Promise<void> {
  await page.evaluate(`document.querySelector('button.search').click()`)
  await until(page, `document.querySelector('dialog.find p').textContent === ''`)
  await page.evaluate(`{
    const input = document.querySelector('dialog.find input')
    input.value = 'NOT_ACCEPTABLE'
    input.dispatchEvent(new Event('input'))
  }`)
  const first = await page.evaluate(`document.querySelector('dialog.find li a')?.href`)
  t.equal(first, `${start}codes/not-acceptable.html`, `${kind} the search finds a code`)
  await page.evaluate(axe.source)
  t.same(await page.evaluate(violations), [], `${kind} the search is accessible`)
  t.same(page.takeSeen().complaints, [], `${kind} the search has no complaint`)
}

async function checkTheme(t: Test, page: BrowserPage, start: string, kind: string): Promise<void> {
  const isDark = `getComputedStyle(document.body).backgroundColor === 'rgb(20, 24, 26)'`
  await page.open(`${start}start.html`)
  t.equal(await page.evaluate(isDark), false, `${kind} light, as the system asks`)
  await page.evaluate(`document.querySelector('button.theme').click()`)
  t.equal(await page.evaluate(isDark), true, `${kind} dark at a click`)
  await page.open(`${start}errors.html`)
  t.equal(await page.evaluate(isDark), true, `${kind} and on the next page`)
  await page.evaluate('localStorage.clear()')
}

/** The page of 404 is shown at the path that was asked for, whatever it is. */
async function checkMissing(t: Test, page: BrowserPage, start: string): Promise<void> {
  const hasLinks = `document.querySelectorAll('a[data-href]').length > 10 &&
    [...document.querySelectorAll('a[data-href]')].every(({ href }) => href.startsWith('${start}'))`
  for (const path of ['none', 'none.html', 'status/none/', 'a/b/c/d/none.html?a=/b/', '404.html']) {
    for (const width of [360, 1280]) {
      for (const scheme of ['light', 'dark'] as const) {
        const look = `${width}, ${scheme}`
        await page.look(width, scheme)
        page.takeSeen()
        await checkPage(t, page, start, path, look)
        await until(page, hasLinks)
        const [color, isSticky] = (await page.evaluate(`[
          getComputedStyle(document.body).backgroundColor,
          getComputedStyle(document.querySelector('header')).position === 'sticky',
        ]`)) as [string, boolean]
        t.equal(color, scheme === 'dark' ? 'rgb(20, 24, 26)' : 'rgb(255, 255, 255)', path)
        t.ok(isSticky, `${path}, ${look}: has its styles`)
        const { requests } = page.takeSeen()
        const others = requests.filter((url) => !url.startsWith(start) && !url.startsWith('data:'))
        t.same(others, [], `${path}, ${look}: asks nothing outside of the site`)
      }
    }
    const home = `document.querySelector('main p a').href`
    t.equal(await page.evaluate(home), `${start}index.html`, `${path} links to the first page`)
  }
  await page.open(`${start}a/b/none.html`)
  await until(page, hasLinks)
  page.takeSeen()
  await checkSearch(t, page, start, '404')
}

/** What it is, one command, and both pictures are in one screen of 1280 x 800. */
async function checkFirstPage(t: Test, page: BrowserPage, start: string): Promise<void> {
  await page.look(1280, 'light')
  await page.open(`${start}index.html`)
  const ends = (await page.evaluate(
    `[...document.querySelectorAll('.home h1, .home pre, .home figure svg')].map((one) => one.getBoundingClientRect().bottom)`,
  )) as number[]
  t.equal(ends.length, 5, 'a title, two commands, two pictures')
  t.ok(Math.max(...ends) <= 800, `they end at ${Math.max(...ends)}`)
}

async function until(page: BrowserPage, condition: string): Promise<void> {
  await page.evaluate(`new Promise((resolve) => {
    const look = () => (${condition} ? resolve() : requestAnimationFrame(look))
    look()
  })`)
}

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
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
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/where/`
}

function neverRuns(): void {}
