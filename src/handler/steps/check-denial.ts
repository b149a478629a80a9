import type { Denial } from '../../over-http/refusals.js'
import { showValue } from '../../shapes/show-value.js'
import { suggest } from '../../shapes/suggest.js'

/**
 * Checks the denial that a hook returned. Anything else is a mistake and throws, so that no request is
 * accepted by accident. `option` is the name of the hook.
 */
export function checkDenial(
  returned: unknown,
  option: 'authenticate' | 'admit' | 'authorize' | 'around',
): Denial {
  const isObject = typeof returned === 'object' && returned !== null
  const problem = isObject ? problemOf(returned) : notADenial(returned, option)
  if (problem === undefined) return returned as Denial
  throw new TypeError(`${option}: ${problem}`)
}

function notADenial(returned: unknown, option: string): string {
  const got = showValue(returned)
  const right = exampleOf(returned)
  return option === 'authenticate'
    ? `expected success(principal) or failure(denial), such as failure(${right}), got failure(${got}).`
    : `expected ${option === 'around' ? 'a response' : 'undefined'} or a denial such as ${right}, got ${got}.`
}

/** The denial that was probably meant, if the hook returned a status. */
function exampleOf(returned: unknown): string {
  if (returned === 401) return unauthenticated
  if (returned === 429) return "{ kind: 'rate-limited', retryAfter: 60 }"
  if (returned === 503) return "{ kind: 'unavailable', retryAfter: 60 }"
  const isOther = returned !== 403 && problemOfStatus(returned) === undefined
  return isOther
    ? `{ kind: 'denied', status: ${String(returned)}, message: '...' }`
    : "{ kind: 'forbidden' }"
}

const unauthenticated = "{ kind: 'unauthenticated', challenge: 'Bearer' }"

type DenialKind = Denial['kind']

const problems: { readonly [kind in DenialKind]: (denial: DenialMembers) => string | undefined } = {
  unauthenticated: ({ challenge, code }) =>
    typeof challenge === 'string' && fieldContent.test(challenge)
      ? problemOfCode(code)
      : 'a 401 needs a challenge, the value of WWW-Authenticate, such as "Bearer".',
  forbidden: () => undefined,
  'rate-limited': problemOfRetry,
  unavailable: problemOfRetry,
  denied: ({ status, code }) => problemOfStatus(status) ?? problemOfCode(code),
}

interface DenialMembers {
  readonly message?: unknown
  readonly kind?: unknown
  readonly challenge?: unknown
  readonly retryAfter?: unknown
  readonly status?: unknown
  readonly code?: unknown
}

function problemOf(denial: DenialMembers): string | undefined {
  const { kind } = denial
  if (typeof kind === 'string' && Object.hasOwn(problems, kind)) {
    return problems[kind as DenialKind](denial) ?? problemOfMessage(denial.message)
  }
  const kinds = Object.keys(problems)
  const nearest = typeof kind === 'string' ? suggest(kind, kinds, showValue) : ''
  const some = `expected a denial of the kind ${kinds.map(showValue).join(', ')}`
  return `${some}, got ${showValue(kind)}.${nearest}`
}

function problemOfRetry({ retryAfter }: DenialMembers): string | undefined {
  return Number.isFinite(retryAfter)
    ? undefined
    : `retryAfter must be a number of seconds, not ${showValue(retryAfter)}.`
}

function problemOfMessage(message: unknown): string | undefined {
  if (message === undefined || typeof message === 'string') return undefined
  return `the message of a denial must be a string, not ${showValue(message)}.`
}

function problemOfStatus(status: unknown): string | undefined {
  if (status === 401) return `a 401 is ${unauthenticated}.`
  if (isErrorStatus(status)) return undefined
  return `the status of a denial must be 400 to 599, not ${showValue(status)}.`
}

export function isErrorStatus(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
}

function problemOfCode(code: unknown): string | undefined {
  if (code === undefined || isCode(code)) return undefined
  return `the code of a denial must be a name such as "PLAN_EXPIRED", not ${showValue(code)}.`
}

/** The code becomes part of the URI of a problem type. */
export function isCode(code: unknown): code is string {
  return typeof code === 'string' && /^[A-Za-z]\w{0,99}$/.test(code)
}

const fieldContent = /^[\t\x20-\x7e\x80-\xff]+$/
