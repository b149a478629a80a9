import { readFileSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { exitCodeOf } from '../../src/cli/conform/exit-code-of.js'
import { conformFlags } from '../../src/cli/conform/flags.js'
import { showProgress } from '../../src/cli/conform/progress.js'
import { exitCodes } from '../../src/cli/exit-codes.js'
import type { Flag } from '../../src/cli/flag.js'
import type { Report, Verdict } from '../../src/conformance/index.js'
import { caseOf, reportOf } from '../conformance/report-of.js'
import { findPort, say, serveGood, serveOdd, serveSilence } from './conform-target.js'

/** One case that every target can be held against, and that takes no time. */
const quick = ['--case', 'get.mutation.refused']

/** Answers every request as if it had run, which no mutation by GET may be. */
const careless = '{"data":{"__typename":"Mutation"}}'

void t.test('a server that conforms is told so, with exit code 0', async (t) => {
  const { code, out, err } = await say(['conform', await serveGood(t), ...quick])
  t.equal(code, 0)
  t.equal(err, '')
  t.match(out, /^http:.*, edition 2026-08, suite get\.mutation\.refused, \d+ ms\n\nget {2}1 pass\n/)
  t.ok(out.endsWith('Breaks no tested requirement of 2026-08.\n'))
})

void t.test('a server that breaks a MUST is told which, with exit code 1', async (t) => {
  const url = await serveOdd(t, (_, response) => {
    response.setHeader('content-type', 'application/json').end(careless)
  })
  const { code, out } = await say(['conform', url, ...quick])
  t.equal(code, 1)
  t.match(out, '  FAIL   get.mutation.refused  ')
  t.match(out, 'the status is 200')
  t.match(out, 'MUST GET-7: "')
  t.notMatch(out, '> GET /graphql')

  void t.test('and with the bytes of both sides by --verbose', async (t) => {
    const { out: verbose } = await say(['conform', url, ...quick, '--verbose'])
    t.match(verbose, '         > GET /graphql?query=mutation')
    t.match(verbose, `         < ${careless}`)
  })

  void t.test('and with exit code 0 where it is known', async (t) => {
    const list = `${t.testdir({ list: 'get.mutation.refused ours\ncore.gone not asked for\n' })}/list`
    const known = await say(['conform', url, ...quick, '--known-failures', list])
    t.match(known.out, 'known failure: ours')
    t.equal(known.code, 0)
  })
})

void t.test('a known failure that passes fails the run', async (t) => {
  const list = `${t.testdir({ list: 'get.mutation.refused ours' })}/list`
  const url = await serveGood(t)
  const { code, out } = await say(['conform', url, ...quick, '--known-failures', list])
  t.equal(code, 1)
  t.match(out, 'listed as a known failure (ours), and passes')
  t.match(out, 'The list of known failures is wrong in 1 place.')
})

const beginnings = {
  pretty: /^http:/,
  tap: /^TAP version 14\n1\.\.1\nok 1 - get\.mutation\.refused: /,
  json: /^\{\n {2}"target": "http:/,
  junit: /^<\?xml version="1\.0"/,
  markdown: /^# GraphQL over HTTP: conformance\n/,
  html: /^<!doctype html>\n/,
}

void t.test('every reporter can be chosen', async (t) => {
  const url = await serveGood(t)
  for (const [name, beginning] of Object.entries(beginnings)) {
    const { code, out, err } = await say(['conform', url, ...quick, '--reporter', name])
    t.equal(code, 0)
    t.match(out, beginning)
    t.equal(err, '')
  }
})

void t.test('--output takes the report to a file, and stdout stays empty', async (t) => {
  const file = `${t.testdir()}/report.json`
  const url = await serveGood(t)
  const words = ['conform', url, ...quick, '--reporter=json', '--output']
  t.same(await say([...words, file]), {
    code: 0,
    out: '',
    err: `1 pass; the report is in ${file}\n`,
  })
  t.match(JSON.parse(readFileSync(file, 'utf8')), { target: url, totals: { pass: 1 } })

  void t.test('and a report that cannot be written is printed', async (t) => {
    const { code, out, err } = await say([...words, `${file}/no/folder`])
    t.equal(code, 2)
    t.match(out, beginnings.json)
    t.match(err, /^graphwire: .*no\/folder cannot be written: /)
  })
})

void t.test('colour is for those who ask for it', async (t) => {
  const words = ['conform', await serveGood(t), ...quick]
  t.notMatch((await say(words)).out, '\u001b[')
  t.match((await say(words, { FORCE_COLOR: '1' })).out, '\u001b[')
  t.notMatch((await say(words, { FORCE_COLOR: '1', NO_COLOR: '1' })).out, '\u001b[')
})

void t.test('headers of the flags, the variable and the target file are sent', async (t) => {
  const seen = new Set<string>()
  const url = await serveOdd(t, ({ headers }, response) => {
    seen.add(['authorization', 'x-a', 'x-b'].map((name) => headers[name]).join(' '))
    response.end()
  })
  const file = `${t.testdir({ target: JSON.stringify({ url, headers: { 'X-A': 'file', 'x-b': 'c, d' } }) })}/target`
  const words = ['conform', '--target', file, ...quick]
  await say([...words, '--header', 'Authorization: Bearer a, b', '--header', 'x-a:flag'])
  t.same([...seen], ['Bearer a, b flag c, d'])
  seen.clear()
  await say(words, { GRAPHWIRE_HEADER: 'authorization: secret' })
  t.same([...seen], ['secret file c, d'])
  const shown = await say([...words, '--case=core.body.list', '--verbose'], {
    GRAPHWIRE_HEADER: 'authorization: secret',
  })
  t.match(shown.out, '> authorization: (hidden)\n')
  t.match(shown.out, '> X-A: (hidden)\n')
  t.notMatch(shown.out, 'secret')
})

void t.test('a flag wins over the target file, and that over the default', async (t) => {
  const url = await serveGood(t)
  const target = { url, edition: '2025-05', standard: true, capabilities: ['get', 'apq'] }
  const file = `${t.testdir({ target: JSON.stringify(target) })}/target`
  const words = ['conform', '--target', file, ...quick, '--reporter', 'json']
  const plain = JSON.parse((await say(words)).out) as Report
  t.match(plain, { edition: '2025-05', target: url })
  t.match(plain.cases[0], { id: 'declared.apq', verdict: 'fail' })
  const given = JSON.parse((await say([...words, '--edition=2026-04', `${url}?a=b`])).out) as Report
  t.match(given, { edition: '2026-04', target: `${url}?a=b` })
})

void t.test('--list sends nothing and tells id, level and title', async (t) => {
  const { code, out } = await say(['conform', '--list', ...quick])
  t.equal(code, 0)
  t.equal(out, 'get.mutation.refused  MUST        GET does not run a mutation\n')
  const all = await say(['conform', '--list', 'http://localhost:1/'])
  const standard = await say(['conform', '--list', '--standard'])
  t.ok(standard.out.length > all.out.length, 'and more with the standard schema')
  const suite = await say(['conform', '--list', '--suite', 'get,accept'])
  t.ok(suite.out.split('\n').every((line) => /^(?:(?:get|accept)\.|$)/.test(line)))
})

void t.test('a target that cannot be reached has no report and exit code 2', async (t) => {
  const url = `http://127.0.0.1:${await findPort()}/`
  const { code, out, err } = await say(['conform', url, '--timeout', '1000'])
  t.equal(code, 2)
  t.equal(out, '')
  t.match(err, `graphwire: ${url} cannot be reached: `)
})

void t.test('a target that never answers gets its report', async (t) => {
  const url = await serveSilence(t)
  const words = ['--suite=get', '--timeout=20', '--concurrency=8']
  const { code, out } = await say(['conform', url, ...words, '--reporter=json'])
  t.equal(code, 0, 'since GET may be missing')
  const { totals, cases } = JSON.parse(out) as Report
  t.equal(totals.pass, 0)
  t.ok(cases.length > 0)
})

const ends: readonly [verdicts: readonly Verdict[], suite: string, code: number][] = [
  [['pass', 'skip'], 'all', 0],
  [['warn'], 'all', 0],
  [['info'], 'all', 0],
  [['pass', 'fail'], 'all', 1],
  [['pass', 'error'], 'all', 1],
  [['skip', 'skip'], 'all', 1],
  [['skip', 'skip'], 'apq', 0],
]

for (const [verdicts, suite, code] of ends) {
  void t.test(
    `${verdicts.join(' and ')} of suite ${suite} end with exit code ${code}`,
    async (t) => {
      const { totals } = reportOf(...verdicts.map((verdict) => caseOf('a', { verdict })))
      t.equal(exitCodeOf({ totals, suite }), code)
    },
  )
}

const refused: readonly [words: readonly string[], message: RegExp][] = [
  [[], /conform needs the URL of a server, such as/],
  [['localhost:4000'], /Not an http or https URL: "localhost:4000"\./],
  [['graphql'], /Not a URL: "graphql"\./],
  [['http://a/', 'http://b/'], /takes one URL, and was given http:\/\/a\/, http:\/\/b\/\./],
  [['http://a/', '--suite', 'accpt'], /has no suite accpt\. Did you mean accept\? It has core, /],
  [['http://a/', '--case', 'get.mutation.refusd'], /called get\.mutation\.refusd\. Did you mean/],
  [['http://a/', '--case', 'get.mut'], /No case of edition 2026-08 is called get\.mut\./],
  [['http://a/', '--edition', '2020'], /--edition takes 2026-08 or .*, and was given "2020"\./],
  [['http://a/', '--reporter', 'xml'], /--reporter takes pretty or tap or json or /],
  [['http://a/', '--header', 'nonsense'], /--header takes a header such as "Authorization: /],
  [['http://a/', '--header', 'a: b\nc: d'], /--header takes a header such as/],
  [['http://a/', '--timeout', '0'], /--timeout takes a whole number from 1 to 60000/],
  [['http://a/', '--target', '/no/file'], /\/no\/file: there is no such file/],
  [['http://a/', '--known-failures', '/no/file'], /\/no\/file: there is no such file/],
  [['diff', 'a.json'], /conform diff takes two reports, and was given 1\./],
  [['diff', 'a', 'b', 'c'], /conform diff takes two reports, and was given 3\./],
  [['diff', '/no/a', '/no/b'], /\/no\/a: there is no such file/],
  [['diff', 'a', 'b', '--verbose'], /conform diff has no --verbose\./],
]

for (const [words, message] of refused) {
  void t.test(`graphwire conform ${words.join(' ')} is refused with exit code 2`, async (t) => {
    const { code, out, err } = await say(['conform', ...words])
    t.equal(code, 2)
    t.equal(out, '')
    t.match(err, message)
  })
}

void t.test('every line that is wrong with a file is told with its name', async (t) => {
  const folder = t.testdir({ target: '{"uri":1,"timeout":"x"}', known: 'a.b', report: '{}' })
  const target = await say(['conform', '--target', `${folder}/target`])
  t.equal(target.code, 2)
  t.match(target.err, `graphwire: ${folder}/target: there is no member "uri"`)
  t.match(target.err, `\n${folder}/target: timeout: expected `)
  const known = await say(['conform', 'http://a/', '--known-failures', `${folder}/known`])
  t.match(known.err, `${folder}/known: Line 1: a.b has no reason.`)
  const report = await say(['conform', 'diff', `${folder}/report`, `${folder}/report`])
  t.equal(report.code, 2)
  t.match(report.err, `${folder}/report: is no report`)
})

void t.test('conform diff has exit code 1 where something became worse', async (t) => {
  const folder = t.testdir()
  writeFileSync(`${folder}/a`, JSON.stringify(reportOf(caseOf('x'), caseOf('y'))))
  writeFileSync(`${folder}/b`, JSON.stringify(reportOf(caseOf('x', { verdict: 'fail' }))))
  const worse = await say(['conform', 'diff', `${folder}/a`, `${folder}/b`])
  t.equal(worse.code, 1)
  t.match(worse.out, '1 worse, 0 better, 0 new, 1 gone, 0 the same\n')
  const better = await say(['conform', 'diff', `${folder}/b`, `${folder}/a`])
  t.equal(better.code, 0)
  t.match(better.out, '0 worse, 1 better, 1 new, 0 gone, 0 the same\n')
})

void t.test(
  'progress is a line every now and then, and on a terminal one that changes',
  async (t) => {
    t.context = ''
    const write = (text: string): void => {
      t.context += text
    }
    const lines = showProgress({ isTerminal: false, columns: 80, write }, 1)
    lines.tick(caseOf('a', { verdict: 'fail' }), 1, 2)
    t.equal(t.context, '')
    while (t.context === '') await new Promise((resolve) => setTimeout(resolve, 1))
    lines.end()
    t.match(t.context, /^(?:1\/2, 1 failed {2}a\n)+$/)

    t.context = ''
    const line = showProgress({ isTerminal: true, columns: 30, write })
    line.tick(caseOf('a'), 1, 2)
    line.tick(caseOf('b'.repeat(50)), 2, 2)
    line.end()
    const shown = ['probing the target', '1/2  a', `2/2  ${'b'.repeat(24)}`, '']
    t.equal(t.context, shown.map((text) => `\r\u001b[2K${text}`).join(''))
  },
)

void t.test('docs/conform.md tells every flag', async (t) => {
  const text = readFileSync(new URL('../../../docs/conform.md', import.meta.url), 'utf8')
  for (const [name, { doc, env }] of Object.entries<Flag<unknown>>(conformFlags)) {
    const row = text.split('\n').find((line) => line.startsWith(`| \`--${name}`)) ?? ''
    t.match(row, doc, `--${name}`)
    for (const variable of env) t.match(row, `\`${variable}\``)
  }
  for (const name of Object.keys(beginnings)) t.match(text, `\`${name}\``)
  t.equal(exitCodes.findings.code, 1)
})
