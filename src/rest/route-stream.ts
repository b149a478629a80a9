import type { GraphQLFormattedError } from 'graphql'
import { SubscriptionProgram, type ResultFormat } from '../handler/stages/program.js'
import { respondWithStream, type StreamFormat } from '../handler/stages/stream-response.js'
import type { Events, Single } from '../graphql/execute/result.js'
import type { HttpResponse } from '../http/message.js'
import { problem, problemType, type Problem } from '../http/problem.js'
import {
  eventStreamHeaders,
  openEventStream,
  type EventFields,
} from '../over-http/response/event-stream.js'
import type { Streams } from '../streams/streams.js'
import type { RoutePlan } from './plan/plan.js'
import type { RestExchange } from './rest-exchange.js'
import type { RestSettings } from './rest-options.js'
import { toProblem } from './route/route-refusals.js'
import { findFailure } from './find-failure.js'
import { statusOf } from '../over-http/code-statuses.js'
import { rootValue } from './response/root-place.js'

/*
 * The events of a route. Each is the value of the root field, without a name, so that `onmessage` of an
 * EventSource gets it. What fails is an event named `problem`; `error` would be taken for a lost connection.
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
  exchange: RestExchange,
  plan: RoutePlan,
  settings: RestSettings,
  streams: Streams,
): HttpResponse {
  const format = fieldsOf(exchange, plan, settings)
  const program = new SubscriptionProgram(events, exchange, { settings, streams, format })
  return respondWithStream(program, routeStreamFormat, exchange, settings, streams)
}

function fieldsOf(
  exchange: RestExchange,
  plan: RoutePlan,
  settings: RestSettings,
): ResultFormat<Single> {
  const toFields = (failure: Problem): string => {
    const type = problemType(failure.code, settings.problemBase)
    return `event: problem\ndata: ${problem({ ...failure, type }).body}`
  }
  return {
    result(result) {
      const failure = findFailure(result.errors, exchange, plan, settings)
      if (failure !== undefined) return toFields(failure)
      return `data: ${JSON.stringify(rootValue(result, plan))}`
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
}
