import { checkHeaders, checkPointers, firstOf, type Mismatch } from './check-parts.js'
import { checkEvents } from './check-events.js'
import { checkIncremental } from './check-incremental.js'
import { countOf } from '../../base/prose.js'
import { contentOf, jsonOf, textOf } from '../wire/content.js'
import { isInRange, type EditionName } from '../suite/editions.js'
import { type Exchange, fieldOf, quote, type WireResponse } from '../wire/exchange.js'
import type { Assertion, BodyCheck, Json, JsonCheck, StatusCheck } from '../suite/checks.js'

export function check(assertion: Assertion, exchange: Exchange, edition: EditionName): Mismatch {
  const { when, responses, connection } = assertion
  const hasResponse = exchange.responses.length > 0 || exchange.failure === undefined
  if (!hasResponse && (when !== undefined || assertion.not !== undefined)) {
    return `no response was received${because(exchange)}`
  }
  if (when !== undefined && check(when, exchange, edition) === undefined) {
    const problem = check(assertion.then ?? {}, exchange, edition)
    if (problem !== undefined) return problem
  }
  if (responses !== undefined && exchange.responses.length !== responses) {
    return describeCount(exchange, responses)
  }
  if (connection !== undefined && exchange.connection !== connection) {
    return `the connection is ${exchange.connection ?? 'unknown'}, not ${connection}`
  }
  return (
    checkResponse(assertion, exchange) ??
    checkStream(assertion, exchange) ??
    checkNested(assertion, exchange, edition)
  )
}

/** Checks the events of a stream. Without a response there are none. */
function checkStream({ events, framing, incremental }: Assertion, exchange: Exchange): Mismatch {
  if (!events && !framing && !incremental) return undefined
  if (exchange.failure !== undefined) return `no response was received${because(exchange)}`
  const [fault] = exchange.faults ?? []
  if (framing !== undefined && fault !== undefined) return fault
  return (
    (events && checkEvents(events, exchange)) ??
    (incremental && checkIncremental(incremental, exchange))
  )
}

function checkResponse(assertion: Assertion, exchange: Exchange): Mismatch {
  const { status, header, json, body, response: at = -1 } = assertion
  if (!status && !header && !json && !body) return undefined
  const response = exchange.responses.at(at)
  if (response === undefined || (at === -1 && exchange.failure !== undefined)) {
    return `no response was received${because(exchange)}`
  }
  if (status !== undefined && !matches(status, response.status)) {
    return `the status is ${response.status}, ${describeStatus(status)}`
  }
  return checkHeaders(response, header) ?? checkBody(body, response) ?? checkJson(json, response)
}

function checkNested(assertion: Assertion, exchange: Exchange, edition: EditionName): Mismatch {
  const holds = (inner: Assertion) => check(inner, exchange, edition)
  const broken = firstOf(assertion.allOf ?? [], holds)
  if (broken !== undefined) return broken
  if (assertion.oneOf !== undefined) {
    const problems = assertion.oneOf.map(holds)
    const reasons = problems.filter((problem) => problem !== undefined)
    if (reasons.length === problems.length) return joinProblems(reasons)
  }
  if (assertion.not !== undefined && holds(assertion.not) === undefined) {
    return describeUnwanted(assertion.not, exchange)
  }
  const ranges = Object.entries(assertion.by ?? {})
  const chosen = ranges.find(([range]) => isInRange(edition, range))
  return chosen === undefined ? undefined : holds(chosen[1])
}

function describeCount(exchange: Exchange, expected: number): string {
  const { length } = exchange.responses
  if (length === 0) return `no response was received${because(exchange)}`
  const came = `${countOf(length, 'response was', 'responses were')} received`
  return `${came}${because(exchange)}, not ${expected}`
}

function because({ failure }: Exchange): string {
  return failure === undefined ? '' : `: ${failure}`
}

function matches(statusCheck: StatusCheck, status: number): boolean {
  if (typeof statusCheck === 'number') return status === statusCheck
  if (typeof statusCheck === 'string')
    return statusCheck.startsWith(String(Math.floor(status / 100)))
  if ('not' in statusCheck) return !matches(statusCheck.not, status)
  return statusCheck.some((one) => matches(one, status))
}

function describeStatus(statusCheck: StatusCheck): string {
  if (typeof statusCheck === 'object' && 'not' in statusCheck)
    return `which must not be ${nameStatus(statusCheck.not)}`
  return `not ${nameStatus(statusCheck)}`
}

function nameStatus(statusCheck: StatusCheck): string {
  if (typeof statusCheck !== 'object') return String(statusCheck)
  if ('not' in statusCheck) return `other than ${nameStatus(statusCheck.not)}`
  return statusCheck.map(nameStatus).join(' or ')
}

function checkBody(bodyCheck: BodyCheck | undefined, response: WireResponse): Mismatch {
  if (bodyCheck === undefined) return undefined
  const { length } = response.body
  if (bodyCheck.empty === true && length > 0)
    return `the body has ${length} bytes, but must be empty`
  if (bodyCheck.empty === false && length === 0) return 'the body is empty'
  if (bodyCheck.utf8 && textOf(response) === undefined) return 'the body is not well-formed UTF-8'
  if (bodyCheck.bom === false && hasMark(response)) return 'the body begins with a byte order mark'
  if (bodyCheck.json && jsonOf(response) === undefined) return notJson(response)
  const declared = fieldOf(response, 'content-length')
  if (bodyCheck.length !== undefined && declared !== undefined && Number(declared) !== length) {
    return `the body has ${length} bytes, but Content-Length is ${declared}`
  }
  return undefined
}

function checkJson(checks: Assertion['json'], response: WireResponse): Mismatch {
  if (checks === undefined) return undefined
  const parsed = jsonOf(response)
  return parsed === undefined ? notJson(response) : checkPointers(parsed, checks)
}

function notJson(response: WireResponse): string {
  const content = contentOf(response)
  return content.ok ? 'the body is not JSON' : `the body cannot be read: ${content.reason}`
}

/** `decode` drops the byte order mark. */
function hasMark(response: WireResponse): boolean {
  const content = contentOf(response)
  return content.ok && Buffer.from(content.value.subarray(0, 3)).toString('hex') === 'efbbbf'
}

function describeUnwanted(assertion: Assertion, exchange: Exchange): string {
  const response = exchange.responses.at(assertion.response ?? -1)
  if (isDataAlone(assertion)) return 'the request was answered with data'
  const facts = [
    assertion.status === undefined ? [] : `the status is ${response?.status}`,
    Object.keys(assertion.header ?? {}).map((name) => {
      const value = response && fieldOf(response, name)
      return value === undefined ? `${name} is missing` : `${name} is ${quote(value)}`
    }),
    Object.entries(assertion.json ?? {}).map(describeValue),
    assertion.body?.json ? 'the body is JSON' : [],
  ].flat()
  if (facts.length === 0) return `this must not hold: ${JSON.stringify(assertion)}`
  return `${facts.join(' and ')}, which is not allowed`
}

/** By far the most frequent case: the request should have been refused but was executed. */
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
function joinProblems(problems: readonly string[]): string {
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
