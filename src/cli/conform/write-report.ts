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
import type { FailOn } from './conform-flags.js'
import { fail } from '../process/exit.js'
import type { ConformPlan } from './conform-plan.js'
import { countOf, wrapText } from '../../base/prose.js'
import { readableColumns, type Terminal } from '../process/terminal.js'

/** Writes the report, with others of the same target beside it, and the list of failures. */
export async function writeReports(
  [report, ...others]: readonly Report[],
  plan: ConformPlan,
): Promise<void> {
  if (report === undefined) throw new Error('A plan has an edition.')
  const { terminal } = plan
  const { reporter, output, verbose } = plan.flags
  const { colour, columns } = terminal.stdout
  const isShown = output.value === undefined
  const own = { verbose: verbose.value, others, ...(isShown && { colour, columns }) }
  const formatted = reporters[reporter.value](report, own)
  const text = reporter.value === 'pretty' ? formatted + nextStep(report, columns) : formatted
  await writeText(text, formatTotals(report.totals), output.value, terminal)
  // The report itself may go to a file.
  for (const one of report.cases) {
    if (isStale(one)) terminal.err(`graphwire: ${one.id}: ${one.message}; remove it\n`)
  }
  await writeList(report, plan)
}

/** What to do about the first of the findings; nothing without one. What cites nothing cannot be run again. */
function nextStep({ target, cases }: Report, columns: number): string {
  const first = ['fail', 'warn'].flatMap((one) =>
    cases.filter(({ verdict, spec }) => verdict === one && spec !== null),
  )[0]
  if (first === undefined) return ''
  const command = `graphwire conform ${target} --case ${first.id} --verbose`
  const text = `Next: "${command}" shows the first. --write-known-failures accepts what will stay.`
  return `${wrapText(text, Math.min(columns, readableColumns), '', '  ').join('\n')}\n`
}

/** Writes the text to `output`, and the summary to stderr. A text that cannot be written is not lost. */
export async function writeText(
  text: string,
  summary: string,
  output: string | undefined,
  terminal: Terminal,
): Promise<void> {
  if (output === undefined) return terminal.out(text)
  try {
    await write(output, text, `${summary}; the report is in`, terminal)
  } catch (error) {
    terminal.out(text)
    throw error
  }
}

async function write(file: string, text: string, done: string, terminal: Terminal): Promise<void> {
  await writeFile(file, text).catch((error: Error) =>
    fail('usage', `Cannot write ${file}: ${error.message}`),
  )
  terminal.err(`${done} ${file}\n`)
}

async function writeList({ cases }: Report, plan: ConformPlan): Promise<void> {
  const { flags, options, terminal } = plan
  const listFile = flags['write-known-failures'].value
  if (listFile === undefined) return
  const list = listOf(cases, options.knownFailures, flags['fail-on'].value)
  const done = `${countOf(list.size, 'known failure')}: the list is in`
  await write(listFile, formatKnownFailures(list), done, terminal)
}

/** Neither an error of the runner nor a run of all cases without any result, or one that stopped early, is a success. */
export function isFailed(
  { totals, suite, cases, diagnosis }: Pick<Report, 'totals' | 'suite' | 'cases' | 'diagnosis'>,
  failOn: FailOn,
): boolean {
  const isBroken = totals.error > 0 || cases.some((one) => failsRun(one, failOn))
  const { pass, warn, info, fail: failed } = totals
  const isEmpty = suite === 'all' && pass + warn + info + failed === 0
  return isBroken || isEmpty || diagnosis !== undefined
}

/** Whether a case fails the run. An outdated list of known failures always does. */
function failsRun({ verdict, layer, known }: CaseReport, failOn: FailOn): boolean {
  const isOwn = layer === undefined || layer === 'edition' || known !== undefined
  if (verdict === 'fail') return failOn !== 'edition' || isOwn
  return verdict === 'warn' && failOn === 'warn'
}

/** Entries of the list keep their reasons unless they are out of date; other failures are added. */
function listOf(cases: readonly CaseReport[], known: KnownFailures, failOn: FailOn) {
  const stale = new Set(cases.filter(isStale).map(({ id }) => id))
  const remaining = [...known].filter(([id]) => !stale.has(id))
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
  const replaced: readonly (readonly [part: string | RegExp, shown: string])[] = [
    // In a line of its own, a header is hidden even if its value is short.
    ...headers.map(([name, value]) => [`\n${name}: ${value}`, `\n${name}: ${hidden}`] as const),
    ...secretsOf(headers).map((secret) => [finderOf(secret), hidden] as const),
  ]
  const hide = (text: string): string =>
    replaced.reduce((rest, [part, shown]) => rest.replaceAll(part, () => shown), text)
  const text = JSON.stringify(report)
  return JSON.parse(text, (name, value: unknown) =>
    typeof value === 'string' && bytesOfTarget.has(name) ? hide(value) : value,
  ) as Report
}

/** The members of a report that repeat what was sent or received. */
const bytesOfTarget: ReadonlySet<string> = new Set(
  'message sent received command text diagnosis'.split(' '),
)

const hidden = '(hidden)'

/** Shorter values are hardly secret, and hiding them everywhere would make the report unreadable. */
const minSecretLength = 4

/** Fields whose values are not secret, and which a report needs. */
const harmless = /^(?:accept(?:-.+)?|content-type|host|origin|user-agent)$/i

/** The secrets in headers that a target may repeat: a whole value, or the credentials after its scheme. */
function secretsOf(headers: readonly FieldLine[]): readonly string[] {
  const texts = headers
    .filter(([name]) => !harmless.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\S+[ \t]+/, '')])
    // JSON adds backslashes, so they are ignored.
    .map((value) => value.replaceAll('\\', ''))
    .filter((value) => value.length >= minSecretLength)
  return [...new Set(texts)].toSorted((one, other) => other.length - one.length)
}

/** As many characters of a secret are compared: a pattern of all could be larger than possible. */
const maxCompared = 1000

/** A cut text in a report is not longer. */
const maxCutLength = 2000

/** Finds a secret in any JSON, also within JSON, and the beginning of one that the suite has cut off. */
function finderOf(secret: string): RegExp {
  const spellings = Array.from(secret.slice(0, maxCompared), spellingsOf)
  const start = spellings.slice(0, minSecretLength).join('\\\\*')
  const rest = spellings.slice(minSecretLength).map((one) => `\\\\*${one}`)
  if (secret.length > maxCompared) rest.push('[^\\n]*')
  // A character has at most six in JSON, with more backslashes within JSON.
  const most = Math.min(8 * secret.length, maxCutLength)
  const cut = `[^\\n]{0,${most}}?(?=\\.\\.\\.|\\n\\.\\.\\. \\d+ bytes more)`
  return new RegExp(`${start}(?:${rest.join('')}|${cut})`, 'g')
}

/** A pattern of a character, as it is and as an escape of JSON without the backslash: `=`, `u003d` or `u003D`. */
function spellingsOf(character: string): string {
  const hex = character.charCodeAt(0).toString(16).padStart(4, '0')
  const anyCase = hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)
  return `(?:\\u${hex}|u${anyCase}${character === '\t' ? '|t' : ''})`
}
