import t, { type Test } from 'tap'
import { readReport, reporters } from '../../../src/conformance/index.js'
import type { CaseReport, Report, ReporterName } from '../../../src/conformance/index.js'
import { groupFindings } from '../../../src/conformance/reporters/digest/digest.js'
import { breakable } from '../../../src/conformance/reporters/html/markup.js'
import { toPlainSentence, toPrintable } from '../../../src/conformance/reporters/words/printable.js'
import { caseOf, everything, nasty, reportOf, schemaFaults } from '../report-of.js'
import { checkPage, unclosed } from './check-page.js'

const { spec: cited } = caseOf('a')
const names = Object.keys(reporters) as ReporterName[]
// oxlint-disable-next-line no-control-regex -- control characters are what must not be there
const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u202e\ufeff\u{1ffff}]|\p{Cs}/u

const totals = {
  pretty: '\n  September 2026  1 pass\n  HTTP            1 fail\n  no text         1 pass\n',
  tap: '\n# September 2026: 1 pass\n# HTTP: 1 fail\n# no text: 1 pass\n',
  junit: '<property name="cases of September 2026" value="1 pass"/>',
  markdown:
    '| cite September 2026 | 1 |  |  |  |  |  | 1 |\n| cite HTTP |  | 1 |  |  |  |  | 1 |\n| cite no text | 1 |',
  html: '<th scope="row">cite HTTP</th>\n<td class="none">0</td><td class="fail">1</td><td>1</td>',
} as const

for (const name of names) {
  void t.test(`${name} says what a report has, and is not changed by a target`, async (t) => {
    const text = reporters[name](everything)
    t.ok(text.endsWith('\n'))
    t.notMatch(text, unprintable)
    t.match(reporters[name](reportOf()), name === 'json' ? '2026-09' : 'September 2026')
    if (name === 'json' || name === 'badge') return
    const { layer: _, ...uncited } = caseOf('c')
    const layers = reportOf(caseOf('a'), caseOf('b', { layer: 'http', verdict: 'fail' }), uncited)
    t.match(reporters[name](layers), totals[name], 'the totals of each text add up')
    if (name === 'pretty') return
    for (const { id, verdict } of everything.cases) {
      if (name !== 'markdown' || verdict === 'fail' || verdict === 'warn') t.match(text, id)
    }
  })
}

void t.test('a sentence is shown with the text of its links', async (t) => {
  t.equal(toPlainSentence('see [f()](<https://a/#f()>) and [b](https://c/d(e)).'), 'see f() and b.')
  t.equal(toPlainSentence('a list [1, 2] stays'), 'a list [1, 2] stays')
})

void t.test('json is what the schema says, and can be read back', async (t) => {
  const text = reporters.json(everything)
  t.equal(schemaFaults(text), null)
  t.same(readReport(text), JSON.parse(JSON.stringify(everything)))
  for (const wrong of [
    { ...everything, totals: {} },
    { ...everything, layers: { edition: everything.totals } },
    { ...everything, edition: '2020' },
    reportOf(caseOf('a', { message: 'passes, and yet says why' })),
    reportOf(caseOf('a', { verdict: 'fail', message: '' })),
  ]) {
    t.ok(schemaFaults(JSON.stringify(wrong)))
  }
})

const [aCase] = reportOf(caseOf('a')).cases
const aTime = { at: 1, by: 'target', text: 'x' }

