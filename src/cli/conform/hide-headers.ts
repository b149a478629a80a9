import type { FieldLine, Report } from '../../conformance/index.js'

/** The report without the values of the user's headers: they may be secrets, and reports are published. */
export function hideHeaders(report: Report, headers: readonly FieldLine[]): Report {
  const secrets = headers.map(([name, value]) => [`\n${name}: ${value}`, `\n${name}: (hidden)`])
  const cases = report.cases.map((one) => {
    if (one.evidence === undefined) return one
    let { sent } = one.evidence
    for (const [shown = '', hidden = ''] of secrets) sent = sent.replaceAll(shown, hidden)
    return Object.assign({}, one, { evidence: { sent, received: one.evidence.received } })
  })
  return { ...report, cases }
}
