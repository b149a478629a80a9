import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import t, { type Test } from 'tap'
import { formatDiffHtml, reporters, type Report } from '../../../../src/conformance/index.js'
import { skip, withTab, type Tab } from '../../clients/drive-browser.js'
import { caseOf, everything, reportOf } from '../../../conformance/report-of.js'
import { transformationOf } from '../defects/defect.js'
import { runOn } from '../defects/start-server.js'
import { startStreamingServer, streamDefects } from '../defects/streaming.js'

/** Since axe skips what is hidden. */
const openAll = `for (const details of document.querySelectorAll('details')) details.open = true`

/** How much wider the page is than the window. */
const overhang = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Two editions of one target, with cases that differ. */
const older: Report = {
  ...reportOf(caseOf('core.good', { verdict: 'warn' }), caseOf('old.gone', { verdict: 'fail' })),
  edition: '2025-05',
}

const pages: readonly (readonly [name: string, html: () => string | Promise<string>])[] = [
  ['a report', () => reporters.html(everything)],
  ['a report of two editions', () => reporters.html(everything, { others: [older] })],
  ['a difference', () => formatDiffHtml(older, everything)],
  ['a report of streams', () => ofStreams().then(reporters.html)],
]

const maxMs = 120_000
void t.test('in a browser', { skip }, async (t) => {
  t.setTimeout(maxMs)
  await withTab((tab) => checkPages(t, tab), maxMs)
})

async function checkPages(t: Test, tab: Tab): Promise<void> {
  const folder = t.testdir()
  for (const [at, [name, html]] of pages.entries()) {
    const file = `${folder}/${at}.html`
    writeFileSync(file, await html())
    for (const width of [360, 1280]) {
      for (const scheme of ['light', 'dark'] as const) {
        await tab.resize(width, 900)
        await tab.prefer(scheme)
        await tab.open(pathToFileURL(file).href)
        await tab.evaluate(openAll)
        const title = `${name}, ${width} pixels, ${scheme}`
        t.same(await tab.violations(), [], `${title}: accessible`)
        t.equal(await tab.evaluate(overhang), 0, `${title}: as wide as the window`)
      }
    }
  }
  await checkFilter(t, tab, `${folder}/0.html`)
  await checkTimeline(t, tab, `${folder}/3.html`)
}

/** What is chosen is shown, without a script of the page. */
async function checkFilter(t: Test, tab: Tab, file: string): Promise<void> {
  await tab.open(pathToFileURL(file).href)
  const shown = `[...document.querySelectorAll('[data-verdict]')]
    .filter((one) => one.checkVisibility()).map((one) => one.dataset.verdict)`
  await tab.evaluate(`document.getElementById('show-warn').click()`)
  t.same(new Set((await tab.evaluate(shown)) as readonly string[]), new Set(['warn']))
}

/** Events come in the order of time, each with its place on a line and its text. */
async function checkTimeline(t: Test, tab: Tab, file: string): Promise<void> {
  await tab.open(pathToFileURL(file).href)
  const rows = (await tab.evaluate(`[...document.querySelectorAll('.finding .timeline li')]
    .filter((one) => one.checkVisibility())
    .map((one) => [one.querySelector('.at').textContent, one.querySelector('code').textContent])`)) as readonly (readonly [
    at: string,
    text: string,
  ])[]
  const times = rows.map(([at]) => Number(at))
  const sorted = times.toSorted((one, other) => one - other)
  t.same(times, sorted)
  t.match(rows[0], [/^\d+$/, /^→ /])
  t.ok(rows.some(([, text]) => text.startsWith('← event next {')))
}

/** A run against a server whose streams have a defect. */
async function ofStreams(): Promise<Report> {
  const server = await startStreamingServer(transformationOf(streamDefects, 'sse-complete-missing'))
  return runOn(server, { cases: ['sse.countdown'], standard: true })
}
