import { findRules } from '../../src/cli/explain/rules.js'
import { verdicts } from '../../src/conformance/suite/report.js'
import { readStatements } from '../../src/conformance/suite/statements.js'
import { formatTable, joinSections, readTables, type QuotedRow } from './markdown.js'
import { readRoot } from './read-root.js'

const report = 'docs/reports/conformance.md'
const site = 'https://graphwire.github.io/graphwire/servers'

interface TestedServer {
  readonly name: string
  readonly page: string
  readonly rows: readonly QuotedRow[]
}

/** The pages of the folder servers: an index, best first, and one for each server, to which a badge can link. */
export function makeServerPages(): ReadonlyMap<string, string> {
  const text = readRoot(report)
  const servers = readServers()
  const findings = new Map(
    text
      .slice(text.indexOf('\n## What fails and why'))
      .split('\n### ')
      .slice(1)
      .map((part) => [part.split('\n', 1)[0] ?? '', part.slice(part.indexOf('\n')).trim()]),
  )
  return new Map([
    ['README.md', formatIndex(servers)],
    ...servers.map((one) => [one.page, formatServer(one, findings.get(one.name) ?? '')] as const),
  ])
}

/** The servers with totals in the newest edition, by how many cases break a MUST, then a SHOULD. */
function readServers(): readonly TestedServer[] {
  const all = readTables(report)
  const [first] = all
  return all
    .filter((row) => row.part === first?.part)
    .map(({ cells: [name = ''] }) => ({
      name,
      page: `${name
        .toLowerCase()
        .replaceAll(/[^a-z\d]+/g, '-')
        .replaceAll(/^-|-$/g, '')}.md`,
      rows: all.filter(({ cells }) => cells[0] === name),
    }))
    .toSorted((one, other) => weightOf(one) - weightOf(other))
}

function weightOf(server: TestedServer): number {
  return 10_000 * figure(server, 'fail') + figure(server, 'warn')
}

/** A figure of the newest edition, which comes first. */
function figure({ rows: [row] }: TestedServer, column: string): number {
  return Number(cellOf(row, column))
}

function cellOf(row: QuotedRow | undefined, column: string): string {
  return row?.cells[row.head.indexOf(column)] ?? ''
}

function rowOf({ rows }: TestedServer, column: string): QuotedRow | undefined {
  return rows.find(({ head }) => head.includes(column))
}

function formatIndex(servers: readonly TestedServer[]): string {
  const most = Math.max(...servers.map(sumOf))
  const [, date] = /^## Results of (.*)$/m.exec(readRoot(report)) ?? []
  return joinSections([
    '# Servers by conformance',
    `What each server made of the ${most} cases that the conformance suite had in the September 2026 edition on ${date}. ` +
      'A **fail** breaks a MUST, a **warn** breaks a SHOULD, and **skip** means that the server does not have the feature. ' +
      'The order is by fails, then by warns.',
    formatRanks(servers.filter((one) => sumOf(one) === most)),
    '## Streams and sockets alone',
    'These were tested with the suites of streams and sockets only.',
    formatRanks(servers.filter((one) => sumOf(one) < most)),
    '## By suite',
    '![How many cases of each suite pass, warn and fail with each server](../reports/conformance.svg)',
    'A count is not a grade: one deviation can break twenty cases, and servers with fewer features skip more. ' +
      '[How to read the results](../conformance.md#how-to-read-the-results) says what else to consider, and ' +
      '[the report](../reports/conformance.md) has all figures.',
  ])
}

function formatRanks(servers: readonly TestedServer[]): string {
  const rows = servers.map((one) => [
    `[${one.name}](${one.page})`,
    ...verdicts.map((verdict) => String(figure(one, verdict))),
    String(sumOf(one)),
    cellOf(rowOf(one, 'language'), 'language'),
  ])
  return formatTable(
    [['Server', ...verdicts, 'all', 'Language'], ...rows],
    (at) => at > 0 && at < 8,
  )
}

function sumOf(server: TestedServer): number {
  return verdicts.reduce((sum, verdict) => sum + figure(server, verdict), 0)
}

function formatServer(server: TestedServer, findings: string): string {
  const { name, page, rows } = server
  const about = rowOf(server, 'versions')
  const editions = rows
    .filter(({ head }) => head.includes('info'))
    .map(({ part, cells }) => [part, ...cells.slice(1)])
  const bySuite = rows.filter(({ part }) => part.includes('pass / fail / warn'))
  const isOfEdition = ({ part }: QuotedRow): boolean => part.startsWith('By suite')
  const link = `${site}/${page.replace(/md$/, 'html')}`
  return joinSections([
    `# ${name}: conformance`,
    `${cellOf(about, 'language')}, ${cellOf(about, 'versions')}; started by ${cellOf(about, 'started by')}.`,
    formatTable([['Edition', ...verdicts], ...editions], (at) => at > 0),
    '## By suite: pass / fail / warn',
    formatSuites(bySuite.filter(isOfEdition)),
    formatSuites(bySuite.filter((row) => !isOfEdition(row))),
    ...formatFindings(findings),
    '## A badge',
    '`graphwire conform URL --reporter badge --output badge.svg` draws one. Let it link to this page:',
    `\`\`\`md\n[![GraphQL over HTTP](badge.svg)](${link})\n\`\`\``,
    'See also: [all servers](README.md), [how to read the results](../conformance.md#how-to-read-the-results), ' +
      '[running the suite](../conform.md).',
  ])
}

/** The suites that were run, with a column for each part of the report. */
function formatSuites(parts: readonly QuotedRow[]): string {
  const titles = parts.map(({ part }) => part.replace(/^By suite, |: pass.*$/g, ''))
  const suites = [...new Set(parts.flatMap(({ head }) => head.slice(1)))]
  const rows = suites
    .map((suite) => [suite, ...parts.map((row) => cellOf(row, suite))])
    .filter(([, ...cells]) => cells.some((cell) => /\d/.test(cell)))
  return rows.length === 0 ? '' : formatTable([['Suite', ...titles], ...rows], (at) => at > 0)
}

const kinds = { fail: 'a MUST', warn: 'a SHOULD', error: 'the runner itself' } as const

/** What breaks a MUST, then what breaks a SHOULD: each sentence once, in few words, with what was found. */
function formatFindings(findings: string): readonly string[] {
  const found = [...findings.matchAll(/^- \*\*(.+?)\*\* (fail|warn|error), (.*)$/gm)]
  if (found.length === 0) return ['## What breaks', findings]
  return Object.entries(kinds).flatMap(([kind, what]) => {
    const ofKind = found.filter(([, , one]) => one === kind)
    if (ofKind.length === 0) return []
    const items = [...new Set(ofKind.map(([, id = '']) => id))].map((id) => {
      const [rule] = findRules(statements, [id])
      const title = rule === undefined ? id : `[${id}](${rule.link}): ${rule.summary}`
      const places = ofKind.filter(([, one]) => one === id).map(([, , , text]) => `  - ${text}`)
      return [`- ${title}`, ...places].join('\n')
    })
    return [`## What breaks ${what}`, items.join('\n')]
  })
}

const statements = readStatements('2026-09')
