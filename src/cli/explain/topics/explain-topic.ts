import { suggest } from '../../../shapes/suggest.js'
import type { Rule, RuleBook } from '../rules/rules.js'
import { listCodes, type CodeRow } from './codes.js'
import { statusRows, titleOfStatus } from './statuses.js'

/** A status or a code in words, as `explain --json` prints it. */
export interface Topic {
  /** The status and its phrase, or the code. */
  readonly title: string
  readonly meaning: string | undefined
  readonly advice: string | undefined
  /** The reasons for which it is sent. */
  readonly reasons: readonly Omit<CodeRow, 'statements'>[]
  readonly rules: readonly Rule[]
}

/** The page of a status; undefined if the engine never sends it. */
export function explainStatus(status: number, rules: RuleBook): Topic | undefined {
  const row = Object.hasOwn(statusRows, status) ? statusRows[status] : undefined
  if (row === undefined) return undefined
  const reasons = listCodes().filter((one) => one.status === status)
  return {
    title: titleOfStatus(status),
    meaning: row.meaning,
    advice: row.advice,
    reasons: reasons.map(withoutStatements),
    rules: rules.find(row.statements),
  }
}

/** The page of a code; undefined if there is none of that name, in whichever case. */
export function explainCode(name: string, rules: RuleBook): Topic | undefined {
  const code = name.toUpperCase().replaceAll('-', '_')
  const reasons = listCodes().filter((one) => one.code === code)
  if (reasons.length === 0) return undefined
  const own = reasons.flatMap(({ statements }) => statements)
  const ofStatus = reasons.flatMap(({ status }) => statusRows[status ?? 0]?.statements ?? [])
  return {
    title: code,
    meaning: undefined,
    advice: undefined,
    reasons: reasons.map(withoutStatements),
    rules: rules.find([...new Set(own.length > 0 ? own : ofStatus)]),
  }
}

/** The nearest topic to an unknown one, for messages. */
export function suggestTopic(name: string): string {
  const codes = listCodes().map(({ code }) => code)
  return suggest(name.toUpperCase(), [...new Set(codes), ...Object.keys(statusRows)])
}

function withoutStatements({
  code,
  status,
  cause,
  advice,
  by,
}: CodeRow): Omit<CodeRow, 'statements'> {
  return { code, status, cause, advice, by }
}
