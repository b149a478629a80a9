import { countVerdicts, verdicts, type CaseReport, type Report } from '../report.js'

/** Reads what `formatJson` has written; throws a TypeError that says why a text is no report. */
export function readReport(text: string): Report {
  const json = parse(text)
  if (!isMap(json) || !Array.isArray(json['cases'])) {
    throw new TypeError('is no report: expected what "graphwire conform --reporter json" prints')
  }
  for (const [at, one] of (json['cases'] as readonly unknown[]).entries()) {
    if (!isCase(one)) throw new TypeError(`is no report: cases[${at}] has no id, title or verdict`)
  }
  const report = json as unknown as Report
  return { ...report, totals: countVerdicts(report.cases) }
}

function isCase(json: unknown): json is CaseReport {
  if (!isMap(json)) return false
  const { id, title, verdict, message } = json
  const texts = [id, title, message].every((value) => typeof value === 'string')
  return texts && verdicts.some((known) => known === verdict)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TypeError(`is no JSON: ${(error as Error).message}`, { cause: error })
  }
}

function isMap(json: unknown): json is { readonly [name: string]: unknown } {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}
