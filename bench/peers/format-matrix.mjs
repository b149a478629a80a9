import { titleOf } from '../../dist/src/conformance/suite/editions.js'
import { streaming } from './list.mjs'

const verdicts = ['pass', 'fail', 'warn', 'info', 'skip', 'error']

/** The page of the results. */
export function formatPage(report) {
  return [
    '<!-- Written by `npm run report:conformance`. Do not edit. -->',
    '',
    '# Other servers in the conformance suite: results',
    '',
    'How to read this page: [other servers in the conformance suite](../conformance.md).',
    '',
    '![How many cases of each suite pass, warn and fail with each server](conformance.svg)',
    '',
    formatMatrix(report),
  ].join('\n')
}

/** The report of bench/conformance.mjs as Markdown. */
export function formatMatrix({ date, node, peers: unordered }) {
  const peers = unordered.toSorted((one, other) => weightOf(one) - weightOf(other))
  return [
    `## Results of ${date}`,
    '',
    `Node ${node}. One process each, on the loopback interface. ${countCases(peers)}`,
    '',
    ...formatTotals(peers),
    ...formatCommands(peers),
    ...formatSuites(peers),
    '## What fails and why',
    '',
    'In the newest edition: the [statement](../../fixtures/statements/README.md) that is broken, what was found, and a case. `graphwire conform` lists all cases with their sentences.',
    '',
    ...peers.flatMap(formatDetails),
  ].join('\n')
}

/** How many cases the suite had in each edition; a newer suite has more. */
function countCases(peers) {
  const most = new Map()
  for (const { edition, totals } of peers.flatMap(({ runs }) => runs)) {
    const sum = verdicts.reduce((all, verdict) => all + totals[verdict], 0)
    most.set(edition, Math.max(most.get(edition) ?? 0, sum))
  }
  const texts = [...most].map(([edition, count]) => `${count} cases in ${titleOf(edition)}`)
  return `The suite had ${texts.join(', ')}.`
}

/** Best first, as on the site: by fails, then by warns; servers that were run in some suites only come last. */
function weightOf({ suites, runs: [run] }) {
  const { fail = 9999, warn = 0 } = run?.totals ?? {}
  return (suites === undefined ? 0 : 1e9) + fail * 1e4 + warn
}

function formatTotals(peers) {
  const editions = [...new Set(peers.flatMap(({ runs }) => runs.map(({ edition }) => edition)))]
  return editions.flatMap((edition) => [
    `### ${titleOf(edition)}`,
    '',
    ...table(
      ['server', ...verdicts],
      peers.map((peer) => {
        const run = peer.runs.find((one) => one.edition === edition)
        if (run === undefined) return [peer.name, ...verdicts.map(() => '-')]
        return [peer.name, ...verdicts.map((verdict) => String(run.totals[verdict]))]
      }),
    ),
  ])
}

function formatCommands(peers) {
  return [
    '### Versions and commands',
    '',
    ...table(
      ['server', 'language', 'versions', 'started by'],
      peers.map(({ name, language, versions, command }) => [
        name,
        language,
        versions.join(', '),
        `\`${command}\``,
      ]),
      4,
    ),
  ]
}

/** Passes, fails and warns of each suite, without skipped cases: first requests, then streams. */
function formatSuites(peers) {
  const all = peers.flatMap(({ runs }) => runs)
  const editions = [...new Set(all.map(({ edition }) => edition))]
  const shown = [...new Set(all.flatMap(({ cases }) => cases.filter(counts).map(suiteOf)))]
  const [first] = editions
  return [
    ...editions.flatMap((edition) => [
      `### By suite, ${titleOf(edition)}: pass / fail / warn`,
      '',
      ...suiteTable(
        peers.filter(({ suites }) => suites === undefined),
        edition,
        shown.filter((suite) => !streaming.includes(suite)),
      ),
    ]),
    // No edition covers streams.
    '### Streams and sockets: pass / fail / warn',
    '',
    ...suiteTable(peers, first, streaming),
  ]
}

function suiteOf({ suite }) {
  return suite
}

function suiteTable(peers, edition, suites) {
  const rows = peers.map(({ name, runs }) => {
    const run = runs.find((one) => one.edition === edition)
    return [name, ...suites.map((suite) => formatCell(run, suite))]
  })
  return table(['server', ...suites], rows)
}

function counts({ verdict }) {
  return ['pass', 'fail', 'warn'].includes(verdict)
}

function formatCell(run, suite) {
  const cases = (run?.cases ?? []).filter((one) => one.suite === suite && counts(one))
  if (cases.length === 0) return '-'
  const [pass, fail, warn] = ['pass', 'fail', 'warn'].map(
    (verdict) => cases.filter((one) => one.verdict === verdict).length,
  )
  return `${pass} / ${fail} / ${warn}`
}

/** The findings in the newest edition. */
function formatDetails({ name, runs: [{ cases } = { cases: [] }], problem }) {
  const notice = problem === undefined ? [] : [`Not complete: ${problem}`, '']
  const broken = cases.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
  const lines = [...groupBy(broken, formatFinding)].map(
    ([finding, [{ id }, ...others]]) =>
      `- ${finding}: \`${id}\`${others.length === 0 ? '' : ` and ${others.length} more`}`,
  )
  return [`### ${name}`, '', ...notice, ...(lines.length > 0 ? lines : ['Nothing.']), '']
}

function formatFinding({ spec, verdict, message }) {
  return `**${spec?.statement ?? 'no sentence'}** ${verdict}, ${escape(message)}`
}

function groupBy(cases, keyOf) {
  const groups = new Map()
  for (const one of cases) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}

/** As text of Markdown, in one line. */
function escape(text) {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>|]/g, '\\$&')
    .trim()
}

/** The first `left` columns are texts, the others numbers. */
function table(head, rows, left = 1) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, at) => (at < left ? '---' : '--:'))
  return [line(head), line(rule), ...rows.map(line), '']
}
