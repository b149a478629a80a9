import { verdicts, type CaseReport, type Report } from '../report.js'
import { groupBySuite } from './group-by-suite.js'
import { toPlainSentence } from './plain-sentence.js'
import { toPrintable, toPrintableLine } from './printable.js'
import { findingsOf, formatConclusion, formatDuration } from './summary.js'

/** The report as Markdown, for a comment or the summary of a job. */
export function formatMarkdown(report: Report): string {
  const { target, edition, suite, startedAt, durationMs, cases } = report
  const findings = findingsOf(cases)
  const known = cases.filter((one) => one.known !== undefined && one.verdict === 'info')
  const blocks = [
    '# GraphQL over HTTP: conformance',
    `**${formatConclusion(report)}**`,
    `${code(target)}, edition ${edition}, suite ${code(suite)}, ${startedAt}, ` +
      formatDuration(durationMs),
    formatTable(report),
    ...(findings.length === 0 ? [] : ['## What does not hold', ...findings.flatMap(formatFinding)]),
    ...(known.length === 0 ? [] : ['## Known failures', known.map(formatKnown).join('\n')]),
  ]
  return `${blocks.join('\n\n')}\n`
}

function formatTable({ cases, totals }: Report): string {
  return [
    `| suite | ${verdicts.join(' | ')} |`,
    `|---${'|--:'.repeat(verdicts.length)}|`,
    ...groupBySuite(cases).map((group) => formatRow(code(group.name), group.totals)),
    formatRow('**all**', totals),
  ].join('\n')
}

function formatRow(name: string, totals: Report['totals']): string {
  const counts = verdicts.map((verdict) => totals[verdict] || '')
  return `| ${name} | ${counts.join(' | ')} |`
}

function formatFinding({ id, title, verdict, message, spec, evidence }: CaseReport): string[] {
  const blocks = [`### ${verdict}: ${code(id)}`, `${escape(title)}: ${code(message)}`]
  if (spec !== null) {
    blocks.push(
      `> ${escapeEntities(toPlainSentence(spec.quote))}\n>\n` +
        `> ${spec.level} ${spec.statement}, ${escape(spec.section)}, <${encodeURI(spec.source)}>`,
    )
  }
  if (evidence !== undefined) {
    blocks.push(
      '<details><summary>Request and response</summary>',
      fence(evidence.sent),
      fence(evidence.received),
      '</details>',
    )
  }
  return blocks
}

function formatKnown({ id, known = '', message }: CaseReport): string {
  return `- ${code(id)}: ${escape(known)} (${code(message)})`
}

/** Text of a target stands as code, where neither markup nor a mention of a user works. */
function code(text: string): string {
  const line = toPrintableLine(text)
  const ticks = '`'.repeat(longestRun(line) + 1)
  return line.startsWith('`') || line.endsWith('`')
    ? `${ticks} ${line} ${ticks}`
    : `${ticks}${line}${ticks}`
}

function fence(text: string): string {
  const printable = toPrintable(text).trimEnd()
  const ticks = '`'.repeat(Math.max(3, longestRun(printable) + 1))
  return `${ticks}http\n${printable}\n${ticks}`
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}

function escape(text: string): string {
  return escapeEntities(text.replaceAll(/[\\`*_{}[\]#|~]/g, String.raw`\$&`))
}

/** What is Markdown already. A mention would call a stranger to the comment. */
function escapeEntities(text: string): string {
  return toPrintableLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/@(?=\w)/g, '@<!-- -->')
}
