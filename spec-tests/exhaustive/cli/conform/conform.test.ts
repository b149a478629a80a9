import { readdirSync, readFileSync } from 'node:fs'
import type { RequestListener, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import type { FailOn } from '../../../../src/cli/conform/conform-flags.js'
import { isFailed } from '../../../../src/cli/conform/write-report.js'
import { showProgress } from '../../../../src/cli/conform/run-conform.js'
import { listCases } from '../../../../src/conformance/judge/list-cases.js'
import { editionNames, titleOf } from '../../../../src/conformance/suite/editions.js'
import { fixturesFolder } from '../../../../src/conformance/suite/fixture-files.js'
import { readSuite } from '../../../../src/conformance/suite/suite.js'
import { readRoot } from '../../../../site/pages/read-root.js'
import { checkTable } from '../../../generated.js'
import type { Report } from '../../../../src/conformance/index.js'
import { caseOf, reportOf } from '../../../conformance/report-of.js'
import { listen } from '../../../cli/listen.js'
import { say } from '../../../cli/say.js'
import { findPort, serveGood } from './conform-target.js'

// Those that wait for time-outs of a target wait together.
t.jobs = 3

/** One case that every target can be held against, and that takes no time. */
const quick = ['--case', 'get.mutation.refused']

/** Answers every request as if it had run, which no mutation by GET may be. */
const careless = '{"data":{"__typename":"Mutation"}}'

/** A server whose connections end with their responses. */
function serveOdd(t: Test, listener: RequestListener): Promise<string> {
  return listen(t, listener, 1)
}

function serveJson(t: Test, json: string, status = 200): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  return serveOdd(t, (_, response) => response.writeHead(status, headers).end(json))
}

void t.test('a server that conforms gives exit code 0', async (t) => {
  const words = ['conform', await serveGood(t), ...quick]
  const { code, out, err } = await say(words)
  t.same([code, err], [0, ''])
  t.match((await say(words, {}, { colour: true })).out, '\u001b[')
  const suite = String.raw`suite get\.mutation\.refused, [\d.]+ m?s\n\nget {2}1 pass\n`
  t.match(out, new RegExp(`^http:.*, edition September 2026, ${suite}`))
  t.ok(out.endsWith('Breaks no tested requirement of GraphQL over HTTP, September 2026.\n'))
})

void t.test('a server that breaks a MUST gives exit code 1, and the report names it', async (t) => {
  const url = await serveJson(t, careless)
  const finding = /^ {2}FAIL {3}get\.mutation\.refused .*\n.*the status is 200[^]*MUST GET-7: "/m
  t.match(await say(['conform', url, ...quick]), { code: 1, out: finding })
  const next = `Next: "graphwire conform ${url} --case get.mutation.refused --verbose" shows the first.`
  const narrow = (await say(['conform', url, ...quick, '--standard'], {}, { columns: 50 })).out
  t.match(narrow.replaceAll(/\n {2}(?=\S)/g, ' '), next)
  for (const line of narrow.split('\n')) {
    t.ok(line.length <= 50 || !line.trim().includes(' ') || line.includes('$ curl'), line)
  }
  const list = `${t.testdir({ list: 'get.mutation.refused ours\ncore.gone not asked for\n' })}/list`
  const known = await say(['conform', url, ...quick, '--known-failures', list])
  t.match(known, { code: 0, out: 'known failure: ours' })
})

void t.test('--fail-on decides the exit code', async (t) => {
  const url = await serveJson(t, '{"errors":[{"message":"no"}]}', 500)
  // A SHOULD of the edition: 415 for a type that is not known.
  const words = ['conform', url, '--case', 'core.content-type.unknown']
  t.equal((await say(words)).code, 0)
  t.equal((await say([...words, '--fail-on', 'warn'])).code, 1)
})

