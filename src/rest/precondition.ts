import { fieldValue, type HeaderList } from '../http/message.js'
import { failure, success, type Outcome } from '../outcome.js'
import { parseEntityTags, type EntityTag } from './entity-tags.js'
import type { Route } from './route.js'
import type { ConditionField, RouteRefusal } from './route-refusal.js'

/** What a request demands of the state of the resource before it is served. */
export interface Precondition {
  /** Whether a conflict is a failure of what the request demanded. */
  readonly isConditional: boolean
  /** For a write: the versions to try in turn; undefined is any. */
  readonly versions: readonly (number | undefined)[]
  /** For a GET: the tags of which the answer must have one. */
  readonly match: '*' | readonly EntityTag[]
}

const none: Precondition = { isConditional: false, versions: [undefined], match: '*' }

/** Each is a run of the operation. */
const maxTags = 10

/** A version that nothing has: what exists is a conflict, and what does not is still absent. */
const noVersion = -1

/** Reads `If-Match`, and of a write `If-None-Match`; what cannot be honoured is refused and not passed over. */
export function readPrecondition(
  route: Route<never>,
  headers: HeaderList,
): Outcome<Precondition, RouteRefusal> {
  const ifMatch = fieldValue(headers, 'if-match')
  const ifNoneMatch = route.method === 'GET' ? undefined : fieldValue(headers, 'if-none-match')
  if (ifMatch === undefined && ifNoneMatch === undefined) return success(none)
  const match = ifMatch === undefined ? '*' : parseEntityTags(ifMatch)
  if (match === undefined) return refused('malformed-condition', 'If-Match')
  if (route.method === 'GET') return success({ ...none, match })
  if (ifNoneMatch !== undefined) {
    if (ifNoneMatch.trim() !== '*') return refused('only-any', 'If-None-Match')
    if (route.ifMatch === undefined) return refused('condition-not-supported', 'If-None-Match')
  }
  if (route.ifMatch === undefined) return refused('condition-not-supported', 'If-Match')
  if (match.length > maxTags) return failure({ kind: 'too-many-tags', limit: maxTags })
  const versions = ifNoneMatch === undefined ? versionsOf(match) : [noVersion]
  return success({ isConditional: true, versions, match: '*' })
}

function refused(
  kind: 'malformed-condition' | 'condition-not-supported' | 'only-any',
  field: ConditionField,
): Outcome<never, RouteRefusal> {
  return failure({ kind, field })
}

function versionsOf(match: '*' | readonly EntityTag[]): readonly (number | undefined)[] {
  if (match === '*') return [undefined]
  // RFC 9110 section 13.1.1: the comparison is strong, so that a weak tag never matches.
  const versions = match.filter(isVersion).map(({ opaque }) => Number(opaque))
  return versions.length === 0 ? [noVersion] : versions
}

function isVersion({ opaque, isWeak }: EntityTag): boolean {
  return !isWeak && /^(?:0|[1-9]\d{0,9})$/.test(opaque) && Number(opaque) < 2 ** 31
}
