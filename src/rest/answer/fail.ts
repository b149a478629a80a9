import type { GraphQLFormattedError, ValueNode } from 'graphql'
import type { HeaderRecord } from '../../http/response-headers.js'
import { formatSeconds } from '../../over-http/format-seconds.js'
import type { RoutePlan } from '../plan/plan.js'
import { toPointer } from '../../http/pointer.js'
import type { Problem, ProblemError } from '../../http/problem.js'

/** What the problem of a failed operation depends on. */
export interface FailureRules {
  /** Statuses of error codes, in addition to the built-in ones. */
  readonly statusOfCode: { readonly [code: string]: number }
  /** The `WWW-Authenticate` of a 401. */
  readonly challenge: string
}

const usualStatuses: { readonly [code: string]: number } = {
  BAD_USER_INPUT: 422,
  NOT_FOUND: 404,
  CONFLICT: 409,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
}

/** The status of an error code; undefined if the error has to be masked. */
export function statusOf(code: unknown, { statusOfCode }: FailureRules): number | undefined {
  if (typeof code !== 'string') return undefined
  for (const statuses of [statusOfCode, usualStatuses]) {
    if (Object.hasOwn(statuses, code)) return statuses[code]
  }
  return undefined
}

/** Makes the problem of an execution error whose code has a status. */
export function toFailureProblem(
  error: GraphQLFormattedError,
  status: number,
  plan: RoutePlan,
  isConditional: boolean,
  rules: FailureRules,
): Problem {
  const { extensions = {}, message } = error
  const code = String(extensions['code'])
  const errors = toErrors(extensions['errors'], plan)
  const conflicts = code === 'CONFLICT' && isConditional
  const headers = headersOf(status, extensions, rules)
  return {
    status: conflicts ? 412 : status,
    code,
    detail: message,
    ...(errors && { errors }),
    ...(headers && { headers }),
  }
}

function headersOf(
  status: number,
  extensions: { readonly [name: string]: unknown },
  { challenge }: FailureRules,
): HeaderRecord | undefined {
  if (status === 401) return { 'WWW-Authenticate': challenge }
  if (status !== 429 && status !== 503) return undefined
  return { 'Retry-After': formatSeconds(extensions['retryAfter']) }
}

/** Converts what resolvers say about arguments to what the client sent. */
function toErrors(items: unknown, plan: RoutePlan): readonly ProblemError[] | undefined {
  if (!Array.isArray(items) || items.length === 0) return undefined
  return items.map((one: { path?: unknown; message?: unknown } | null) => {
    const path = Array.isArray(one?.path) ? (one.path as (string | number)[]) : []
    const detail = typeof one?.message === 'string' ? one.message : 'Invalid value.'
    return { detail, ...locate(path, plan) }
  })
}

/** Follows a path through the arguments of the root field to the variable at that place. */
function locate(
  [argument, ...path]: readonly (string | number)[],
  { rootField, variables }: RoutePlan,
): Pick<ProblemError, 'pointer' | 'parameter'> {
  let node: ValueNode | undefined = rootField.arguments?.find(
    ({ name }) => name.value === argument,
  )?.value
  let at = 0
  while (node !== undefined && node.kind !== 'Variable') node = inside(node, path[at++])
  const variable = node && variables.get(node.name.value)
  switch (variable?.source) {
    case 'body':
      return { pointer: toPointer(path.slice(at)) }
    case 'member':
      return { pointer: toPointer([variable.name, ...path.slice(at)]) }
    case 'path':
    case 'query':
      return { parameter: variable.name }
    default:
      return {}
  }
}

function inside(node: ValueNode, part: string | number | undefined): ValueNode | undefined {
  if (node.kind === 'ObjectValue') return node.fields.find(({ name }) => name.value === part)?.value
  return node.kind === 'ListValue' ? node.values[Number(part)] : undefined
}