void t.test('--write-known-failures makes a list that the next run takes', async (t) => {
  const url = await serveJson(t, careless)
  const folder = t.testdir({ old: 'get.mutation.refused ours\ncore.post gone\ncore.gone kept\n' })
  const words = ['conform', url, '--case', 'get.mutation.refused,get.mutation.selected']
  const write = ['--write-known-failures', `${folder}/list`]
  const first = await say([...words, ...write])
  t.equal(first.code, 0)
  t.match(first.out, '  FAIL   get.mutation.refused  ')
  t.equal(first.err, `2 known failures: the list is in ${folder}/list\n`)
  const list = () => readFileSync(`${folder}/list`, 'utf8')
  t.match(list(), /^# .*\n\S+\.refused {3}the status is 200, .*\n\S+\.selected {2}the .*\n$/)
  const second = await say([...words, '--known-failures', `${folder}/list`])
  t.equal(second.code, 0)
  t.match(second.out, 'except for 2 known failures')

  void t.test('--write-known-failures keeps the reasons of entries that still apply', async (t) => {
    const old = ['--known-failures', `${folder}/old`]
    const pass = ['--case', 'get.mutation.refused,core.post']
    const { code, err } = await say(['conform', url, ...pass, ...old, ...write])
    t.equal(code, 0)
    t.match(err, 'graphwire: core.post: listed as a known failure (gone), but ')
    t.match(list(), /^# .*\ncore\.gone {13}kept\nget\.mutation\.refused {2}ours\n$/)
  })

  void t.test('--write-known-failures reports a file that it cannot write', async (t) => {
    const lost = await say([...words, '--write-known-failures', `${folder}/no/list`])
    t.match(lost, { code: 2, err: /^graphwire: Cannot write .*no\/list: / })
  })
})

void t.test('--output takes the report to a file, and stdout stays empty', async (t) => {
  const file = `${t.testdir()}/report.json`
  const url = await serveGood(t)
  const words = ['conform', url, ...quick, '--reporter=json', '--output']
  const err = `1 pass; the report is in ${file}\n`
  t.same(await say([...words, file]), { code: 0, out: '', err })
  t.match(JSON.parse(readFileSync(file, 'utf8')), {
    target: url,
    totals: { pass: 1 },
    layers: { edition: { pass: 1 }, http: { pass: 0 } },
    cases: [{ layer: 'edition', durationMs: Number }],
  })
  const unwritten = /^graphwire: Cannot write .*no\/folder: /
  const printed = await say([...words, `${file}/no/folder`])
  const expected = { code: 2, out: /^\{\n {2}"target": "http:/, err: unwritten }
  t.match(printed, expected, 'and else it is printed')
})

void t.test('headers of the flags, the variable and the target file are sent', async (t) => {
  const seen = new Set<string>()
  const url = await serveOdd(t, ({ headers }, response) => {
    seen.add(['authorization', 'x-a', 'x-b'].map((name) => headers[name]).join(' '))
    response.setHeader('content-type', 'application/json').end('{"data":{}}')
  })
  const target = JSON.stringify({ url, headers: { 'X-A': 'file', 'x-b': 'c, d' } })
  const file = `${t.testdir({ target })}/target`
  const words = ['conform', '--target', file, ...quick]
  await say([...words, '--header', 'Authorization: Bearer a, b', '--header', 'x-a:flag'])
  t.same([...seen], ['Bearer a, b flag c, d'])
  seen.clear()
  await say(words, { GRAPHWIRE_HEADER: 'authorization: secret' })
  t.same([...seen], ['secret file c, d'])
  const verbose = [...words, '--case=core.body.list', '--verbose']
  const shown = await say(verbose, { GRAPHWIRE_HEADER: 'authorization: secret' })
  t.match(shown.out, '> authorization: (hidden)\n')
  t.match(shown.out, '> X-A: (hidden)\n')
  t.notMatch(shown.out, 'secret')
})

void t.test('what a target repeats of the headers is hidden', async (t) => {
  const url = await serveOdd(t, ({ headers }, response) => {
    const token = String(headers.authorization)
    const errors = [{ message: token.slice('Bearer '.length) }]
    const json = JSON.stringify({ data: token, errors })
    response.setHeader('x-echo', token).setHeader('content-type', 'application/json').end(json)
  })
  const secret = 'Authorization: Bearer s3cr"et-token'
  const header = ['--header', secret, '--header', 'accept-language: en']
  const file = `${t.testdir()}/list`
  const words = ['conform', url, '--case', 'core.post,get.mutation', ...header]
  const { out } = await say([...words, '--verbose', '--write-known-failures', file])
  t.notMatch(out, 's3cr')
  t.match(out, '< content-type: application/json', 'what is no secret is shown')
  t.match(out, 'x-echo: (hidden)')
  t.match(out, '"message":"(hidden)"')
  t.notMatch(readFileSync(file, 'utf8'), 's3cr')
  const redirecting = await serveOdd(t, ({ headers }, response) => {
    response.writeHead(302, { location: `/?t=${headers.authorization?.slice(7)}` }).end()
  })
  const moved = await say(['conform', redirecting, ...quick, ...header])
  t.match(moved.out, 'to /?t=(hidden)')
})

/** What every value begins with, so that any part of one that can be hidden is found. */
const beginning = 's3cr'

/** Where a target repeats a value so that the report cuts it: at another character each time. */
// oxfmt-ignore
const cut: readonly [where: string, send: (value: string, at: number, out: ServerResponse) => void][] = [
  ['a body', (value, at, out) => {
    const end = `${value}<p>more</p>`
    out.writeHead(500, { 'content-type': 'text/html' }).end(end.padStart(2000 - at + end.length))
  }],
  ['a field', (value, at, out) => {
    const type = `a/b;c="${'x'.repeat(200 - 7 - at)}${value}`
    out.writeHead(200, { 'content-type': type, allow: type, vary: type, date: type }).end('{}')
  }],
  ['a member', (value, at, out) => {
    const text = `${'x'.repeat(199 - at)}${value}`
    const json = JSON.stringify({ data: text, errors: text })
    out.writeHead(200, { 'content-type': 'application/json' }).end(json)
  }],
]
for (const [where, send] of cut) {
  void t.test(`what the report cuts in ${where} is hidden, however much is left`, async (t) => {
    const secret = `${beginning}"${'\\ab"cé'.repeat(10)}`
    let at = 4
    const url = await serveOdd(t, async (incoming, outgoing) => {
      // What is asked first has to be answered well.
      if ((await readText(incoming)) === '{"query":"{ __typename }"}') {
        outgoing.setHeader('content-type', 'application/json').end(careless)
      } else send(secret, 4 + (at++ % 80), outgoing)
    })
    const header = ['--header', `Authorization: Bearer ${secret}`]
    const words = ['conform', url, '--suite', 'core,errors', '--reporter', 'json', ...header]
    const { out } = await say([...words, '--concurrency', '1'])
    t.ok(out.split('(hidden)').length > 50)
    t.notMatch(out, beginning)
  })
}

void t.test('a secret that comes back in a stream is hidden, in the timeline too', async (t) => {
  const url = await serveOdd(t, ({ headers }, response) => {
    if (headers.accept !== 'text/event-stream') {
      response.setHeader('content-type', 'application/json').end(careless)
      return
    }
    response.setHeader('content-type', 'text/event-stream')
    response.end(`data: {"a":"${headers.authorization}"}\n\nevent: complete\ndata:\n\n`)
  })
  const words = ['conform', url, '--case', 'sse.query', '--reporter', 'json']
  const { out } = await say([...words, '--header', 'Authorization: Bearer s3cret-token'])
  t.notMatch(out, 's3cret')
  const { cases } = JSON.parse(out) as Report
  const timeline = cases.find(({ id }) => id === 'sse.query')?.evidence?.timeline ?? []
  t.match(timeline[1], { by: 'target', text: 'event message {"a":"(hidden)"}' })
})

void t.test('a flag wins over the target file, and that over the default', async (t) => {
  const url = await serveGood(t)
  const target = { url, edition: '2025-05', standard: true, capabilities: ['get', 'apq'] }
  const file = `${t.testdir({ target: JSON.stringify(target) })}/target`
  const words = ['conform', '--target', file, ...quick, '--reporter', 'json']
  const cases = [{ id: 'declared.apq', verdict: 'fail' }]
  t.match(JSON.parse((await say(words)).out), { edition: '2025-05', target: url, cases })
  const { out } = await say([...words, '--edition=2026-04', `${url}?a=b`])
  t.match(JSON.parse(out), { edition: '2026-04', target: `${url}?a=b` })
})

void t.test('--list sends nothing and prints id, level and title', async (t) => {
  const out = 'get.mutation.refused  MUST        GET does not execute a mutation\n'
  t.same(await say(['conform', '--list', ...quick]), { code: 0, out, err: '' })
  const all = await say(['conform', '--list', 'http://localhost:1/'])
  const standard = await say(['conform', '--list', '--standard'])
  t.ok(standard.out.length > all.out.length, 'and more with the standard schema')
  const suite = await say(['conform', '--list', '--suite', 'get,accept'])
  t.ok(suite.out.split('\n').every((line) => /^(?:(?:get|accept)\.|$)/.test(line)))
})

void t.test('a target that cannot be reached has no report and exit code 2', async (t) => {
  const url = `http://127.0.0.1:${await findPort()}/`
  const err = `graphwire: ${url} cannot be reached: `
  t.match(await say(['conform', url, '--timeout', '1000']), { code: 2, out: /^$/, err })
})

const http = { layer: 'http' } as const

// oxfmt-ignore
const ends: readonly [report: Report, fails: { readonly [failOn in FailOn]: boolean }, name: string][] = [
  [reportOf(caseOf('a'), caseOf('b', { verdict: 'skip' })),             { edition: false, http: false, warn: false }, ''],
  [reportOf(caseOf('a', { verdict: 'info' })),                          { edition: false, http: false, warn: false }, 'an info'],
  [reportOf(caseOf('a', { verdict: 'warn' })),                          { edition: false, http: false, warn: true }, 'a warn'],
  [reportOf(caseOf('a', { verdict: 'warn', ...http })),                 { edition: false, http: false, warn: true }, 'a warn of HTTP'],
  [reportOf(caseOf('a', { verdict: 'fail' })),                          { edition: true, http: true, warn: true }, 'a fail'],
  [reportOf(caseOf('a', { verdict: 'fail', ...http })),                 { edition: false, http: true, warn: true }, 'a fail of HTTP'],
  [reportOf(caseOf('a', { verdict: 'fail', known: 'x', ...http })),     { edition: true, http: true, warn: true }, 'a known failure of HTTP that passes'],
  [reportOf(caseOf('a'), caseOf('b', { verdict: 'error' })),            { edition: true, http: true, warn: true }, 'an error'],
  [reportOf(caseOf('a', { verdict: 'skip' })),                          { edition: true, http: true, warn: true }, 'nothing but a skip'],
  [{ ...reportOf(caseOf('a')), diagnosis: 'The target limits rates.' }, { edition: true, http: true, warn: true }, 'a run that was stopped'],
  [reportOf(),                                                          { edition: true, http: true, warn: true }, 'no case at all'],
  [{ ...reportOf(caseOf('a', { verdict: 'skip' })), suite: 'apq' },     { edition: false, http: false, warn: false }, 'nothing but a skip of one suite'],
]

for (const [report, fails, name] of ends) {
  void t.test(`whether ${name || 'a pass'} fails the run is as --fail-on says`, async (t) => {
    for (const failOn of ['edition', 'http', 'warn'] as const) {
      t.equal(isFailed(report, failOn), fails[failOn], failOn)
    }
  })
}

void t.test('every message about a file begins with its name', async (t) => {
  const folder = t.testdir({ target: '{"uri":1,"timeout":"x"}', known: 'a.b', report: '{}' })
  const [target, known, report] = [`${folder}/target`, `${folder}/known`, `${folder}/report`]
  // oxfmt-ignore
  const rows: readonly [words: readonly string[], message: string][] = [
    [['--target', target],                     `graphwire: ${target}: uri is not an option. Did you mean "url"?`],
    [['http://a/', '--known-failures', known], `${known}: Line 1: a.b has no reason.`],
    [['diff', report, report],                 `${report}: not a report`],
  ]
  for (const [words, err] of rows) t.match(await say(['conform', ...words]), { code: 2, err })
})

void t.test('conform diff has exit code 1 where something became worse', async (t) => {
  const folder = t.testdir({
    a: JSON.stringify(reportOf(caseOf('x'), caseOf('y'))),
    b: JSON.stringify(reportOf(caseOf('x', { verdict: 'fail' }))),
  })
  const words = ['conform', 'diff', `${folder}/a`, `${folder}/b`]
  const counts = '1 worse, 0 better, 0 no longer applicable, 0 new, 1 gone, 0 unchanged'
  t.match(await say(words), { code: 1, out: `${counts}\n` })
  t.match(await say(['conform', 'diff', `${folder}/b`, `${folder}/a`]), { code: 0 })

  const html = [...words, '--reporter', 'html']
  const page = await say(html)
  t.match(page, { code: 1, out: /^<!doctype html>\n/, err: '' })
  const file = `${folder}/page.html`
  const err = `${counts}; the report is in ${file}\n`
  t.same(await say([...html, '--output', file]), { code: 1, out: '', err })
  t.equal(readFileSync(file, 'utf8'), page.out)
  t.match(await say([...html, '--output', `${folder}/no/page.html`]), { code: 2, out: page.out })
})

void t.test('several editions are as many runs, one page, and the worst exit code', async (t) => {
  // 400 for a request that is not well-formed is what only the older of the two recommends.
  const url = await serveOdd(t, async (incoming, response) => {
    const isList = (await readText(incoming)) === '[]'
    const json = isList ? '{"errors":[{"message":"no"}]}' : '{"data":{"__typename":"Query"}}'
    response.writeHead(isList ? 400 : 200, { 'content-type': 'application/json' }).end(json)
  })
  const words = ['conform', url, '--case', 'core.body.list', '--fail-on', 'warn']
  for (const [editions, expected, columns] of [
    ['2025-05', 0, ''],
    ['2026-09', 1, ''],
    ['2025-05,2026-09,2025-05', 1, 'May 2025 (draft), September 2026'],
  ] as const) {
    const { code, out, err } = await say([...words, '--reporter=html', '--edition', editions])
    t.same([code, err], [expected, ''], editions)
    const [, head = ''] = /<th scope="col">Suites<\/th>([^]*?)<\/tr>/.exec(out) ?? []
    const titles = [...head.matchAll(/<th scope="col">(.*?)<\/th>/g)].map(([, title]) => title)
    t.equal(titles.join(', '), columns, editions)
  }
})

void t.test('progress is shown on a terminal only, on a line that changes', async (t) => {
  const shown = (isTerminal: boolean, title: readonly string[]): string => {
    let text = ''
    const write = (more: string): void => void (text += more)
    const line = showProgress({ isTerminal, columns: 50 }, write, title, 1_000_000)
    line.tick(caseOf('a', { verdict: 'fail' }), 1, 3)
    line.tick(caseOf('b'.repeat(50)), 2, 3)
    line.end()
    return text
  }
  t.equal(shown(false, []), '')
  const lines = ['0 s  probing the target', '0 s  1/3, 1 failed  a', '0 s  2/3, 1 failed', '']
  t.equal(shown(true, []), lines.map((text) => `\r\u001b[2K${text}`).join(''))
  t.match(shown(true, ['2025-05']), '0 s  2025-05  probing the target')
})

void t.test('the docs have the numbers of cases', async (t) => {
  const optional = readdirSync(new URL('optional/', fixturesFolder))
  const counts = editionNames.map((edition) => {
    const all = listCases({ edition, standard: true })
    const anySchema = listCases({ edition, standard: false })
    const required = all.filter(({ suite }) => !optional.includes(suite))
    return [titleOf(edition), ...[all, anySchema, required].map(({ length }) => `${length}`)]
  })
  checkTable(t, 'docs/conform.md', 'counts', [
    ['Edition', 'Cases', 'For any schema', 'In required suites'],
    ...counts,
  ])
  const { cases, invariants } = readSuite()
  const newest = listCases({ edition: '2026-09', standard: true }).length
  for (const [page, words] of [
    ['README.md', `with ${newest} cases in September 2026`],
    ['docs/start.md', `has ${newest} cases in September 2026`],
    ['docs/conform.md', `${cases.length} cases and ${invariants.length} invariants`],
  ] as const) {
    t.match(readRoot(page), words)
  }
})
