import type { Report } from '../report.js'

/** The report as JSON, for programs and for `graphwire conform diff`. */
export function formatJson(report: Report): string {
  return `${JSON.stringify(report, undefined, 2)}\n`
}
