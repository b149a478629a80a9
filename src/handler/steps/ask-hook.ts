import { isPromise } from '../../base/promise.js'
import {
  asShownError,
  borrowsExtensions,
  innermostError,
  isForClients,
} from '../../graphql/errors/show-error.js'
import { statusOf, type FailureRules } from '../../over-http/code-statuses.js'
import type { Denial } from '../../over-http/refusals.js'
import { stop, wait, type Road } from '../road/road.js'
import { checkDenial, isCode, isErrorStatus } from './check-denial.js'

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
    // The `then` of a foreign thenable may do anything.
    return isPromise(returned) ? yield* wait(Promise.resolve(returned)) : returned
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
    const denial = isPromise(returned) ? yield* wait(Promise.resolve(returned)) : returned
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