// oxfmt-ignore
const unreadable: readonly [text: string, message: RegExp][] = [
  ['',                               /^not valid JSON: /],
  ['[]',                             /^not a report: expected the output of /],
  ['{}',                             /^not a report: expected the output of /],
  ['{"cases":1}',                    /^not a report: expected the output of /],
  ['{"cases":[]}',                   /: it has no valid target$/],
  [reportWith({ target: undefined }), /: it has no valid target$/],
  [reportWith({ startedAt: 1 }),     /: it has no valid startedAt$/],
  [reportWith({ diagnosis: {} }),    /: it has no valid diagnosis$/],
  [reportWith({ cases: [null] }),    /: cases\[0\] has no valid id$/],
  [reportWith({ cases: [aCase, { ...aCase, id: 1 }] }),       /: cases\[1\] has no valid id$/],
  [reportWith({ cases: [{ ...aCase, message: null }] }),      /: cases\[0\] has no valid message$/],
  [reportWith({ cases: [{ ...aCase, verdict: 'good' }] }),    /: cases\[0\] has no valid verdict$/],
  [reportWith({ cases: [{ ...aCase, spec: { quote: 1 } }] }), /: cases\[0\] has no valid spec$/],
  [reportWith({ cases: [{ ...aCase, spec: undefined }] }),    /: cases\[0\] has no valid spec$/],
  [reportWith({ cases: [{ ...aCase, evidence: { sent: 'x' } }] }),     /: cases\[0\] has no valid evidence$/],
  [reportWith({ cases: [withTimeline({ markup: '<b>' })] }),           /: cases\[0\] has no valid evidence$/],
  [reportWith({ cases: [withTimeline([{ ...aTime, at: '1' }])] }),     /: cases\[0\] has no valid evidence$/],
  [reportWith({ cases: [withTimeline([aTime, { ...aTime, by: 1 }])] }), /: cases\[0\] has no valid evidence$/],
]

function reportWith(members: object): string {
  return JSON.stringify({ ...reportOf(), ...members })
}

function withTimeline(timeline: unknown): object {
  return { ...aCase, evidence: { sent: 'x', received: 'y', timeline } }
}

for (const [text, message] of unreadable) {
  void t.test(`a file is refused as a report: ${message.source}`, async (t) => {
    t.throws(() => readReport(text), { name: 'TypeError', message })
  })
}

