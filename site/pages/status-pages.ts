import { readStatements } from '../../src/conformance/suite/statements.js'
import {
  explainStatus,
  listStatuses,
  type ExplainedTopic,
} from '../../src/cli/explain/explain-topic.js'
import { titleOfStatus } from '../../src/cli/explain/explain-topic.js'
import { exchangeOf, type Exchange } from './exchanges.js'
import { formatTable, joinSections, readTables } from './markdown.js'
import { formatRules, pageOfCode, surfaces } from './topic-parts.js'

const statements = readStatements('2026-09')

/** The pages of the folder status: an index, and one for each status with an exchange that really took place. */
export async function makeStatusPages(): Promise<ReadonlyMap<string, string>> {
  const pages = new Map([['README.md', formatIndex()]])
  for (const status of listStatuses()) {
    const topic = explainStatus(Number(status), statements)
    if (topic === undefined) throw new Error(`${status} is listed, but not explained`)
    pages.set(`${status}.md`, formatPage(status, topic, await exchangeOf(status)))
  }
  return pages
}

function formatIndex(): string {
  const rows = listStatuses().map((status) => {
    const { meaning, reasons = [] } = explainStatus(Number(status), statements) ?? {}
    return [`[${titleOfStatus(status)}](${status}.md)`, meaning ?? reasons[0]?.cause ?? '']
  })
  return joinSections([
    '# Statuses',
    'Each status that graphwire sends, in the September 2026 edition. `graphwire explain 422` prints the same in the terminal. ' +
      'The codes of errors have [pages of their own](../codes/README.md).',
    formatTable([['Status', 'Meaning'], ...rows]),
  ])
}

function formatPage(status: string, topic: ExplainedTopic, exchange: Exchange): string {
  return joinSections([
    `# ${topic.title}`,
    topic.meaning,
    topic.advice === undefined ? undefined : `**What to do:** ${topic.advice}`,
    formatReasons(topic.reasons),
    formatExchange(exchange),
    formatRules(topic.rules),
    formatClients(status),
    formatProxies(status),
  ])
}

function formatReasons(reasons: ExplainedTopic['reasons']): string | undefined {
  if (reasons.length === 0) return undefined
  const rows = reasons.map(({ code, cause, advice, by }) => [
    `[\`${code}\`](../codes/${pageOfCode(code)})`,
    surfaces[by],
    cause,
    advice,
  ])
  return `## Why it is sent\n\n${formatTable([['Code', 'About', 'Cause', 'What to do'], ...rows])}`
}

function formatExchange({ server, request, response }: Exchange): string {
  return [
    `## An exchange\n\n${server} gets`,
    fence(request),
    'and sends (`Date` is left out)',
    fence(response),
  ].join('\n\n')
}

function fence(text: string): string {
  return `\`\`\`http\n${text}\n\`\`\``
}

/** The rows of the page of clients about this status, a column for each; a client a line. */
function formatClients(status: string): string {
  const rows = readTables('docs/clients.md').filter(
    ({ section, cells: [first = ''] }) =>
      section === 'How each handles a status' && names(withoutBrackets(first), status),
  )
  const head = '## What clients do'
  const [first] = rows
  if (first === undefined) {
    return `${head}\n\nNot measured. [Clients](../clients.md) has the statuses that were.`
  }
  const cases = rows.map(({ cells: [title = ''] }) => /: (.*)$/.exec(title)?.[1] ?? 'What it gives')
  const clients = first.head
    .slice(1)
    .map((client, at) => [
      client,
      ...rows.map(({ cells }) => fromFolder(cells[at + 1] ?? '', 'clients.md')),
    ])
  const table = formatTable([['Client', ...cases], ...clients])
  return `${head}\n\n${table}\n\nMeasured: [clients](../clients.md#how-each-handles-a-status).`
}

const proxies = new Set(['nginx', 'HAProxy', 'Varnish'])

/** The rows of the page of proxies that name this status, a table for each kind of table there. */
function formatProxies(status: string): string {
  const rows = readTables('docs/proxies.md').filter(
    ({ section, cells }) => proxies.has(section) && names(cells.join(' '), status),
  )
  const head = '## What proxies do'
  if (rows.length === 0) {
    return `${head}\n\nNo behavior of its own was seen. [Proxies](../proxies.md) has what was measured.`
  }
  const kinds = new Set(rows.map((row) => row.head.join()))
  const tables = [...kinds].map((kind) => {
    const alike = rows.filter((row) => row.head.join() === kind)
    const lines = alike.map(({ section, cells }) => [
      section,
      ...cells.map((cell) => fromFolder(cell, 'proxies.md')),
    ])
    return formatTable([['Proxy', ...(alike[0]?.head ?? [])], ...lines])
  })
  const note = 'Measured, except what has a link to documentation: [proxies](../proxies.md).'
  return [head, ...tables, note].join('\n\n')
}

/** Whether a text has the status as a number of its own. */
function names(text: string, status: string): boolean {
  return new RegExp(`(?<![\\d.,])${status}(?![\\d,.]*\\d)`).test(text)
}

function withoutBrackets(text: string): string {
  return text.replaceAll(/\([^)]*\)/g, '')
}

/** Links of a page of docs, from a folder below it. */
function fromFolder(text: string, page: string): string {
  return text.replaceAll('](#', `](${page}#`).replaceAll(/\]\((?![a-z]+:)/g, '](../')
}
