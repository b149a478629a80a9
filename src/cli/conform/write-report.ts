import { writeFile } from 'node:fs/promises'
import {
  formatKnownFailures,
  formatTotals,
  reporters,
  type CaseReport,
  type KnownFailures,
  type Report,
  type FieldLine,
} from '../../conformance/index.js'
import type { Terminal } from '../arguments/define-command.js'
import { failsRun, type FailOn } from './exit-code-of.js'
import type { ConformPlan } from './conform-plan.js'

/** Writes a report, with `others` of the same target beside it; returns false if that fails. */
export function writeReport(
  [report, ...others]: readonly [Report, ...Report[]],
  { reporter, output, verbose }: ConformPlan,
  terminal: Terminal,
): Promise<boolean> {
  const colour = output === undefined && wantsColour(terminal)
  const text = reporters[reporter](report, { verbose, colour, others })
  return writeText(text, formatTotals(report.totals), output, terminal)
}

/** Writes the text to `output`, and the summary to stderr; if that fails, writes the text to stdout and returns false. */
export async function writeText(
  text: string,
  summary: string,
  output: string | undefined,
  terminal: Terminal,
): Promise<boolean> {
  if (output === undefined) {
    terminal.out(text)
    return true
  }
  try {
    await writeFile(output, text)
    terminal.err(`${summary}; the report is in ${output}\n`)
    return true
  } catch (error) {
    terminal.out(text)
    terminal.err(`graphwire: cannot write ${output}: ${(error as Error).message}\n`)
    return false
  }
}

/** https://no-color.org, and the variable with which CI systems request color without a terminal. */
function wantsColour({ env }: Terminal): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false
  const forced = env['FORCE_COLOR'] ?? ''
  return forced === '' ? process.stdout.isTTY && env['TERM'] !== 'dumb' : forced !== '0'
}

/** Prints which lines of the list of known failures are out of date, in case the report is not shown. */
export function tellStale({ cases }: Report, terminal: Terminal): void {
  for (const one of cases) {
    if (isStale(one)) terminal.err(`graphwire: ${one.id}: ${one.message}; remove it\n`)
  }
}

/** Writes the list of failures; returns false if that fails. */
export async function writeList(
  report: Report,
  { listFile, failOn, options }: ConformPlan,
  terminal: Terminal,
): Promise<boolean> {
  if (listFile === undefined) return true
  const list = listOf(report.cases, options.knownFailures, failOn)
  try {
    await writeFile(listFile, formatKnownFailures(list))
  } catch (error) {
    terminal.err(`graphwire: cannot write ${listFile}: ${(error as Error).message}\n`)
    return false
  }
  const count = list.size === 1 ? '1 known failure' : `${list.size} known failures`
  terminal.err(`${count}: the list is in ${listFile}\n`)
  return true
}

/** The report, judged by the list that was written. */
export function withoutFails(report: Report): Report {
  const cases = report.cases.filter(({ verdict }) => verdict !== 'fail' && verdict !== 'warn')
  return { ...report, cases }
}

/** Entries of the list keep their reasons unless they are out of date; other failures are added. */
function listOf(
  cases: readonly CaseReport[],
  knownFailures: KnownFailures,
  failOn: FailOn,
): KnownFailures {
  const stale = new Set(cases.filter(isStale).map(({ id }) => id))
  const remaining = [...knownFailures].filter(([id]) => !stale.has(id))
  const added = cases
    .filter((one) => !isStale(one) && failsRun(one, failOn))
    .map(({ id, message }) => [id, message] as const)
  return new Map([...remaining, ...added].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

/** Only a mistake in the list itself is both a failure and listed. */
function isStale({ verdict, known }: CaseReport): boolean {
  return verdict === 'fail' && known !== undefined
}

/** The report without the values of the user's headers: they may be secrets, and reports are published. */
export function hideHeaders(report: Report, headers: readonly FieldLine[]): Report {
  const hide = toHider(secretsOf(headers))
  const hideLines = toHider(
    headers.map(([name, value]) => ({ before: `\n${name}: `, text: value, least: 1 })),
  )
  const cases = report.cases.map((one): CaseReport => {
    const message = hide(one.message)
    if (one.evidence === undefined) return { ...one, message }
    const { sent, received, command, timeline } = one.evidence
    const entries = timeline?.map(({ at, by, text }) => ({ at, by, text: hide(text) }))
    const evidence = {
      sent: hideLines(sent),
      received: hide(received),
      ...(command !== undefined && { command: hide(command) }),
      ...(entries && { timeline: entries }),
    }
    return { ...one, message, evidence }
  })
  const { diagnosis } = report
  return { ...report, cases, ...(diagnosis !== undefined && { diagnosis: hide(diagnosis) }) }
}

const hidden = '(hidden)'

/** A shorter value is hardly a secret, and hiding it everywhere would make the report unreadable. */
const minSecretLength = 4

/** Fields whose values are not secret, and which a report needs. */
const harmless = /^(?:accept(?:-.+)?|content-type|host|origin|user-agent)$/i

/** Text to be hidden. */
interface Secret {
  /** The text before it, which stays. */
  readonly before: string
  readonly text: string
  /** How much of it is hidden where the rest was cut off. */
  readonly least: number
}

/** What the target may repeat of the headers: a whole value, or the credentials after its scheme. */
function secretsOf(headers: readonly FieldLine[]): readonly Secret[] {
  const texts = headers
    .filter(([name]) => !harmless.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\S+[ \t]+/, '')])
    // Escaped as in the JSON of the target, and as in a message that shows JSON.
    .flatMap((value) => [value, escape(value), escape(escape(value))])
    .filter((value) => value.length >= minSecretLength)
  const longestFirst = [...new Set(texts)].toSorted((one, other) => other.length - one.length)
  return longestFirst.map((text) => ({ before: '', text, least: minSecretLength }))
}

function escape(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}

function toHider(secrets: readonly Secret[]): (text: string) => string {
  return (text) => {
    let rest = text
    for (const { before, text: secret } of secrets) {
      rest = rest.replaceAll(before + secret, () => before + hidden)
    }
    return hideCut(rest, secrets)
  }
}

/** Where the suite has cut a long text, in a message or in bytes. */
const cuts = /\.\.\.|\n\.\.\. \d+ bytes more/g

/** Hides the beginning of a secret whose rest was cut off. */
function hideCut(text: string, secrets: readonly Secret[]): string {
  let done = ''
  let at = 0
  for (const { index } of text.matchAll(cuts)) {
    const starts = secrets.map((secret) => findCut(text.slice(at, index), secret))
    const start = Math.min(...starts.filter((found) => found >= 0))
    done += start === Infinity ? text.slice(at, index) : text.slice(at, at + start) + hidden
    at = index
  }
  return done + text.slice(at)
}

/** Where the beginning of a secret stands at the end of a text; -1 if nowhere. */
function findCut(text: string, { before, text: secret, least }: Secret): number {
  const whole = before + secret
  const start = whole.slice(0, before.length + least)
  let at = text.indexOf(start, Math.max(0, text.length - whole.length))
  while (at >= 0 && !whole.startsWith(text.slice(at))) at = text.indexOf(start, at + 1)
  return at < 0 ? at : at + before.length
}
