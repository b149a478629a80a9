import { cutText } from '../cut-text.js'
import type { HeaderRecord } from '../http/response-headers.js'
import type { Refusal } from '../refusal.js'
import { codeOf } from '../response/code-of.js'
import { editions } from '../response/editions.js'
import { messageOf } from '../response/message-of.js'
import { refusalStatus } from '../response/status.js'
import { acceptHeaders } from './accepted-types.js'
import type { Problem } from './problem.js'
import type { RouteRefusal } from './route-refusal.js'

/** The problem that tells why a request is turned away. */
export function toProblem(refusal: Refusal | RouteRefusal): Problem {
  return isOfRoutes(refusal) ? toRouteProblem(refusal) : toHttpProblem(refusal)
}

function isOfRoutes(refusal: Refusal | RouteRefusal): refusal is RouteRefusal {
  return Object.hasOwn(statuses, refusal.kind)
}

/** With the code that GraphQL's answers give it. */
function toHttpProblem(refusal: Refusal): Problem {
  const headers = headersOf(refusal)
  return {
    status: refusalStatus(refusal, editions['2026-08']),
    code: codeOf(refusal),
    detail: detailOf(refusal),
    ...(refusal.kind === 'internal' && { id: refusal.id }),
    ...(headers && { headers }),
  }
}

/** What GraphQL's surface says of other methods of its own would be wrong here. */
function detailOf(refusal: Refusal): string {
  if (refusal.kind !== 'uri-too-long') return messageOf(refusal)
  return `The URL has ${refusal.found} characters, more than the limit of ${refusal.limit}.`
}

function headersOf(refusal: Refusal): HeaderRecord | undefined {
  switch (refusal.kind) {
    case 'unauthenticated':
      return { 'WWW-Authenticate': refusal.challenge }
    case 'cancelled':
    case 'overloaded':
      return { 'Retry-After': '1' }
    case 'rate-limited':
    case 'unavailable':
      return { 'Retry-After': formatSeconds(refusal.retryAfter) }
    case 'unsupported-encoding':
      return { 'Accept-Encoding': [...refusal.supported, 'identity'].join(', ') }
    case 'unsupported-charset':
      return { Accept: 'application/json' }
    default:
      return undefined
  }
}

/** The value of `Retry-After`; one second where nobody knows better. */
export function formatSeconds(seconds: unknown): string {
  const known = typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : 1
  return String(Math.max(0, Math.ceil(known)))
}

/** A new kind of refusal fails to compile here. */
function toRouteProblem(refusal: RouteRefusal): Problem {
  const status = statuses[refusal.kind]
  const [code, detail] = describe(refusal)
  const headers = routeHeadersOf(refusal)
  return {
    status,
    code,
    detail,
    ...(refusal.kind === 'invalid-values' && { errors: refusal.errors }),
    ...(headers && { headers }),
  }
}

const statuses: { readonly [kind in RouteRefusal['kind']]: number } = {
  'broken-path': 400,
  'unknown-override': 400,
  'malformed-condition': 400,
  'condition-not-supported': 400,
  'only-any': 400,
  'too-many-tags': 400,
  absent: 404,
  'method-not-routed': 405,
  'type-not-accepted': 406,
  'values-differ': 409,
  'condition-failed': 412,
  'content-not-accepted': 415,
  'body-no-object': 422,
  'no-alternative': 422,
  'invalid-values': 422,
}

function describe(refusal: RouteRefusal): readonly [code: string, detail: string] {
  switch (refusal.kind) {
    case 'broken-path':
      return ['INVALID_PATH', `The path ${quote(refusal.path)} has a broken escape.`]
    case 'unknown-override':
      return [
        'INVALID_METHOD_OVERRIDE',
        `X-HTTP-Method-Override must be PUT, PATCH or DELETE, not ${quote(refusal.method)}.`,
      ]
    case 'method-not-routed':
      return [
        'METHOD_NOT_ALLOWED',
        `The method ${quote(refusal.method)} is not supported here: use ${refusal.allow}.`,
      ]
    case 'type-not-accepted':
      return ['NOT_ACCEPTABLE', 'Accept admits none of the types served: application/json.']
    case 'content-not-accepted':
      return ['UNSUPPORTED_MEDIA_TYPE', describeContent(refusal)]
    case 'malformed-condition':
      return ['INVALID_PRECONDITION', `${refusal.field} must be * or a list of entity tags.`]
    case 'condition-not-supported':
      return [
        'INVALID_PRECONDITION',
        `${refusal.field} cannot be honoured here: leave it out, or nothing is done.`,
      ]
    case 'only-any':
      return ['INVALID_PRECONDITION', `${refusal.field} can only be * for this method.`]
    case 'too-many-tags':
      return ['INVALID_PRECONDITION', `If-Match can have at most ${refusal.limit} entity tags.`]
    case 'condition-failed':
      return ['CONFLICT', 'The resource is not, or no longer, what the request takes it for.']
    case 'body-no-object':
      return ['BAD_USER_INPUT', 'The body must be a JSON object.']
    case 'no-alternative':
      return ['BAD_USER_INPUT', `The body must have one of: ${refusal.members.join(', ')}.`]
    case 'values-differ':
      return ['CONFLICT', `The body and the path say different things of "${refusal.name}".`]
    case 'invalid-values':
      return ['BAD_USER_INPUT', 'Some values of the request are not what they must be.']
    case 'absent':
      return ['NOT_FOUND', refusal.message ?? 'Nothing is here.']
  }
}

type Content = Extract<RouteRefusal, { kind: 'content-not-accepted' }>

function describeContent({ mediaType, accepts }: Content): string {
  const wanted = `send ${accepts.join(' or ')}.`
  return mediaType === undefined
    ? `Content-Type is missing: ${wanted}`
    : `The Content-Type ${quote(mediaType)} is not supported: ${wanted}`
}

function routeHeadersOf(refusal: RouteRefusal): HeaderRecord | undefined {
  if (refusal.kind === 'method-not-routed') return { Allow: refusal.allow }
  if (refusal.kind !== 'content-not-accepted') return undefined
  return acceptHeaders(refusal.method, refusal.accepts)
}

/** A client's own text, quoted and cut, so that an answer cannot be blown up with it. */
function quote(text: string): string {
  return JSON.stringify(cutText(text, 100))
}
