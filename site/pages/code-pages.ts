import { readStatements } from '../../src/conformance/suite/statements.js'
import { listCodes } from '../../src/cli/explain/codes.js'
import { explainCode, type ExplainedTopic } from '../../src/cli/explain/explain-topic.js'
import { findCodes } from '../../spec-tests/cli/explain/engine-source.js'
import { formatTable, joinSections } from './markdown.js'
import { makeRefusalTables } from './refusal-tables.js'
import { formatRules, pageOfCode, surfaces } from './topic-parts.js'

const statements = readStatements('2026-09')
const codes = [...new Set([...findCodes(), ...listCodes().map(({ code }) => code)])].toSorted()

/** The pages of the folder codes: an index, and one for each code that the sources or the tables name. */
export function makeCodePages(): ReadonlyMap<string, string> {
  const pages = new Map([['README.md', formatIndex()]])
  for (const code of codes) {
    const topic = explainCode(code, statements)
    if (topic === undefined)
      throw new Error(`${code} is in the source, but not in the table of codes`)
    pages.set(pageOfCode(code), formatPage(topic))
  }
  return pages
}

function formatIndex(): string {
  const rows = codes.map((code) => {
    const reasons = explainCode(code, statements)?.reasons ?? []
    const statuses = [...new Set(reasons.map(({ status }) => linkTo(status)))]
    return [`[\`${code}\`](${pageOfCode(code)})`, statuses.join(', '), reasons[0]?.cause ?? '']
  })
  return joinSections([
    '# Codes of errors',
    'Each `extensions.code` that graphwire sends. Resolvers may throw codes of their own. ' +
      '[Errors](../errors.md) explains who sends what; `graphwire explain NOT_ACCEPTABLE` prints a page in the terminal. ' +
      'Errors of [tools](../mcp.md) also have [codes of JSON-RPC](#refusals-of-tools).',
    formatTable([['Code', 'Status', 'First cause'], ...rows]),
    makeRefusalTables(),
  ])
}

function formatPage({ title, reasons, rules: found }: ExplainedTopic): string {
  const rows = reasons.map(({ status, by, cause, advice }) => [
    linkTo(status),
    surfaces[by],
    cause,
    advice,
  ])
  const statuses = new Set(reasons.flatMap(({ status }) => (status === undefined ? [] : status)))
  return joinSections([
    `# ${title}`,
    formatTable([['Status', 'About', 'Cause', 'Remedy'], ...rows]),
    statuses.size === 0
      ? undefined
      : `An exchange, and what clients and proxies do: ${[...statuses].map(linkTo).join(', ')}.`,
    formatRules(found),
    'See also: [errors](../errors.md), [all codes](README.md).',
  ])
}

function linkTo(status: number | undefined): string {
  return status === undefined ? 'any' : `[${status}](../status/${status}.md)`
}
