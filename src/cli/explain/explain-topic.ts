import { suggest } from '../../shapes/suggest.js'
import { listCodes, type CodeRow } from './codes.js'
import type { Rule, RuleBook } from './rules.js'
import { statusRows, titleOfStatus } from './statuses.js'

/** A status or a code in words, as `explain --json` prints it. */
export interface ExplainedTopic {
  /** The status and its phrase, or the code. */
  readonly title: string
  /** Undefined if the reasons say it. */
  readonly meaning: string | undefined
  readonly advice: string | undefined
  /** The reasons for which it is sent. */
  readonly reasons: readonly CodeRow[]
  readonly rules: readonly Rule[]
}

/** The page of a status; undefined if the engine never sends it. */
export function explainStatus(status: number, rules: RuleBook): ExplainedTopic | undefined {
  const reasons = listCodes().filter((one) => one.status === status)
  const row = statusRows[status]
  if (row === undefined && reasons.length === 0) return undefined
  return {
    title: titleOfStatus(status),
    meaning: row?.meaning,
    advice: row?.advice,
    reasons,
    rules: rules.find(statementsOf(status)),
  }
}

/** The page of a code; undefined if there is none of that name, in whichever case. */
export function explainCode(name: string, rules: RuleBook): ExplainedTopic | undefined {
  const code = name.toUpperCase().replaceAll('-', '_')
  const reasons = listCodes().filter((one) => one.code === code)
  if (reasons.length === 0) return undefined
  const own = reasons.flatMap(({ statements }) => statements)
  const cited = own.length > 0 ? own : reasons.flatMap(({ status }) => statementsOf(status))
  return {
    title: code,
    meaning: undefined,
    advice: undefined,
    reasons,
    rules: rules.find([...new Set(cited)]),
  }
}

/** The statements about a status. */
export function statementsOf(status: number | undefined): readonly string[] {
  const row = statusRows[status ?? 0]
  if (row !== undefined || status === undefined) return row?.statements ?? []
  const ofCodes = listCodes().flatMap((one) => (one.status === status ? one.statements : []))
  return [...new Set(ofCodes)]
}

/** Every status that the engine and its hosts send. */
export function listStatuses(): readonly string[] {
  const ofCodes = listCodes().flatMap(({ status }) => (status === undefined ? [] : String(status)))
  return [...new Set([...Object.keys(statusRows), ...ofCodes])].toSorted()
}

/** The nearest topic to an unknown one, for messages. */
export function suggestTopic(name: string): string {
  const codes = listCodes().map(({ code }) => code)
  return suggest(name.toUpperCase(), [...new Set(codes), ...listStatuses()])
}
