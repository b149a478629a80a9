import { checkHeader } from './check-header.js'
import { checkPointer } from './check-json.js'
import { isInRange, type EditionName } from './editions.js'
import { fieldOf, type Exchange, type WireResponse } from './exchange.js'
import type { Assertion, BodyCheck, Json, StatusCheck } from './fixture.js'

/** Why an assertion does not hold for an exchange; undefined where it does. */
export function check(
  assertion: Assertion,
  exchange: Exchange,
  edition: EditionName,
): string | undefined {
  const { when, responses, connection } = assertion
  const isAnswered = exchange.responses.length > 0 || exchange.failure === undefined
  if (!isAnswered && (when !== undefined || assertion.not !== undefined)) {
    return `no response came${because(exchange)}`
  }
  if (when !== undefined && check(when, exchange, edition) === undefined) {
    const problem = check(assertion.then ?? {}, exchange, edition)
    if (problem !== undefined) return problem
  }
  if (responses !== undefined && exchange.responses.length !== responses) {
    return `${exchange.responses.length} responses came, not ${responses}${because(exchange)}`
  }
  if (connection !== undefined && exchange.connection !== connection) {
    return `the connection is ${exchange.connection ?? 'unknown'}, not ${connection}`
  }
  return checkResponse(assertion, exchange) ?? checkNested(assertion, exchange, edition)
}

function checkResponse(assertion: Assertion, exchange: Exchange): string | undefined {
  const { status, header, json, body, response: at = -1 } = assertion
  if (!status && !header && !json && !body) return undefined
  const response = exchange.responses.at(at)
  if (response === undefined || (at === -1 && exchange.failure !== undefined)) {
    return `no response came${because(exchange)}`
  }
  if (status !== undefined && !matches(status, response.status)) {
    return `the status is ${response.status}, not ${describeStatus(status)}`
  }
  for (const [name, wanted] of Object.entries(header ?? {})) {
    const problem = checkHeader(response, name, wanted)
    if (problem !== undefined) return problem
  }
  return checkBody(body, response) ?? checkJson(json, response)
}

function checkNested(
  assertion: Assertion,
  exchange: Exchange,
  edition: EditionName,
): string | undefined {
  const holds = (inner: Assertion) => check(inner, exchange, edition)
  for (const inner of assertion.allOf ?? []) {
    const problem = holds(inner)
    if (problem !== undefined) return problem
  }
  if (assertion.oneOf !== undefined) {
    const problems = assertion.oneOf.map(holds)
    if (!problems.includes(undefined)) return problems.join('; and ')
  }
  if (assertion.not !== undefined && holds(assertion.not) === undefined) {
    return `this must not be so: ${JSON.stringify(assertion.not)}`
  }
  const ranges = Object.entries(assertion.by ?? {})
  const chosen = ranges.find(([range]) => isInRange(edition, range))
  return chosen === undefined ? undefined : holds(chosen[1])
}

function because({ failure }: Exchange): string {
  return failure === undefined ? '' : `: ${failure}`
}

function matches(wanted: StatusCheck, status: number): boolean {
  if (typeof wanted === 'number') return status === wanted
  if (typeof wanted === 'string') return wanted.startsWith(String(Math.floor(status / 100)))
  if ('not' in wanted) return !matches(wanted.not, status)
  return wanted.some((one) => matches(one, status))
}

function describeStatus(wanted: StatusCheck): string {
  if (typeof wanted !== 'object') return String(wanted)
  if ('not' in wanted) return `other than ${describeStatus(wanted.not)}`
  return wanted.map(describeStatus).join(' or ')
}

function checkBody(wanted: BodyCheck | undefined, response: WireResponse): string | undefined {
  if (wanted === undefined) return undefined
  const { length } = response.body
  if (wanted.empty === true && length > 0) return `the body has ${length} bytes, and must be empty`
  if (wanted.empty === false && length === 0) return 'the body is empty'
  if (wanted.utf8 && decode(response.body) === undefined) return 'the body is not well-formed UTF-8'
  if (wanted.json && parse(response.body) === undefined) return 'the body is not JSON'
  const declared = fieldOf(response, 'content-length')
  if (wanted.length !== undefined && declared !== undefined && Number(declared) !== length) {
    return `the body has ${length} bytes, and Content-Length says ${declared}`
  }
  return undefined
}

function checkJson(checks: Assertion['json'], response: WireResponse): string | undefined {
  if (checks === undefined) return undefined
  const parsed = parse(response.body)
  if (parsed === undefined) return 'the body is not JSON'
  for (const [pointer, wanted] of Object.entries(checks)) {
    const problem = checkPointer(parsed, pointer, wanted)
    if (problem !== undefined) return problem
  }
  return undefined
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return undefined
  }
}

function parse(body: Uint8Array): Json | undefined {
  const text = decode(body)
  try {
    return text === undefined ? undefined : (JSON.parse(text) as Json)
  } catch {
    return undefined
  }
}
