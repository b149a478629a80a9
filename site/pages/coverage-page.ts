import { groupBy } from '../../src/conformance/reporters/digest/digest.js'
import { demands } from '../../src/conformance/judge/judge.js'
import { editionNames, isBetween, titleOf } from '../../src/conformance/suite/editions.js'
import type { EditionName } from '../../src/conformance/suite/editions.js'
import type { Statement } from '../../src/conformance/suite/statements.js'
import { readSuite, type Case } from '../../src/conformance/suite/suite.js'
import { readFixtures } from '../../spec-tests/conformance/read-fixtures.js'

const suite = readSuite()

/** A text with its statements, and the edition by which its cases are judged. */
interface CoveredText {
  readonly title: string
  readonly edition: EditionName
  readonly statements: readonly Statement[]
}

/** The texts of the specification; nothing can be failed by those of the edition `next`. */
export const texts: readonly CoveredText[] = [
  ...editionNames
    .filter((name) => name !== 'next')
    .toReversed()
    .map((name) => ({ title: `Edition ${titleOf(name)}`, edition: name, statements: read(name) })),
  { title: 'RFCs', edition: '2026-09', statements: read('rfc') },
  { title: 'Streams and sockets', edition: '2026-09', statements: read('streaming') },
  { title: 'Proposals (next)', edition: 'next', statements: read('next') },
]

function read(name: string): readonly Statement[] {
  return (readFixtures(`statements/${name}.json`) as { statements: Statement[] }).statements
}

/** A statement with more cases than this has them counted by the beginnings of their ids. */
const maxListed = 4

/** The cases and invariants that hold a server against a statement in an edition. */
export function casesOf(statement: string, edition: EditionName): readonly Case[] {
  return [...suite.cases, ...suite.invariants].filter(
    ({ editions, steps = [], expect = [] }) =>
      isBetween(edition, editions?.from, editions?.until) &&
      [...expect, ...steps.flatMap((step) => step.expect ?? [])].some(
        (assertion) => assertion.statement === statement && demands(assertion, edition),
      ),
  )
}

/** The page that says, for each statement, which cases test it, or why none can. */
export function makeCoveragePage(): string {
  return [
    '# What the conformance suite covers',
    'Every statement of each text, and the cases of `fixtures/` that test it. `core.null.*` (4) means four cases whose ids begin ' +
      'with `core.null`. Where there is no case, the last column says why, or what one would need.',
    formatSummary(),
    ...texts.map(formatText),
  ]
    .join('\n\n')
    .concat('\n')
}

function formatSummary(): string {
  const rows = texts.map(({ title, edition, statements }) => {
    const bound = statements.filter(({ binds }) => binds === 'server')
    const tested = bound.filter(({ id }) => casesOf(id, edition).length > 0)
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

function formatText({ title, edition, statements }: CoveredText): string {
  const rows = statements.map((statement) => {
    const { id, level, binds, section, paraphrase } = statement
    const cases = casesOf(id, edition)
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
    const nameOf = (id: string): string => id.split('.').slice(0, depth).join('.')
    const groups = groupBy(ids, nameOf)
    if (groups.length > maxListed && depth > 1) continue
    return groups
      .map(({ length, 0: first }) =>
        length === 1 ? `\`${first}\`` : `\`${nameOf(first)}.*\` (${length})`,
      )
      .join(', ')
  }
  return ''
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
