import { fieldValue, type HeaderList, parseEntityTags, type EntityTag } from 'graphwire/http'
import { failure, success, type Outcome } from 'graphwire/base'
import type { Route } from '../route/route.js'
import type { RouteRefusal } from '../route/route-refusals.js'

/** The conditions of a request on the state of the resource. */
export interface Precondition {
  /** Whether a conflict means that a condition of the request failed. */
  readonly isConditional: boolean
  /** For a write: the versions to try in order; undefined without a condition, null for any version. */
  readonly versions: readonly (number | null | undefined)[]
  /** For a GET: the tags, of which the response must have one. */
  readonly match: '*' | readonly EntityTag[]
}

/** Of a request without conditions. */
const noPrecondition: Precondition = {
  isConditional: false,
  versions: [undefined],
  match: '*',
}

/** Each version is one run of the operation. */
const maxTags = 10

/** No resource has these versions, so existing ones conflict. Only with the first may a missing one be created. */
const [mustBeNew, noVersion] = [-1, -2]

/** Reads `If-Match`, and for writes `If-None-Match`; unsupported conditions are refused, not ignored. */
export function readPrecondition(
  route: Route<never>,
  headers: HeaderList,
): Outcome<Precondition, RouteRefusal> {
  const ifMatch = fieldValue(headers, 'if-match')
  const ifNoneMatch = route.method === 'GET' ? undefined : fieldValue(headers, 'if-none-match')
  if (ifMatch === undefined && ifNoneMatch === undefined) return success(noPrecondition)
  const match = ifMatch === undefined ? '*' : parseEntityTags(ifMatch)
  if (match === undefined) return refuse('If-Match must be * or a list of entity tags.')
  if (route.method === 'GET' && !route.stream) return success({ ...noPrecondition, match })
  if (ifNoneMatch !== undefined && ifNoneMatch.trim() !== '*') {
    return refuse('For this method, If-None-Match can only be *.')
  }
  if (route.ifMatch === undefined) {
    const field = ifNoneMatch === undefined ? 'If-Match' : 'If-None-Match'
    return refuse(`${field} is not supported here: omit it. The request had no effect.`)
  }
  if (match.length > maxTags) return refuse(`If-Match can have at most ${maxTags} entity tags.`)
  if (ifMatch === undefined) return success({ isConditional: true, versions: [mustBeNew], match })
  // If the resource does not exist, If-Match is false; if it does, If-None-Match is.
  const versions = ifNoneMatch === undefined ? versionsOf(match) : [noVersion]
  return success({ isConditional: true, versions, match: '*' })
}

function refuse(problem: string): Outcome<never, RouteRefusal> {
  return failure({ kind: 'invalid-condition', problem })
}

function versionsOf(match: '*' | readonly EntityTag[]): Precondition['versions'] {
  if (match === '*') return [null]
  // RFC 9110 section 13.1.1: the comparison is strong, so a weak tag never matches.
  const versions = match.filter(({ isWeak }) => !isWeak).flatMap(({ opaque }) => versionIn(opaque))
  return versions.length === 0 ? [noVersion] : versions
}

/** The version at the start of a tag; `tagOf` adds a digest for authenticated callers. */
function versionIn(opaque: string): readonly number[] {
  const [, text] = /^(0|[1-9]\d{0,9})(?:\.[\w+/]{22})?$/.exec(opaque) ?? []
  return text !== undefined && Number(text) < 2 ** 31 ? [Number(text)] : []
}
