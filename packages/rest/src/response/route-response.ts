import { isJsonObject } from 'graphwire/base'
import {
  type HeaderList,
  type HttpResponse,
  forClientOnly,
  digestOf,
  matchesTag,
  fillTemplate,
  type HeaderRecord,
  toPointer,
  type Problem,
  type ProblemError,
} from 'graphwire/http'
import { mistake } from '../route/route.js'
import type { RoutePlan } from '../plan/plan.js'
import type { Precondition } from '../read/precondition.js'
import type { GraphQLFormattedError, ValueNode } from 'graphql'
import { type FailureRules, formatSeconds, type Single } from 'graphwire/surface/parts'

/** The value of the root field; null if it is absent or undefined. */
export function rootValue({ data }: Single, { rootField: { alias, name } }: RoutePlan): unknown {
  const members = data as { readonly [name: string]: unknown } | null
  return members?.[(alias ?? name).value] ?? null
}

/** Receives mistakes that do not change the response: after a write, reporting a failure would be wrong. */
export type ReportMistake = (mistake: Error) => void

/** Makes the body of a value, without the version, which goes into the tag. Without one, the tag is a digest. */
export function toRepresentation(
  value: unknown,
  { route }: RoutePlan,
  report: ReportMistake,
): { readonly body: string; readonly version: string | undefined } {
  if (route.version === undefined || !isJsonObject(value)) {
    return { body: JSON.stringify(value), version: undefined }
  }
  const { [route.version]: version, ...rest } = value
  const body = JSON.stringify(rest)
  if (version === null || version === undefined) return { body, version: undefined }
  const text = textOf(version)
  if (text !== undefined && /^[\x21\x23-\x7e]+$/.test(text)) return { body, version: text }
  report(mistake(route, 'the version cannot be written in an entity tag'))
  return { body, version: undefined }
}

function textOf(value: unknown): string | undefined {
  return ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : undefined
}

/**
 * The strong tag of a representation: its version, or else its digest. Two users can see one version differently, at one URL
 * and in the cache of one browser (RFC 9110 section 8.8.1). So requests with credentials get a tag of both.
 */
export function tagOf(
  body: string,
  version: string | undefined,
  isOfUser: boolean,
): string | Promise<string> {
  if (version === undefined) return digestOf(body)
  return isOfUser ? digestOf(body).then((digest) => `${version}.${digest.slice(0, 22)}`) : version
}

/** The parts of a response besides the representation. */
export interface Attachments {
  readonly tag: string | undefined
  /**
   * The version alone, which is the whole tag of the same state for a write, or for a reader without
   * credentials. `If-Match` of a GET may have either. Default: `tag`.
   */
  readonly version: string | undefined
  readonly location: HeaderList
  /** Whether responses to GET depend on the caller. */
  readonly isPersonal: boolean
}

/** The response of a success; undefined if its tag is not one that the request requires. */
export function toSuccess(
  body: string,
  { tag, version = tag, location, isPersonal }: Attachments,
  { route: { method, status = 200 } }: RoutePlan,
  { match }: Precondition,
): HttpResponse | undefined {
  const etag = tag === undefined ? [] : ['ETag', `"${tag}"`]
  const fresh = isPersonal ? forClientOnly : 'no-cache'
  const caching = ['Cache-Control', method === 'GET' ? fresh : 'no-store', 'Vary', 'Accept']
  const common = [...location, ...etag, ...caching, 'X-Content-Type-Options', 'nosniff']
  if (method === 'GET' && tag !== undefined && version !== undefined) {
    const isDemanded = [tag, version].some((one) => matchesTag(match, one, 'strong'))
    if (!isDemanded) return undefined
  }
  if (status === 204) return { status, headers: common, body: '' }
  const contentType = ['Content-Type', 'application/json; charset=utf-8']
  return { status, headers: [...contentType, ...common], body }
}

/** The `Location` of the value, if a path can represent it. */
export function toLocation(
  value: unknown,
  { location, route }: RoutePlan,
  report: ReportMistake,
): HeaderList {
  if (location === undefined) return []
  const filled = fillTemplate(location, (name) =>
    isJsonObject(value) ? textOf(value[name]) : undefined,
  )
  if (filled.ok) return ['Location', filled.value]
  report(mistake(route, `location: the value of "${filled.reason}" cannot be written in a path`))
  return []
}

/** Makes the problem of an execution error whose code has a status. */
export function toFailureProblem(
  error: GraphQLFormattedError,
  status: number,
  plan: RoutePlan,
  rules: FailureRules,
): Problem {
  const { extensions = {}, message } = error
  const code = String(extensions['code'])
  const errors = toErrors(extensions['errors'], plan)
  const headers = headersOf(status, extensions, rules)
  return {
    status,
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

/** Converts errors about arguments to the places in the request. */
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
