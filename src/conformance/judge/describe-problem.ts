import { fieldOf, type Exchange } from '../wire/exchange.js'
import type { Assertion, Json, JsonCheck } from '../suite/fixture.js'

/** What the response has that it must not have. */
export function describeUnwanted(assertion: Assertion, exchange: Exchange): string {
  const response = exchange.responses.at(assertion.response ?? -1)
  if (isDataAlone(assertion)) return 'the request was answered with data'
  const facts = [
    assertion.status === undefined ? [] : `the status is ${response?.status}`,
    Object.keys(assertion.header ?? {}).map(
      (name) => `${name} is ${JSON.stringify(response && fieldOf(response, name))}`,
    ),
    Object.entries(assertion.json ?? {}).map(describeValue),
    assertion.body?.json ? 'the body is JSON' : [],
  ].flat()
  if (facts.length === 0) return `this must not hold: ${JSON.stringify(assertion)}`
  return `${facts.join(' and ')}, which is not allowed`
}

/** By far the most frequent case: what should have been refused was executed. */
function isDataAlone({ json = {}, ...more }: Assertion): boolean {
  const [entry, ...others] = Object.entries(json)
  if (entry === undefined || others.length > 0) return false
  const [pointer, { type }] = entry
  const isData = /^(?:\/\d+)?\/data(?:\/|$)/.test(pointer) && type !== undefined
  return isData && Object.keys(more).every((name) => name === 'response')
}

function describeValue([pointer, { const: value, type }]: readonly [string, JsonCheck]): string {
  const where = pointer === '' ? 'the body' : pointer
  if (value !== undefined) return `${where} is ${JSON.stringify(value satisfies Json)}`
  return type === undefined
    ? `${where} is present`
    : `${where} is of type ${[type].flat().join(' or ')}`
}

/** Why none of several alternatives holds: each reason once, with everything that was expected instead. */
export function joinProblems(problems: readonly string[]): string {
  const expectations = new Map<string, string[]>()
  for (const problem of new Set(problems)) {
    const at = problem.lastIndexOf(', not ')
    const found = at < 0 ? problem : problem.slice(0, at)
    const expected = at < 0 ? [] : [problem.slice(at + ', not '.length)]
    expectations.set(found, [...(expectations.get(found) ?? []), ...expected])
  }
  const reasons = [...expectations].map(([found, expected]) =>
    expected.length === 0 ? found : `${found}, not ${expected.join(' or ')}`,
  )
  return reasons.length > 1 ? `no alternative holds: ${reasons.join('; ')}` : (reasons[0] ?? '')
}
