import type { CaseReport, FieldLine, Report } from '../../conformance/index.js'

/** The report without the values of the user's headers: they may be secrets, and reports are published. */
export function hideHeaders(report: Report, headers: readonly FieldLine[]): Report {
  const hide = hiderOf(headers)
  const lines = headers.map(([name, value]) => [`\n${name}: ${value}`, `\n${name}: ${hidden}`])
  const cases = report.cases.map((one): CaseReport => {
    const message = hide(one.message)
    if (one.evidence === undefined) return { ...one, message }
    let { sent } = one.evidence
    for (const [shown = '', instead = ''] of lines) sent = sent.replaceAll(shown, instead)
    return { ...one, message, evidence: { sent, received: hide(one.evidence.received) } }
  })
  const { diagnosis } = report
  return { ...report, cases, ...(diagnosis !== undefined && { diagnosis: hide(diagnosis) }) }
}

const hidden = '(hidden)'

/** A shorter value is hardly a secret, and hiding it everywhere would make the report unreadable. */
const minSecretLength = 4

/** Fields whose values are not secret, and which a report needs. */
const harmless = /^(?:accept(?:-.+)?|content-type|host|origin|user-agent)$/i

/** Hides what the target repeats of the headers: a whole value, or the credentials after its scheme. */
function hiderOf(headers: readonly FieldLine[]): (text: string) => string {
  const secrets = headers
    .filter(([name]) => !harmless.test(name))
    .flatMap(([, value]) => [value, value.replace(/^\S+[ \t]+/, '')])
    // Escaped as in the target's JSON, and as in a message that shows JSON.
    .flatMap((value) => [value, escape(value), escape(escape(value))])
    .filter((value) => value.length >= minSecretLength)
  const longestFirst = [...new Set(secrets)].toSorted((one, other) => other.length - one.length)
  return (text) => longestFirst.reduce((rest, secret) => rest.replaceAll(secret, hidden), text)
}

function escape(value: string): string {
  return JSON.stringify(value).slice(1, -1)
}
