import type { GraphQLError, GraphQLFormattedError } from 'graphql'
import { isJsonObject } from '../../base/json.js'
import { isPromise } from '../../base/promise.js'
import { formatFieldErrors, formatRequestErrors } from '../../graphql/errors/format-errors.js'
import { isRequestError, type RequestError } from '../../graphql/errors/request-error.js'
import type { Whole } from '../../graphql/execute/result.js'
import type { HeaderList } from '../../http/message.js'
import { reportBug } from '../../options/report.js'
import type { CompletedRequest } from '../../options/request-info.js'
import type { ResultPart } from '../../options/result-info.js'
import type { Settings } from '../../options/settings.js'
import { fillRow, type RefusalRow } from '../../over-http/refusal-row.js'
import type { Refusal } from '../../over-http/refusals.js'
import { graphqlResponse, partialStatus } from '../../over-http/response-types.js'
import { checkLength, encode, rejectionStatus, toError } from '../../over-http/response/respond.js'
import { sharedRefusals } from '../../over-http/shared-refusals.js'
import { showValue } from '../../shapes/show-value.js'
import type { Facts } from '../road/facts.js'
import type { Stop } from '../road/road.js'

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
    const status = rejectionStatus(why, facts.errors, graphqlResponse, edition)
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

/** The errors of a rejected request. Those of a `subscribe` resolver are errors of a field, and may be masked. */
export function formatRejection(
  error: RequestError,
  settings: Settings,
  facts: Facts,
): GraphQLFormattedError[] {
  if (error.kind !== 'source') return formatRequestErrors(error, settings, facts)
  const errors = error.errors as readonly GraphQLError[]
  return formatFieldErrors(errors, facts.operation?.name?.value, settings, facts)
}

/** The result with the members that `responseExtensions` adds to its `extensions`. */
export function extendResult(
  result: Whole,
  errors: readonly GraphQLFormattedError[],
  settings: Settings,
  facts: Facts,
): Whole {
  if (settings.responseExtensions.length === 0) return result
  const hasNext = facts.operation?.operation === 'subscription'
  const added = askForExtensions({ errors, hasNext }, settings, facts)
  if (added === undefined) return result
  if (result.kind === 'written') {
    return { ...result, body: `${result.body.slice(0, -1)},"extensions":${JSON.stringify(added)}}` }
  }
  return { ...result, extensions: { ...(result.extensions as object | undefined), ...added } }
}

/** A whole result as JSON, and the status that it would have over HTTP. */
export function writeResult(
  result: Whole,
  operationName: string | undefined,
  settings: Settings,
  facts: Facts,
): { readonly text: string; readonly status: number } {
  const errors = formatFieldErrors(result.errors, operationName, settings, facts)
  facts.errors = errors
  facts.hasData = true
  const text = encode(extendResult(result, errors, settings, facts), errors)
  checkLength(text, operationName, settings)
  const partial = partialStatus(graphqlResponse, settings.edition)
  return { text, status: errors.length === 0 ? 200 : partial }
}

/** The members of a written part that may have errors. */
interface WrittenPart {
  readonly errors?: readonly GraphQLFormattedError[]
  readonly incremental?: readonly WrittenPart[]
  readonly completed?: readonly WrittenPart[]
  readonly hasNext?: boolean
}

/** One of several parts, with the members that `responseExtensions` adds. */
export function extendPart(part: object, settings: Settings, facts: Facts): object {
  if (settings.responseExtensions.length === 0) return part
  const { incremental = [], completed = [], hasNext = false } = part as WrittenPart
  const errors = [part as WrittenPart, ...incremental, ...completed].flatMap(
    (one) => one.errors ?? [],
  )
  const extensions = askForExtensions({ errors, hasNext }, settings, facts)
  return extensions === undefined ? part : { ...part, extensions }
}

/**
 * What the hooks return, as JSON has it. The outermost comes last, and overrides the others. The operation may already have
 * changed data, so mistakes are reported, and the result is sent without their members.
 */
function askForExtensions(part: ResultPart, settings: Settings, facts: Facts): object | undefined {
  const all = {}
  for (const ask of settings.responseExtensions) {
    try {
      const added: unknown = ask(facts as CompletedRequest, part)
      if (added === undefined) continue
      // It is not awaited, so a promise that rejects must be handled here.
      if (isPromise(added)) void Promise.resolve(added).catch(() => undefined)
      const json: unknown = JSON.parse(JSON.stringify(added) ?? 'null')
      if (isPromise(added) || !isJsonObject(json)) {
        throw new TypeError(`responseExtensions: expected an object, got ${showValue(added)}.`)
      }
      Object.assign(all, json)
    } catch (bug) {
      reportBug(settings, bug, facts)
    }
  }
  return Object.keys(all).length === 0 ? undefined : all
}
