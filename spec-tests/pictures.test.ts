import t from 'tap'
import { unclosed } from './conformance/reporters/check-page.js'
import { readRoot } from '../site/pages/read-root.js'

const root = new URL('../../', import.meta.url)

type Picture = Record<'file' | 'page', string> & { readonly draw: (page: string) => string }

const script = new URL('bench/pictures.mjs', root)
const { pictures } = (await import(script.href)) as { pictures: readonly Picture[] }

for (const { file, page, draw } of pictures) {
  const [svg = '', text = ''] = [file, page].map((name) => readRoot(`docs/reports/${name}`))

  void t.test(`${file} shows the figures of its page`, async (t) => {
    t.equal(svg, draw(text), 'npm run report:pictures')
    t.match(text, `](${file})`, 'and is shown there')
  })

  void t.test(`${file} loads nothing, says what it shows, and has dark colors`, async (t) => {
    t.same(unclosed(svg), [])
    t.notMatch(svg.replace('http://www.w3.org/2000/svg', ''), /<script|href|https?:|@import|url\(/)
    t.match(svg, /^<svg [^>]*role="img" aria-labelledby="title description"/)
    t.match(svg, /<title id="title">.{20,}<\/title>\n<desc id="description">.{100,}<\/desc>/)
    t.match(svg, '@media (prefers-color-scheme: dark)')
    t.notMatch(svg, /NaN|undefined|Infinity/)
  })
}

const conformance = pictures.find(({ file }) => file === 'conformance.svg')

void t.test('shares of a suite are as wide as its cases are many', async (t) => {
  const page = [
    '## Results of 2026-01-02',
    '### By suite, September 2026: pass / fail / warn',
    '| server | core | query-method |',
    '| --- | --: | --: |',
    '| <one> | 30 / 10 / 0 | - |',
    '| none | - | - |',
    '### Streams and sockets: pass / fail / warn',
    '| server | sse |',
    '| --- | --: |',
    '| two | 5 / 0 / 0 |',
  ].join('\n')
  const svg = conformance?.draw(page) ?? ''
  t.match(svg, '2026-01-02. ')
  t.match(svg, 'Requests: &lt;one&gt; 30 pass, 0 warn, 10 fail. ')
  t.match(svg, ' 10 fail. Streams and sockets: two 5 pass, 0 warn, 0 fail.')
  const rects = [...svg.matchAll(/<rect class="(\w+)" [^>]*width="([\d.]+)" height="13"/g)]
  const boxes = rects.slice(3).map(([, look, width]) => ({ look, width: Number(width) }))
  t.strictSame(boxes.map(({ look }) => look).join(), 'pass,fail,pass')
  const [pass = 0, fail = 0, whole] = boxes.map(({ width }) => width)
  t.equal(Math.round((pass - 2) / (fail - 2)), 3)
  t.ok(Number(whole) > pass + fail)
  t.match(svg, '<tspan class="failed">10 ✕</tspan>')
  t.match(svg, '<tspan class="faint">5</tspan>')
  t.notMatch(svg, '>none<')
})

void t.test('charts have the colors of the site', async (t) => {
  const { colors } = (await import(new URL('bench/plot.mjs', root).href)) as {
    readonly colors: { readonly [name: string]: readonly string[] }
  }
  const style = readRoot('site/.vitepress/theme/style.css')
  const own = { page: 'paper', text: 'ink', graphwire: 'accent', warned: 'partial' }
  const same = ['faint', 'line', 'peer', 'reference', 'pass', 'warn', 'fail']
  const pairs = [...Object.entries(own), ...same.map((name) => [name, name] as const)]
  for (const [name, variable] of pairs) {
    t.match(style, `--${variable}: light-dark(${colors[name]?.join(', ')});`)
  }
})

void t.test('servers are listed best first, those of some suites last', async (t) => {
  const { formatMatrix } = (await import(new URL('bench/peers/format-matrix.mjs', root).href)) as {
    formatMatrix(report: object): string
  }
  const peer = (name: string, fail: number, warn: number, suites?: readonly string[]): object => {
    const totals = { pass: 1, fail, warn, info: 0, skip: 0, error: 0 }
    const runs = [{ edition: '2026-09', totals, cases: [] }]
    return { name, suites, runs, versions: [], language: '', command: '' }
  }
  const peers = [peer('c', 2, 0), peer('d', 0, 0, ['sse']), peer('b', 1, 9), peer('a', 1, 3)]
  const text = formatMatrix({ date: '2026-01-02', node: '20', peers })
  const names = [...text.matchAll(/^\| (\w) \| 1 \|/gm)].map(([, name]) => name)
  t.same(names, ['a', 'b', 'c', 'd'])
})
