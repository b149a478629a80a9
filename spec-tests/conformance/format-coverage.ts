import { demands } from '../../src/conformance/judge/judge.js'
import { editionNames, isBetween, type EditionName } from '../../src/conformance/suite/editions.js'
import type { Statement } from '../../src/conformance/suite/statements.js'
import type { Case, Suite } from '../../src/conformance/suite/suite.js'

/** A text with its statements, and the edition by which its cases are judged. */
export interface CoveredText {
  readonly title: string
  readonly edition: EditionName
  readonly statements: readonly Statement[]
}

/** A statement with more cases than this has them counted by the beginnings of their ids. */
const maxListed = 4

/** The cases and invariants that hold a server against a statement in an edition. */
export function casesOf(suite: Suite, statement: string, edition: EditionName): readonly Case[] {
  return [...suite.cases, ...suite.invariants].filter(
    ({ editions, steps = [], expect = [] }) =>
      isBetween(edition, editions?.from, editions?.until) &&
      [...expect, ...steps.flatMap((step) => step.expect ?? [])].some(
        (assertion) => assertion.statement === statement && demands(assertion, edition),
      ),
  )
}

/** The page that says, for each statement, which cases test it, or why none can. */
export function formatCoverage(suite: Suite, texts: readonly CoveredText[]): string {
  return [
    '<!-- Written by `npm run report:coverage`. Do not edit. -->',
    '# What the conformance suite covers',
    'Every statement of each text, and the cases of `fixtures/` that test it. `core.null.*` (4) means four cases whose ids begin ' +
      'with `core.null`. Where there is no case, the last column says why, or what one would need.',
    formatSummary(suite, texts),
    ...texts.map((text) => formatText(suite, text)),
  ].join('\n\n')
}

function formatSummary(suite: Suite, texts: readonly CoveredText[]): string {
  const rows = texts.map(({ title, edition, statements }) => {
    const bound = statements.filter(({ binds }) => binds === 'server')
    const tested = bound.filter(({ id }) => casesOf(suite, id, edition).length > 0)
    const untestable = bound.filter(({ test }) => test === 'untestable')
    const counts = [bound.length, tested.length, untestable.length]
    return `| [${title}](#${toAnchor(title)}) | ${counts.join(' | ')} |`
  })
  return [
    '| Text | Statements that bind a server | with cases | untestable |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function formatText(suite: Suite, { title, edition, statements }: CoveredText): string {
  const rows = statements.map((statement) => {
    const { id, level, binds, section, paraphrase } = statement
    const cases = casesOf(suite, id, edition)
    const last = cases.length > 0 ? formatCases(cases) : reasonOf(statement)
    const who = binds === 'client' ? `${level} (client)` : level
    return `| ${[id, who, section, paraphrase, last].map(escapeCell).join(' | ')} |`
  })
  return [
    `## ${title}`,
    '',
    '| Statement | Level | Section | In short | Cases, or why none |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n')
}

function reasonOf({ test, binds, how }: Statement): string {
  if (binds === 'client') return `binds clients: ${how}`
  return test === 'configured' ? `needs a target set up for it: ${how}` : how
}

function formatCases(cases: readonly Case[]): string {
  const ids = cases.map(({ id }) => id)
  for (const depth of [Infinity, 3, 2, 1]) {
    const groups = groupBy(ids, (id) => id.split('.').slice(0, depth).join('.'))
    if (groups.size > maxListed && depth > 1) continue
    return [...groups]
      .map(([name, { length, 0: first }]) =>
        length === 1 ? `\`${first}\`` : `\`${name}.*\` (${length})`,
      )
      .join(', ')
  }
  return ''
}

function groupBy(ids: readonly string[], nameOf: (id: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>()
  for (const id of ids) {
    const name = nameOf(id)
    groups.set(name, [...(groups.get(name) ?? []), id])
  }
  return groups
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')
}

/** The editions that can be failed: all but the proposals of `next`. */
export const publishedEditions: readonly EditionName[] = editionNames.filter(
  (name) => name !== 'next',
)
