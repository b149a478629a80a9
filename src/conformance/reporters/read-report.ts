import { isJsonObject } from '../../base/json.js'
import {
  countLayers,
  countVerdicts,
  verdicts,
  type CaseReport,
  type Report,
} from '../suite/report.js'

/** Reads a report of `--reporter json`; throws a TypeError that says what is wrong with the text. */
export function readReport(text: string): Report {
  const json = parse(text)
  if (!isJsonObject(json) || !Array.isArray(json['cases'])) {
    throw new TypeError('not a report: expected the output of "graphwire conform --reporter json"')
  }
  for (const [at, one] of (json['cases'] as readonly unknown[]).entries()) {
    if (!isCase(one))
      throw new TypeError(`not a report: cases[${at}] has no valid id, title, message or verdict`)
  }
  const report = json as unknown as Report
  const { cases } = report
  return { ...report, totals: countVerdicts(cases), layers: countLayers(cases) }
}

function isCase(json: unknown): json is CaseReport {
  if (!isJsonObject(json)) return false
  const { id, title, verdict, message } = json
  const texts = [id, title, message].every((value) => typeof value === 'string')
  return texts && verdicts.some((name) => name === verdict)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TypeError(`not valid JSON: ${(error as Error).message}`, { cause: error })
  }
}