void t.test('tap numbers the cases and fails for fails and errors only', async (t) => {
  const lines = reporters.tap(everything).split('\n')
  t.same(lines.slice(0, 2), ['TAP version 14', '1..8'])
  // oxfmt-ignore
  t.same(lines.filter((line) => /^(?:not )?ok/.test(line)), [
      'ok 1 - core.good: The title of core.good',
      'not ok 2 - core.bad: The title of core.bad',
      'ok 3 - core.absent: The title of core.absent # SKIP the target has no get',
      'ok 4 - core.away: The title of core.away # SKIP the target has no get',
      'not ok 5 - get.weak: The title of get.weak # TODO breaks a SHOULD only',
      'not ok 6 - get.note: The title of get.note # TODO for information',
      'not ok 7 - get.known: The title of get.known # TODO known failure: issue 12 ' +
        toPrintable(nasty).replaceAll(/[\\#]/g, String.raw`\$&`),
      'not ok 8 - raw.broken: The title of raw.broken',
  ])
  const yaml = lines.slice(lines.indexOf('  ---'), lines.indexOf('  ...'))
  t.ok(yaml.includes('  sent: |2-'))
  t.ok(yaml.every((line) => line.startsWith('  ')))
})

void t.test('junit is well-formed and counts what the report counts', async (t) => {
  const text = reporters.junit(everything)
  t.same(unclosed(text.replace(/^<\?.*\?>/, '')), [])
  t.match(text, 'tests="8" failures="1" errors="1" skipped="2" time="1.234"')
  t.match(text, '<testsuite name="core" tests="4" failures="1" errors="0" skipped="2"')
  t.match(text, '<system-out>warn: why get.weak is a warn')
  const timeless = 'classname="conformance.raw" time="0.000">'
  t.match(text, `${timeless}\n      <error message="Error: a bug" type="MUST">`)
  const [slow, quick] = [caseOf('a.b', { durationMs: 1500 }), caseOf('a.c', { durationMs: 20 })]
  const timed = reporters.junit(reportOf(slow, quick))
  t.match(timed, /<testsuite name="a" [^>]* time="1\.520"/)
  t.match(timed, /<testcase name="a\.b: [^>]* time="1\.500"/)
})

const two = caseOf('a.two', { verdict: 'warn', message: nasty })
const old = reportOf(caseOf('a.one'), two, caseOf('b.old', { verdict: 'fail' }))
const older = { ...old, edition: '2025-05' }

void t.test('html shows editions side by side: each suite, and what differs', async (t) => {
  const newer = reportOf(caseOf('a.one'), caseOf('a.two'), caseOf('c.new', { verdict: 'skip' }))
  const text = reporters.html(newer, { others: [older] })
  checkPage(t, text)
  const [, section = ''] = /<section id="editions">([^]*?)<\/section>/.exec(text) ?? []
  const textOf = (row: string) => row.replaceAll(/(?:\s|<[^>]*>)+/g, ' ').trim()
  const rows = [...section.matchAll(/<tr>([^]*?)<\/tr>/g)].map(([, row = '']) => textOf(row))
  const message = rows[6]?.slice('The title of a.two a.two pass warn '.length)
  t.match(message, /^&lt;\/pre&gt;&lt;script&gt;/)
  t.same(rows, [
    'Suites September 2026 May 2025 (draft)',
    `Result ${conclusionOf(newer)} ${conclusionOf(older)}`,
    'a 2 pass 1 pass, 1 warn',
    'c 1 skip none',
    'b none 1 fail',
    'Cases September 2026 May 2025 (draft)',
    `The title of a.two a.two pass warn ${message}`,
    'The title of c.new c.new skip why c.new is a skip not part of it',
    'The title of b.old b.old not part of it fail why b.old is a fail',
  ])
  t.match(section, '1 case with the same verdict in all of these editions.')
})

function conclusionOf(report: Report): string {
  const [, text = ''] = /<p class="conclusion \w+">(.*?)<\/p>/.exec(reporters.html(report)) ?? []
  return text
}

const sent = { at: 0, by: 'runner', text: 'POST /graphql' } as const
const came = { at: 600, by: 'target', text: 'event next <b>' } as const
const streamed = { sent: 'POST /graphql', received: 'HTTP 200', timeline: [sent, came] }
const bare = { sent: 'GET /', received: 'HTTP 200' }
const ruled = cited && { ...cited, rule: 'A `4xx`.' }
const evil = cited && { ...cited, source: 'javascript:alert(1)' }

// oxfmt-ignore
const texts: readonly [title: string, make: () => string, has: readonly (string | RegExp)[], lacks?: string][] = [
  ['markdown lets no target break out of its code', () => reporters.markdown(everything), [
    '| `core` | 1 | 1 |  |  | 2 |  | 4 |',
    '````http\nPOST / HTTP/1.1',
    '> The server MUST halt with a `4xx` _status code_.',
  ]],
  ['markdown mentions no account', () => reporters.markdown(reportOf(caseOf('a', { verdict: 'fail', title: '@skip <b>' }))), [
    '@<!-- -->skip &lt;b>: `',
  ]],
  ['html shows what came of a stream as a timeline', () => reporters.html(reportOf(caseOf('sse.early', { verdict: 'fail', evidence: streamed }))), [
    /<ol[^>]*>\n*<li class="runner">\n<span class="at">0<\/span>(?:(?!<li)[^])*<li class="target">\n<span class="at">600<\/span>(?:(?!<li)[^])*<\/ol>/,
    '<i style="left:100%"></i>',
    '<code>← event next &lt;b&gt;</code>',
  ]],
  ['html quotes what a target says, and links to the sentence', () => reporters.html(everything), [
    '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;',
    'The server MUST halt with a <code>4xx</code> <em>status code</em>.',
    'href="https://github.com/graphql/graphql-over-http"',
  ]],
  ['html has no editions side by side without others', () => reporters.html(older), ['id="findings"'], 'id="editions"'],
  ['the filter of html searches its form, not the body', () => reporters.html(everything), ['.filter:has(#show-fail:checked) ~ section'], 'body:has('],
  ['html links to nothing but the web', () => reporters.html(reportOf(caseOf('a', { verdict: 'fail', spec: evil }))), ['id="findings"'], 'href="javascript'],
  ['html has a table that adds up, contents, and how to mend a finding', () => reporters.html(reportOf(
    caseOf('a.x'),
    caseOf('a.y', { verdict: 'fail', spec: ruled, evidence: { ...bare, command: "curl -i 'http://a/'" } }),
  )), [
    '<th scope="row">all</th>\n<td class="pass">1</td><td class="fail">1</td><td>2</td>',
    '<a href="#findings">Findings (1)</a>',
    '<dd>breaks a MUST</dd>',
    '<dt>A correct server</dt>\n<dd>A <code>4xx</code>.</dd>',
    '<pre tabindex="0">curl -i &#39;http://a/&#39;</pre>',
    'graphwire conform URL --case a.y',
  ]],
  ['verbose, pretty shows the bytes of both sides and cases that pass', () => reporters.pretty(everything, { verbose: true }), [
    '         > POST / HTTP/1.1\n         >\n',
    '         < HTTP 200\n',
    '  PASS   core.good',
    '         core.absent\n',
  ]],
  ['a finding that no command can send names its case', () => reporters.pretty(reportOf(caseOf('a', { ...same, evidence: bare }))), [
    '\n         $ graphwire conform URL --case a --verbose\n',
  ]],
]

for (const [title, make, has, lacks] of texts) {
  void t.test(title, async (t) => {
    const text = make()
    if (title.startsWith('html')) checkPage(t, text)
    for (const part of has) t.match(text, part)
    if (lacks !== undefined) t.notMatch(text, lacks)
  })
}

void t.test('an address is broken behind its parts', async (t) => {
  const { markup } = breakable('http://127.0.0.1:4000/graphql?a=<b>')
  t.equal(markup, 'http://127.0.0.1:<wbr />4000/<wbr />graphql?<wbr />a=&lt;b&gt;')
  t.equal(breakable('core.body.null').markup, 'core.<wbr />body.<wbr />null')
})

void t.test('pretty has failures first, then the suites, and ends with a sentence', async (t) => {
  const text = reporters.pretty(everything)
  const [, ...lines] = text.split('\n').filter((line) => /^\S|^ {2}[A-Z]/.test(line))
  // oxfmt-ignore
  t.same(lines.map((line) => line.slice(0, 45).trimEnd()), [
    '  FAIL   core.bad  The title of core.bad',
    '  ERROR  raw.broken  The title of raw.broken',
    '  WARN   get.weak  The title of get.weak',
    '  INFO   get.note  The title of get.note',
    '  INFO   get.known  The title of get.known',
    '  SKIP   2: the target has no get',
    'core  1 pass, 1 fail, 2 skip',
    'get  1 warn, 2 info',
    'raw  1 error',
    '1 pass, 1 fail, 1 warn, 2 info, 2 skip, 1 err',
    'Does not conform to GraphQL over HTTP, Septem',
  ])
  t.match(text, '         MUST GET-7: "The server MUST halt with a `4xx` _status code_."\n')
  t.match(text, '         GET, https://github.com/graphql/graphql-over-http\n')
  t.match(text, '         known failure: issue 12')
  t.notMatch(text, 'POST / HTTP/1.1')
  t.notMatch(text, /^ .{100}/m)
})

const same = { verdict: 'fail', message: 'the status is 200, not 4xx' } as const
// oxfmt-ignore
const merged: readonly [name: string, cases: readonly CaseReport[], groups: readonly string[]][] = [
  ['what is the same', [caseOf('a', same), caseOf('b', same), caseOf('c', same)],                                        ['a b c']],
  ['verdicts',         [caseOf('a', same), caseOf('b', { ...same, verdict: 'warn' })],                                   ['a', 'b']],
  ['messages',         [caseOf('a', same), caseOf('b', { ...same, message: 'other' })],                                  ['a', 'b']],
  ['sentences',        [caseOf('a', same), caseOf('b', { ...same, spec: cited && { ...cited, statement: 'GET-8' } }), caseOf('c', same)], ['a c', 'b']],
  [
    'sentences of which none was answered',
    [
      caseOf('a', { ...same, message: 'no response was received: ECONNREFUSED' }),
      caseOf('b', { ...same, message: 'no response was received: ECONNREFUSED', spec: null }),
    ],
    ['a b'],
  ],
  ['invariants',       [caseOf('a', same), caseOf('invariant.b', { ...same, message: `${same.message} (first in a)` })], ['a invariant.b']],
  ['reasons of known failures', [caseOf('a', { ...same, known: 'x' }), caseOf('b', { ...same, known: 'y' })],            ['a', 'b']],
]

for (const [name, cases, groups] of merged) {
  void t.test(`one cause is one finding: ${name}`, async (t) => {
    const found = groupFindings(cases).map((group) => group.map(({ id }) => id).join(' '))
    t.same(found, groups)
  })
}

void t.test('cases with one cause are shown together, with one sentence', async (t) => {
  const ids = ['a.1', 'a.2', 'a.3', 'a.4', 'a.5', 'a.6', 'a.7']
  const report = reportOf(...ids.map((id) => caseOf(id, same)))
  const pretty = reporters.pretty(report)
  t.match(pretty, '  FAIL   a.1  The title of a.1\n         a.2  The title of a.2\n')
  const more = 'and 2 more cases: use --verbose to list them\n         the status is 200'
  t.match(pretty, `a.5\n         ${more}`)
  t.equal(pretty.split('GET-7').length, 2)
  t.equal(reporters.pretty(report, { verbose: true }).split('GET-7').length, 8)
  const markdown = reporters.markdown(report)
  t.equal(markdown.split('GET-7').length, 2)
  t.match(markdown, 'Same finding in `a.2`, `a.3`, `a.4`')
  const page = reporters.html(report)
  for (const id of ids) t.match(page, ` id="case-${id}"`)
  t.equal(page.split('<article').length, 2)
})

void t.test('in 50 columns only commands and links are longer, titles are apart', async (t) => {
  const http = caseOf('http.a', { layer: 'http', verdict: 'warn' })
  const stream = caseOf('sse.b', { layer: 'streaming', verdict: 'info' })
  const cases = ['a.1', 'a.2', 'a.3', 'a.4', 'a.5', 'a.6'].map((id) => caseOf(id, same))
  const long = caseOf('a.very.long.id.of.a.case', { ...same, title: 'A title that needs a line' })
  const report = {
    ...reportOf(long, ...cases, http, stream, ...everything.cases),
    diagnosis: 'The run was stopped after a time that is long.',
  }
  const pretty = reporters.pretty(report, { columns: 50 })
  const tooLong = (line: string) => line.length > 50 && /\S \S/.test(line) && !/^ +\$ /.test(line)
  t.same(pretty.split('\n').filter(tooLong), [])
  t.match(pretty, 'a.very.long.id.of.a.case\n           A title that needs a line\n')
})

void t.test('what breaks one sentence in several ways is one finding', async (t) => {
  const other = { ...same, message: 'the status is 500, not 4xx' }
  const evidence = { sent: 'GET /', received: 'HTTP 200', command: "curl -i 'http://a/'" }
  const report = reportOf(caseOf('a', { ...same, evidence }), caseOf('b', other), caseOf('c', same))
  const pretty = reporters.pretty(report)
  t.equal(pretty.split('FAIL').length, 2)
  t.equal(pretty.split('GET-7').length, 2)
  const lines = [
    '  FAIL   a  The title of a',
    '         c  The title of c',
    '         the status is 200, not 4xx',
    '         b  The title of b',
    '         the status is 500, not 4xx',
    '         MUST GET-7: ',
  ]
  t.match(pretty, lines.join('\n'))
  t.match(pretty, "\n         $ curl -i 'http://a/'\n")
  for (const name of ['html', 'markdown'] as const) {
    const text = reporters[name](report)
    t.equal(text.split(/<article|^### /m).length, 2, `${name} has one card`)
    const order = ['title of a', 'is 200', 'GET-7', 'title of b', 'is 500']
    t.match(text.slice(text.search(/<article|^### /m)), new RegExp(order.join('[^]*')))
  }
})

void t.test('a sentence has its own level, and the one that it is checked at', async (t) => {
  const spec = cited && ({ ...cited, heldAs: 'SHOULD' } as const)
  const report = reportOf(caseOf('a', { verdict: 'warn', spec }))
  for (const name of ['pretty', 'tap', 'junit', 'markdown', 'html'] as const) {
    t.match(reporters[name](report), 'MUST (checked as SHOULD)')
  }
})

void t.test('pretty uses colour only when asked, and then says the same', async (t) => {
  const painted = reporters.pretty(everything, { colour: true })
  t.match(painted, '\u001b[31mFAIL \u001b[0m')
  // oxlint-disable-next-line no-control-regex -- the colours are control sequences
  t.equal(painted.replaceAll(/\u001b\[\d+m/g, ''), reporters.pretty(everything))
})

const pass = caseOf('a')
const skip = caseOf('b', { verdict: 'skip' })
const warn = caseOf('b', { verdict: 'warn' })
const fail = caseOf('b', { verdict: 'fail' })
const httpFail = caseOf('c', { verdict: 'fail', layer: 'http' })
const upload = caseOf('c', { verdict: 'fail', layer: 'streaming', suite: 'multipart-upload' })
const silent = caseOf('c', { verdict: 'fail', message: 'no response was received', spec: null })
const error = caseOf('b', { verdict: 'error' })
const known = caseOf('b', { verdict: 'info', known: 'x' })
const outdated = caseOf('b', { verdict: 'fail', known: 'x' })

// oxfmt-ignore
const conclusions: readonly [cases: readonly CaseReport[], sentence: string, badge: string, colour: string][] = [
  [[pass],           'Breaks no tested requirement of @.',                                              '',                 '#2e7d32'],
  [[],               'Nothing was tested: no case passed.',                                             ': not tested',     '#5f6670'],
  [[skip],           'Nothing was tested: no case passed.',                                             ': not tested',     '#5f6670'],
  [[warn],           'Breaks no tested requirement of @; 1 warning.',                                   ': 1 warning',      '#8a6d00'],
  [[pass, warn],     'Breaks no tested requirement of @; 1 warning.',                                   ': 1 warning',      '#8a6d00'],
  [[pass, known],    'Breaks no tested requirement of @, except for 1 known failure.',                  ': 1 known failure', '#8a6d00'],
  [[pass, httpFail], 'Breaks no tested requirement of @, but has 1 finding in HTTP itself.',            ': 1 finding in HTTP', '#b3261e'],
  [[pass, upload],   'Breaks no tested requirement of @, but has 1 finding in conventions of vendors.', '',                 '#2e7d32'],
  [[fail, httpFail], 'Does not conform to @: 1 finding, and 1 finding in HTTP itself.',                 ': 1 finding',      '#b3261e'],
  [[fail, fail],     'Does not conform to @: 1 finding.',                                               ': 1 finding',      '#b3261e'],
  [[fail, silent],   'Does not conform to @: 2 findings.',                                              ': 2 findings',     '#b3261e'],
  [[pass, outdated], 'Breaks no tested requirement of @. The list of known failures has 1 outdated entry.', '', '#2e7d32'],
  [[pass, error],    'Breaks no tested requirement of @. The runner itself failed in 1 case.',          ': incomplete',     '#5f6670'],
]

for (const [cases, conclusion, end, colour] of conclusions) {
  const sentence = conclusion.replace('@', 'GraphQL over HTTP, September 2026')
  void t.test(`the conclusion "${sentence}"`, async (t) => {
    const report = reportOf(...cases)
    t.ok(reporters.pretty(report).split('\n').includes(sentence))
    checkBadge(t, report, `September 2026${end}`, colour)
  })
}

void t.test('the badge names what was tested', async (t) => {
  checkBadge(t, { ...reportOf(pass), suite: '<get>' }, 'September 2026 (&lt;get&gt;)', '#2e7d32')
  checkBadge(t, { ...reportOf(pass), edition: '2025-05' }, 'May 2025 (draft)', '#2e7d32')
})

/** One file that loads nothing. */
function checkBadge(t: Test, report: Report, says: string, colour: string): void {
  const text = reporters.badge(report)
  t.same(unclosed(text), [])
  t.match(text, `<title>GraphQL over HTTP: ${says}</title>`)
  t.match(text, `fill="${colour}"`)
  t.notMatch(text, / id=/, 'which another badge of the page would have, too')
  t.notMatch(text.replaceAll('http://www.w3.org/2000/svg', ''), /<script|href|https?:|@import/)
}
