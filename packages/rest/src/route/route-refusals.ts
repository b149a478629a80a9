import { fieldLines, type HeaderRecord, type Problem, type ProblemError } from 'graphwire/http'
import {
  defaultEdition,
  editions,
  type Refusal,
  quote,
  type RefusalRow,
  type RefusalRows,
  fillRow,
  sharedRefusals,
} from 'graphwire/surface/parts'
import type { RouteMethod } from './route.js'

/** Every reason for routes to reject a request, in addition to those of HTTP itself (closed union). */
export type RouteRefusal =
  | { readonly kind: 'broken-path'; readonly path: string }
  | { readonly kind: 'unknown-override'; readonly method: string }
  | { readonly kind: 'method-not-routed'; readonly method: string; readonly allow: string }
  | { readonly kind: 'type-not-accepted'; readonly type: string }
  | { readonly kind: 'partial-put' }
  | {
      readonly kind: 'content-not-accepted'
      readonly mediaType: string | undefined
      readonly accepts: readonly string[]
      readonly method: RouteMethod
    }
  | { readonly kind: 'invalid-condition'; readonly problem: string }
  | { readonly kind: 'condition-failed' }
  | { readonly kind: 'body-no-object' }
  | { readonly kind: 'no-alternative'; readonly members: readonly string[] }
  | { readonly kind: 'values-differ'; readonly name: string }
  | { readonly kind: 'invalid-values'; readonly errors: readonly ProblemError[] }
  | { readonly kind: 'absent'; readonly message: string | undefined }

/** Every refusal of routes, one row each; a kind without a row does not compile. */
export const routeRefusals: RefusalRows<RouteRefusal> = {
  'broken-path': {
    status: 400,
    code: 'INVALID_PATH',
    message: ({ path }) => `The path ${quote(path)} has an invalid percent-escape.`,
    doc: ['The path has an invalid percent-escape.', 'Encode the path.'],
  },
  absent: {
    status: 404,
    code: 'NOT_FOUND',
    message: ({ message }) => message ?? 'Not found.',
    doc: ['The root field of the route is null.', 'Check the id.'],
  },
  'method-not-routed': {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: ({ method, allow }) =>
      `The method ${quote(method)} is not supported here: use ${allow}.`,
    headers: ({ allow }) => ['Allow', allow],
    doc: ['The path has no route for the method.', "Use a method from the response's `Allow`."],
  },
  'unknown-override': {
    status: 400,
    code: 'INVALID_METHOD_OVERRIDE',
    message: ({ method }) =>
      `X-HTTP-Method-Override must be PUT, PATCH or DELETE, not ${quote(method)}.`,
    doc: ['`X-HTTP-Method-Override` names another method.', 'Name PUT, PATCH or DELETE.'],
  },
  'type-not-accepted': {
    status: 406,
    code: 'NOT_ACCEPTABLE',
    message: ({ type }) => `Accept admits none of the types served: ${type}.`,
    doc: ['`Accept` does not admit the type of the route.', 'Send `Accept: application/json`.'],
  },
  // RFC 9110 section 14.5: treated as the whole resource, the part would replace the rest.
  'partial-put': {
    status: 400,
    code: 'UNSUPPORTED_CONTENT_RANGE',
    message: 'Partial PUT is not supported: send the whole resource without Content-Range.',
    doc: ['A PUT has `Content-Range`.', 'Send the whole resource, or use PATCH.'],
  },
  'content-not-accepted': {
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    message: ({ mediaType, accepts }) =>
      mediaType === undefined
        ? `Content-Type is missing: send ${accepts.join(' or ')}.`
        : `The Content-Type ${quote(mediaType)} is not supported: send ${accepts.join(' or ')}.`,
    headers: ({ method, accepts }) =>
      Object.entries(acceptHeaders(method, accepts)).flat().map(String),
    doc: [
      'The route does not accept the type of the body.',
      "Use a type from the response's `Accept`.",
    ],
  },
  'body-no-object': {
    status: 422,
    code: 'BAD_USER_INPUT',
    message: 'The body must be a JSON object.',
    doc: ['The body is JSON, but not an object.', 'Send an object.'],
  },
  'no-alternative': {
    status: 422,
    code: 'BAD_USER_INPUT',
    message: ({ members }) => `The body must have one of these members: ${members.join(', ')}.`,
    doc: [
      'The body must have a member that selects a route, and has none.',
      'Add one of the members.',
    ],
  },
  'invalid-values': {
    status: 422,
    code: 'BAD_USER_INPUT',
    message: 'The request contains invalid values.',
    doc: ['Values of the path, the query or the body fail their checks.', 'See `errors`.'],
  },
  'values-differ': {
    status: 409,
    code: 'CONFLICT',
    message: ({ name }) => `"${name}" has different values in the path and in the body.`,
    doc: ['The path and the body name different resources.', 'Omit the id from the body.'],
  },
  'condition-failed': {
    status: 412,
    code: 'CONFLICT',
    message: 'The resource does not match the precondition.',
    doc: [
      'The current version is not in `If-Match`: the resource has changed in the meantime.',
      'Read the resource again, and apply the change to its new version.',
    ],
  },
  'invalid-condition': {
    status: 400,
    code: 'INVALID_PRECONDITION',
    message: ({ problem }) => problem,
    doc: [
      '`If-Match` or `If-None-Match` is malformed, or the route cannot honor it.',
      'See the message.',
    ],
  },
}

/** The headers that list the media types of bodies: RFC 9110 section 12.5.1, RFC 5789 section 3.1, and the Accept-Post of LDP. */
export function acceptHeaders(method: string, types: readonly string[]): HeaderRecord {
  const list = types.join(', ')
  if (method === 'POST') return { Accept: list, 'Accept-Post': list }
  return method === 'PATCH' ? { Accept: list, 'Accept-Patch': list } : { Accept: list }
}

const rows = { ...sharedRefusals, ...routeRefusals }

export function toProblem(refusal: Refusal | RouteRefusal): Problem {
  const row = rows[refusal.kind] as RefusalRow<Refusal | RouteRefusal>
  const { status, code, message, headers } = fillRow(row, refusal, editions[defaultEdition])
  return {
    status,
    code,
    detail: message,
    ...(refusal.kind === 'internal' && { id: refusal.id }),
    ...(refusal.kind === 'invalid-values' && { errors: refusal.errors }),
    ...(headers.length > 0 && { headers: Object.fromEntries(fieldLines(headers)) }),
  }
}
