import { verdicts, type CaseReport, type Report, type SpecReference } from '../suite/report.js'
import { formatLevel, sumOf, type ReportDigest, type Group, type Habit } from './digest/digest.js'
import { toPlainSentence, toPrintable, toPrintableLine } from './words/printable.js'

/** The report as Markdown, for a comment or a job summary. */
export function formatMarkdown(digest: ReportDigest): string {
  const { target, title, suite, startedAt, duration, diagnosis, cases, habits } = digest
  const knownFailures = cases.filter((one) => one.known !== undefined && one.verdict === 'info')
  const blocks = [
    '# GraphQL over HTTP: conformance',
    diagnosis !== undefined && `**Diagnosis:** ${code(diagnosis)}`,
    `**${digest.conclusion}**`,
    `${code(target)}, edition ${title}, suite ${code(suite)}, ${startedAt}, ${duration}`,
    formatTable(digest),
    habits.length > 0 && '## Findings',
    ...habits.flatMap(formatHabit),
    knownFailures.length > 0 && '## Known failures',
    knownFailures
      .map(({ id, known = '', message }) => `- ${code(id)}: ${escape(known)} (${code(message)})`)
      .join('\n'),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

function formatTable({ suites, texts, totals }: ReportDigest): string {
  return [
    `| suite | ${verdicts.join(' | ')} | all |`,
    `|---${'|--:'.repeat(verdicts.length + 1)}|`,
    ...suites.map((group) => formatRow(code(group.name), group.totals)),
    formatRow('**all**', totals),
    ...texts.map(([name, counts]) => formatRow(`cite ${name}`, counts)),
  ].join('\n')
}

function formatRow(name: string, totals: Report['totals']): string {
  const counts = verdicts.map((verdict) => totals[verdict] || '')
  return `| ${name} | ${counts.join(' | ')} | ${sumOf(totals)} |`
}

/** The sentence comes once, below the first case that breaks it. */
function formatHabit([first, ...more]: Habit): string[] {
  const [{ verdict, id, spec }] = first
  return [
    `### ${verdict}: ${code(id)}`,
    ...formatFinding(first, '', spec),
    ...more.flatMap((one) => formatFinding(one, `${code(one[0].id)}: `, null)),
  ]
}

function formatFinding(
  [{ title, message, evidence }, ...others]: Group<CaseReport>,
  name: string,
  spec: SpecReference | null,
): string[] {
  const blocks = [`${name}${escape(title)}: ${code(message)}`]
  if (others.length > 0) {
    blocks.push(`Same finding in ${others.map(({ id }) => code(id)).join(', ')}.`)
  }
  if (spec !== null) {
    const { statement, section, source, quote } = spec
    const place = `${formatLevel(spec)} ${statement}, ${escape(section)}, <${encodeURI(source)}>`
    blocks.push(`> ${escapeEntities(toPlainSentence(quote))}\n>\n> ${place}`)
  }
  if (evidence !== undefined) {
    const start = '<details><summary>Request and response</summary>'
    blocks.push(start, fence(evidence.sent), fence(evidence.received), '</details>')
  }
  return blocks
}

/** Text of a target is shown as code, which disables markup and mentions of users. */
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

/** For text that is Markdown already. A mention would notify an uninvolved user. */
function escapeEntities(text: string): string {
  return toPrintableLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/@(?=\w)/g, '@<!-- -->')
}
