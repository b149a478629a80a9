import type { GraphQLFormattedError } from 'graphql'
import { formatFieldErrors, formatRequestErrors } from '../../graphql/errors/format-errors.js'
import type { RequestError } from '../../graphql/errors/request-error.js'
import type { Events, Whole } from '../../graphql/execute/result.js'
import type { GraphQLError } from 'graphql'
import { reportBug } from '../../options/report.js'
import type { Settings } from '../../options/settings.js'
import { describeRefusal, encode, encodeErrors, toError } from '../../over-http/response/respond.js'
import type { EndCause } from '../../streams/end-cause.js'
import type { Program } from '../../streams/pump.js'
import { CancelledError } from './deadline.js'
import { createEventPlayer, type ResultFormat } from './event-player.js'
import type { Exchange } from './exchange.js'

/** As GraphQL has them: results with data or errors, and a list of errors at the end. */
function graphqlFormat(exchange: Exchange, settings: Settings): ResultFormat {
  const operationName = exchange.operation?.name?.value
  return {
    result(result) {
      // The default `onBug` prints a few bugs of each request; here, of each event.
      const own = result.errors.length === 0 ? exchange : { ...exchange }
      return encode(result, formatFieldErrors(result.errors, operationName, settings, own))
    },
    refusal: (refusal) => encodeErrors([toError(describeRefusal(refusal, settings.edition))]),
    end: (errors) => JSON.stringify(errors),
  }
}

/**
 * The program of a subscription: how each event becomes a result. Everything that applies to results of queries
 * applies to each event: masking, the time limit, and the maximum length.
 */
export function createProgram<Out extends Whole>(
  events: Events<Out>,
  exchange: Exchange,
  settings: Settings,
  format: ResultFormat<Out> = graphqlFormat(exchange, settings),
): Program {
  const operationName = exchange.operation?.name?.value
  const player = createEventPlayer(events, exchange, settings, format)
  return {
    field: events.field,
    operationName,
    source: events.source,
    play: player.play,
    describeFailure: (bug) => format.end(isLoss(bug) ? [eventsLost] : formatFailure(bug)),
    describeEnd: (cause) => {
      const error = ends[cause]
      return error && format.end([error])
    },
    stop(cause) {
      const reason = new CancelledError(cause)
      exchange.cancellation.cancel(reason)
      player.cancel(reason)
    },
  }

  function formatFailure(bug: unknown): readonly GraphQLFormattedError[] {
    try {
      return formatFieldErrors([bug as GraphQLError], operationName, settings, exchange)
    } catch (fault) {
      // Of `formatError`, for example; the stream must end all the same.
      const refusal = { kind: 'internal', id: reportBug(settings, fault, exchange) } as const
      return [toError(describeRefusal(refusal, settings.edition))]
    }
  }
}

/** A channel of `graphwire/pubsub` ended because its reader was too slow, or its transport lost the connection. */
function isLoss(bug: unknown): boolean {
  return bug instanceof Error && (bug as { readonly code?: unknown }).code === 'EVENTS_LOST'
}

/** No bug, and no secret: the client can subscribe again. */
const eventsLost: GraphQLFormattedError = {
  message: 'Events were lost: subscribe again.',
  extensions: { code: 'EVENTS_LOST' },
}

/** What clients are told about a stream that ends early. */
export const ends: { readonly [cause in EndCause]?: GraphQLFormattedError } = {
  expired: {
    message: 'The credentials have expired or were revoked.',
    extensions: { code: 'UNAUTHENTICATED' },
  },
  shutdown: {
    message: 'The server is shutting down: connect again.',
    extensions: { code: 'SERVER_SHUTDOWN' },
  },
  'too-long': {
    message: 'The stream was open for as long as the server allows: connect again.',
    extensions: { code: 'STREAM_TOO_LONG' },
  },
}

/** The errors of a rejected request. Those of a `subscribe` resolver are errors of a field, and may be masked. */
export function formatRejection(
  error: RequestError,
  settings: Settings,
  exchange: Exchange,
): GraphQLFormattedError[] {
  if (error.kind !== 'source') return formatRequestErrors(error, settings, exchange)
  const errors = error.errors as readonly GraphQLError[]
  return formatFieldErrors(errors, exchange.operation?.name?.value, settings, exchange)
}
