import type { GraphQLFormattedError } from 'graphql'
import { isRequestError } from '../../graphql/errors/request-error.js'
import type { HeaderList } from '../../http/message.js'
import type { Settings } from '../../options/settings.js'
import { graphqlResponse } from '../../over-http/response-types.js'
import type { Refusal } from '../../over-http/refusals.js'
import { fillRow, type RefusalRow } from '../../over-http/refusal-row.js'
import { toError } from '../../over-http/response/respond.js'
import { sharedRefusals } from '../../over-http/shared-refusals.js'
import type { Facts } from '../road/facts.js'
import type { Stop } from '../road/road.js'
import { formatRejection } from './program.js'

/** What a client sees of a request that was stopped. */
export interface StopDetails {
  readonly status: number
  readonly headers: HeaderList
  readonly errors: readonly [GraphQLFormattedError, ...GraphQLFormattedError[]]
}

/** Describes a stop for other responses than those of GraphQL over HTTP. Masks and reports the bugs in it. */
export function describeStop(why: Stop, settings: Settings, facts: Facts): StopDetails {
  const { edition } = settings
  if (isRequestError(why)) {
    facts.errors = formatRejection(why, settings, facts)
    const status = graphqlResponse.rules[edition.name].requestError[why.kind]
    return { status, headers: [], errors: facts.errors as StopDetails['errors'] }
  }
  if (!Object.hasOwn(sharedRefusals, why.kind)) throw new TypeError(unknownStop(why))
  const row = sharedRefusals[why.kind] as RefusalRow<Refusal>
  const details = fillRow(row, why, edition)
  const errors = [toError(details)] as const
  facts.errors = errors
  facts.hasData = false
  return { status: details.status, headers: details.headers, errors }
}

function unknownStop({ kind }: { readonly kind: string | undefined }): string {
  return kind === undefined
    ? 'describeStop: what stopped the request has no kind. Is a `yield` without `*` in the road?'
    : `describeStop: "${kind}" is a kind of your own: respond to it in toResponse first.`
}
