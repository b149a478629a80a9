import type { GraphQLFormattedError } from 'graphql'
import {
  type Events,
  type Single,
  eventStreamHeaders,
  openEventStream,
  type EventFields,
  respondWithStream,
  SubscriptionProgram,
  type Facts,
  type ResultFormat,
  type StreamFormat,
  statusOf,
} from 'graphwire/surface/parts'
import { type HttpResponse, problem, problemType, type Problem } from 'graphwire/http'
import type { PlannedRoute } from './planned-route.js'
import type { RestTools } from './rest-surface.js'
import { toProblem } from './route/route-refusals.js'
import { findFailure } from './find-failure.js'
import { rootValue } from './response/route-response.js'

/*
 * The events of a route. Each is the value of the root field, without a name, so that `onmessage` of an EventSource gets it.
 * Failures are events named `problem`: clients would take `error` for a lost connection.
 */

const asTheyAre: EventFields = { result: (fields) => fields, errors: (fields) => fields }

/** How the events of a route are written. */
export const routeStreamFormat: StreamFormat = {
  transport: 'event-stream',
  headers: eventStreamHeaders,
  open: (sink) => openEventStream(sink, asTheyAre),
}

/** The response of a route whose operation is a subscription. */
export function streamRoute(
  events: Events<Single>,
  facts: Facts,
  planned: PlannedRoute,
  { settings, streams }: RestTools,
): HttpResponse {
  facts.hasData = true
  const toFields = (failure: Problem): string => {
    const type = problemType(failure.code, settings.problemBase)
    return `event: problem\ndata: ${problem({ ...failure, type }).body}`
  }
  const format: ResultFormat<Single> = {
    result(result) {
      const failure = findFailure(result.errors, facts, planned, settings)
      if (failure !== undefined) return toFields(failure)
      return `data: ${JSON.stringify(rootValue(result, planned.plan))}`
    },
    refusal: (refusal) => toFields(toProblem(refusal)),
    end([error]) {
      const { message = '', extensions = {} } = (error ?? {}) as Partial<GraphQLFormattedError>
      const { code, id } = extensions as { readonly code?: unknown; readonly id?: unknown }
      return toFields({
        status: statusOf(code, settings) ?? 500,
        code: typeof code === 'string' ? code : 'INTERNAL_SERVER_ERROR',
        detail: message,
        ...(typeof id === 'string' && { id }),
      })
    },
    success: 'data: ',
  }
  const program = new SubscriptionProgram(events, facts, { settings, streams, format })
  return respondWithStream(program, routeStreamFormat, facts, settings, streams)
}
