import type { Level } from './checks.js'
import { isJsonObject, type JsonObject } from '../../base/json.js'

/** The outcomes of cases (fixtures/README.md) in the order in which reports count them. */
export const verdicts = ['pass', 'fail', 'warn', 'info', 'skip', 'error'] as const

export type Verdict = (typeof verdicts)[number]

/**
 * The source of a sentence: the edition, HTTP itself (RFC 9110, 9111, 9112, 10008, and 8259 for JSON), or a protocol of
 * streams and sockets.
 */
export type Layer = 'edition' | 'http' | 'streaming'

export type Totals = { readonly [verdict in Verdict]: number }

/** The sentence that a case tests, or found broken. */
export interface SpecReference {
  readonly statement: string
  /** The level that the text gives it. */
  readonly level: Level
  /** The lower level it is checked at, if the text allows more than can be seen from outside. */
  readonly heldAs?: Level
  readonly section: string
  readonly source: string
  /** The sentence of the text, or our paraphrase if the text has none of its own. */
  readonly quote: string
  /** What a server has to do, in a few words, if the text has a sentence of its own. */
  readonly rule?: string
}

/** The request and the response as text. */
export interface Evidence {
  readonly sent: string
  readonly received: string
  /** A command of curl, nc or openssl that sends the same; absent if none can. */
  readonly command?: string
  /** The events of a stream or a socket with their times. `received` has them too, as text. */
  readonly timeline?: readonly TimelineEntry[]
}

/** An event of a stream, or an action of the runner. */
export interface TimelineEntry {
  /** Milliseconds since the stream was opened. */
  readonly at: number
  readonly by: 'runner' | 'target'
  readonly text: string
}

/** An assertion that did not hold. */
export interface Broken {
  /** Which of the exchanges of the case, and which assertion about it: `1.2`. Absent in reports of earlier versions. */
  readonly place?: string
  readonly level: Level
  /** Absent if no sentence is cited. */
  readonly layer?: Layer
  readonly verdict: Verdict
  readonly message: string
  /** Null if no sentence is cited. */
  readonly spec: SpecReference | null
  /** Only if it is about another exchange than the worst one. */
  readonly evidence?: Evidence
}

/**
 * The worst that was found in a case. Otherwise the level is the strongest in the edition, the layer is that of the tested
 * sentences, `spec` is the first of them, and the message says why it did not pass; it is empty for a pass.
 */
export interface CaseReport extends Broken {
  readonly id: string
  readonly title: string
  readonly suite: string
  readonly statements: readonly string[]
  /** What else did not hold. */
  readonly also?: readonly Broken[]
  /** Listed as a known failure. */
  readonly known?: string
  /** How long its requests took, in milliseconds; absent if none was sent. */
  readonly durationMs?: number
}

/** The report of a run, as `--reporter json` prints it. */
export interface Report {
  readonly target: string
  readonly edition: string
  readonly suite: string
  readonly startedAt: string
  readonly durationMs: number
  readonly capabilities: readonly string[]
  /** Why the target cannot be tested, or why the run stopped early. */
  readonly diagnosis?: string
  readonly totals: Totals
  /** Totals by what cases test: each counts once. */
  readonly layers: { readonly [layer in Layer | 'vendor' | 'none']: Totals }
  readonly cases: readonly CaseReport[]
}

/** The worst thing that was found in a case, and what else was, as if each had a case of its own. */
export function apart(one: CaseReport): readonly FoundCase[] {
  const { layer: _, place: __, also = [], ...rest } = one
  return [
    one,
    ...also.map((broken) => Object.assign({}, rest, broken, { isBeside: true as const })),
  ]
}

/** A case, or what was found beside its worst. */
export interface FoundCase extends CaseReport {
  readonly isBeside?: true
}

/** The report of a failure of the run itself: no text has a sentence about it. */
export function failureOf(suite: string, id: string, title: string, message: string): CaseReport {
  return { id, title, suite, level: 'MUST', statements: [], verdict: 'fail', message, spec: null }
}

export function countVerdicts(cases: readonly CaseReport[]): Totals {
  const totals = { pass: 0, fail: 0, warn: 0, info: 0, skip: 0, error: 0 }
  for (const { verdict } of cases) totals[verdict]++
  return totals
}

/** Suites of conventions that one vendor made and others took over. */
const vendorSuites = new Set(['apq', 'batching', 'multipart-subscriptions', 'multipart-upload'])

/** The layer of a case: the edition, HTTP, a streaming protocol, a convention of a vendor, or none. */
export function layerOfCase({ layer, suite }: CaseReport): keyof Report['layers'] {
  const isOfVendor = layer !== 'edition' && layer !== 'http' && vendorSuites.has(suite)
  return isOfVendor ? 'vendor' : (layer ?? 'none')
}

export function countLayers(cases: readonly CaseReport[]): Report['layers'] {
  const layers = ['edition', 'http', 'streaming', 'vendor', 'none'] as const
  const counted = layers.map((layer) => {
    return [layer, countVerdicts(cases.filter((one) => layerOfCase(one) === layer))] as const
  })
  return Object.fromEntries(counted) as Report['layers']
}

/** Reads a report of `--reporter json`; throws a TypeError that says what is wrong with the text. */
export function readReport(text: string): Report {
  const json = parseFile(text)
  if (!isJsonObject(json) || !Array.isArray(json['cases'])) {
    throw new TypeError('not a report: expected the output of "graphwire conform --reporter json"')
  }
  const { diagnosis = '' } = json
  const texts = { ...json, diagnosis }
  for (const name of ['target', 'edition', 'suite', 'startedAt', 'diagnosis']) {
    if (!hasTexts(texts, name)) throw new TypeError(`not a report: it has no valid ${name}`)
  }
  for (const [at, one] of (json['cases'] as readonly unknown[]).entries()) {
    const fault = findFault(one)
    if (fault !== undefined) throw new TypeError(`not a report: cases[${at}] has no valid ${fault}`)
  }
  const report = json as unknown as Report
  const { cases } = report
  return { ...report, totals: countVerdicts(cases), layers: countLayers(cases) }
}

/** The first member of a case that does not fit the schema of reports; checks only those that are read again. */
function findFault(json: unknown): string | undefined {
  const text = ['id', 'title'].find((name) => !hasTexts(json, name))
  if (text !== undefined) return text
  const { also = [] } = json as JsonObject
  if (!Array.isArray(also) || also.some((one) => findFlaw(one) !== undefined)) return 'also'
  return findFlaw(json)
}

function findFlaw(json: unknown): string | undefined {
  if (!hasTexts(json, 'message')) return 'message'
  const { verdict, spec, evidence = { sent: '', received: '' } } = json
  if (!verdicts.some((name) => name === verdict)) return 'verdict'
  const isCited = hasTexts(spec, 'statement', 'level', 'section', 'source', 'quote')
  if (spec !== null && !isCited) return 'spec'
  if (!hasTexts(evidence, 'sent', 'received')) return 'evidence'
  const { timeline = [] } = evidence
  const isEntry = (one: unknown): boolean =>
    hasTexts(one, 'by', 'text') && typeof one['at'] === 'number'
  return Array.isArray(timeline) && timeline.every(isEntry) ? undefined : 'evidence'
}

function hasTexts(json: unknown, ...names: readonly string[]): json is JsonObject {
  return isJsonObject(json) && names.every((name) => typeof json[name] === 'string')
}

/** Reads JSON; throws a TypeError that says what is wrong with the text. */
export function parseFile(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TypeError(`not valid JSON: ${(error as Error).message}`, { cause: error })
  }
}
