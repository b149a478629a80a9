import { isJsonObject, type JsonObject } from '../../base/json.js'
import { isPromise } from '../../base/promise.js'
import {
  asShownError,
  borrowsExtensions,
  innermostError,
  isForClients,
} from '../../graphql/errors/show-error.js'
import type { RequestHead } from '../../http/message.js'
import type { Settings } from '../../options/settings.js'
import { statusOf, type FailureRules } from '../../over-http/code-statuses.js'
import type { Denial, Refusal } from '../../over-http/refusals.js'
import { showValue } from '../../shapes/show-value.js'
import { suggest } from '../../shapes/suggest.js'
import type { DriverTools } from '../road/driver.js'
import type { Facts } from '../road/facts.js'
import { stop, wait, type Road } from '../road/road.js'

/** Identifies the caller, unless the server is overloaded. */
export function identify({ settings, gate }: DriverTools, facts: Facts): Road<void, Refusal> {
  facts.at = 'load'
  const overload = gate.check(facts.head)
  if (overload !== undefined) return stop(overload)
  facts.at = 'credentials'
  return settings.authenticate === undefined ? nothing : notePrincipal(settings, facts)
}

/** A generator would cost as much as some checks of a head. */
const nothing = [] as object as Road<void, never>

function* notePrincipal(settings: Settings, facts: Facts): Road<void, Refusal> {
  facts.principal = yield* authenticate(facts.head, settings)
}

/** The principal that `authenticate` returns. Without that option, all requests are accepted. */
export function* authenticate(head: RequestHead, settings: Settings): Road<unknown, Denial> {
  if (settings.authenticate === undefined) return undefined
  const outcome: unknown = yield* askHook(settings.authenticate, head, settings)
  const { ok, value, reason } = (outcome ?? {}) as {
    readonly ok?: unknown
    readonly value?: unknown
    readonly reason?: unknown
  }
  if (ok === true) return value
  if (ok === false) return yield* stop(checkDenial(reason, 'authenticate'))
  // A function that forgets to return a result must not accept everyone.
  throw new TypeError(
    `authenticate: expected success(principal) or failure(denial), got ${showValue(outcome)}.`,
  )
}

/**
 * Calls a hook that can stop a request. A GraphQLError that it throws is a denial; everything else that is thrown is a
 * bug.
 */
export function* askHook<Input, Returned>(
  hook: (input: Input) => Returned | PromiseLike<Returned>,
  input: Input,
  rules: FailureRules,
): Road<Returned, Denial> {
  try {
    const returned = hook(input)
    return isPromise(returned) ? yield* wait(returned) : returned
  } catch (thrown) {
    return yield* stop(toDenial(thrown, rules))
  }
}

/** Asks a hook whether it refuses; undefined if it does not. */
export function* askDenial<Input>(
  option: 'admit' | 'authorize',
  hook: (input: Input) => unknown,
  input: Input,
  rules: FailureRules,
): Road<Denial | undefined, never> {
  try {
    const returned = hook(input)
    const denial = yield* wait(returned)
    return denial === undefined ? undefined : checkDenial(denial, option)
  } catch (thrown) {
    return toDenial(thrown, rules)
  }
}

/**
 * The denial that a hook threw: the message and the code of its error, and the status that the error names in
 * `extensions.http` or that belongs to its code. As in a resolver, what is not meant for clients stays a bug.
 */
function toDenial(thrown: unknown, rules: FailureRules): Denial {
  const error = asShownError(innermostError(thrown))
  if (error === undefined || !isForClients(error)) throw thrown
  const { code, http } = (borrowsExtensions(error) ? {} : (error.extensions ?? {})) as {
    readonly code?: unknown
    readonly http?: { readonly status?: unknown } | null
  }
  const { message } = error
  const status = isErrorStatus(http?.status) ? http.status : (statusOf(code, rules) ?? 400)
  const shown = isCode(code) ? { message, code } : { message }
  return status === 401
    ? { kind: 'unauthenticated', challenge: rules.challenge, ...shown }
    : { kind: 'denied', status, ...shown }
}

/**
 * Checks the denial that a hook returned. Anything else is a mistake and throws, so that no request is
 * accepted by accident. `option` is the name of the hook.
 */
export function checkDenial(
  returned: unknown,
  option: 'authenticate' | 'admit' | 'authorize' | 'around',
): Denial {
  const problem = isJsonObject(returned) ? problemOf(returned) : notADenial(returned, option)
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

const problems: { readonly [kind in DenialKind]: (denial: JsonObject) => string | undefined } = {
  unauthenticated: ({ challenge, code }) =>
    typeof challenge === 'string' && fieldContent.test(challenge)
      ? problemOfCode(code)
      : 'a 401 needs a challenge, the value of WWW-Authenticate, such as "Bearer".',
  forbidden: () => undefined,
  'rate-limited': problemOfRetry,
  unavailable: problemOfRetry,
  denied: ({ status, code }) => problemOfStatus(status) ?? problemOfCode(code),
}

function problemOf(denial: JsonObject): string | undefined {
  const { kind, message } = denial
  if (typeof kind === 'string' && Object.hasOwn(problems, kind)) {
    const problem = problems[kind as DenialKind](denial)
    if (problem !== undefined || message === undefined || typeof message === 'string')
      return problem
    return `the message of a denial must be a string, not ${showValue(message)}.`
  }
  const kinds = Object.keys(problems)
  const nearest = typeof kind === 'string' ? suggest(kind, kinds, showValue) : ''
  const some = `expected a denial of the kind ${kinds.map(showValue).join(', ')}`
  return `${some}, got ${showValue(kind)}.${nearest}`
}

function problemOfRetry({ retryAfter }: JsonObject): string | undefined {
  return Number.isFinite(retryAfter)
    ? undefined
    : `retryAfter must be a number of seconds, not ${showValue(retryAfter)}.`
}

function problemOfStatus(status: unknown): string | undefined {
  if (status === 401) return `a 401 is ${unauthenticated}.`
  if (isErrorStatus(status)) return undefined
  return `the status of a denial must be 400 to 599, not ${showValue(status)}.`
}

function isErrorStatus(status: unknown): status is number {
  return Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599
}

function problemOfCode(code: unknown): string | undefined {
  if (code === undefined || isCode(code)) return undefined
  return `the code of a denial must be a name such as "PLAN_EXPIRED", not ${showValue(code)}.`
}

/** The code becomes part of the URI of a problem type. */
function isCode(code: unknown): code is string {
  return typeof code === 'string' && /^[A-Za-z]\w{0,99}$/.test(code)
}

const fieldContent = /^[\t\x20-\x7e\x80-\xff]+$/
