import { formatFieldErrors } from '../graphql/errors/format-errors.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Incremental, Result } from '../graphql/execute/result.js'
import type { HttpResponse } from '../http/message.js'
import { bringsCredentials, forClientOnly } from '../http/storing.js'
import type { Settings } from '../options/settings.js'
import type { Encoding } from '../over-http/response/choose-encoding.js'
import type { Caching } from '../over-http/response/headers.js'
import {
  refuse,
  describeRefusal,
  toError,
  reject,
  respond,
  encode,
} from '../over-http/response/respond.js'
import type { Streams } from '../streams/streams.js'
import type { Exchange } from './stages/exchange.js'
import { createIncrementalProgram, type IncrementalProgram } from './stages/incremental-program.js'
import {
  formatRejection,
  graphqlFormat,
  SubscriptionProgram,
  type SubscriptionKit,
} from './stages/program.js'
import { formatOf, respondInParts, respondWithStream } from './stages/stream-response.js'
import type { Surface } from './stages/stage.js'
import { checkLength } from './stages/check-length.js'
import type { Program } from '../streams/pump.js'

/** A GraphQL request, with the encoding of its response. */
export interface GraphQLExchange extends Exchange {
  readonly encoding: Encoding
}

export interface GraphQLSurface extends Surface<GraphQLExchange> {
  respond(this: void, exchange: GraphQLExchange): HttpResponse
}

/** Responds as the GraphQL over HTTP specification says. */
export function createGraphQLSurface(settings: Settings, streams: Streams): GraphQLSurface {
  const { edition } = settings
  const kit: SubscriptionKit = { settings, streams, format: graphqlFormat(settings) }
  return {
    refuse(refusal, exchange) {
      const details = describeRefusal(refusal, edition)
      const error = toError(details)
      exchange.errors = [error]
      exchange.hasData = false
      return refuse(details, error, exchange.encoding)
    },
    reject(error, exchange) {
      const { operation, encoding } = exchange
      const errors = formatRejection(error, settings, exchange)
      exchange.errors = errors
      return reject(error, errors, operation?.operation, encoding, edition)
    },
    respond(exchange) {
      const result = exchange.result as Result
      if (result.kind === 'events') {
        exchange.hasData = true
        const program = new SubscriptionProgram(result, exchange, kit)
        const format = formatOf(exchange.encoding)
        return respondWithStream(program, format, exchange, settings, streams)
      }
      if (result.kind === 'incremental') {
        exchange.hasData = true
        const program = createCountedProgram(result, exchange, settings, streams)
        return respondInParts(program, exchange, settings, streams)
      }
      const { operation, name } = (exchange.prepared as Operation).definition
      const errors = formatFieldErrors(result.errors, name?.value, settings, exchange)
      exchange.errors = errors
      exchange.hasData = true
      // A response to a mutation must not be stored, nor one with errors, which may be gone the next time.
      const caching =
        operation === 'query' && errors.length === 0 ? cachingOf(exchange) : 'no-store'
      const response = respond(result, errors, caching, exchange.encoding, edition)
      checkLength(response.body, name?.value, settings)
      return response
    },
  }

  function cachingOf({ head }: Exchange): Caching {
    if (head.method === 'POST') return 'unsaid'
    const isPersonal = settings.isPersonal || bringsCredentials(head.headers)
    return isPersonal ? forClientOnly : 'no-cache'
  }
}

/**
 * What an operation over a socket gives: errors as a JSON list, one result as JSON, or a stream of them. Its status is
 * that of a response over HTTP.
 */
export type SocketReply =
  | { readonly errors: string; readonly status: number }
  | { readonly result: string; readonly status: number }
  | { readonly program: Program }

interface SocketSurface extends Surface<Exchange, never, SocketReply> {
  respond(this: void, exchange: Exchange): SocketReply
}

/** Responds to operations over a socket, which have no status and no headers. */
export function createSocketSurface(settings: Settings, streams: Streams): SocketSurface {
  const kit: SubscriptionKit = { settings, streams, format: graphqlFormat(settings) }
  return {
    refuse(refusal, exchange) {
      const details = describeRefusal(refusal, settings.edition)
      const error = toError(details)
      exchange.errors = [error]
      exchange.hasData = false
      return { errors: JSON.stringify([error]), status: details.status }
    },
    reject(error, exchange) {
      const errors = formatRejection(error, settings, exchange)
      exchange.errors = errors
      const status = settings.edition.requestError['application/graphql-response+json'][error.kind]
      return { errors: JSON.stringify(errors), status }
    },
    respond(exchange) {
      const result = exchange.result as Result
      exchange.hasData = true
      if (result.kind === 'events') {
        return { program: new SubscriptionProgram(result, exchange, kit) }
      }
      if (result.kind === 'incremental') {
        return { program: createCountedProgram(result, exchange, settings, streams) }
      }
      const { name } = (exchange.prepared as Operation).definition
      const errors = formatFieldErrors(result.errors, name?.value, settings, exchange)
      exchange.errors = errors
      const text = encode(result, errors)
      checkLength(text, name?.value, settings)
      const partial = settings.edition.partial['application/graphql-response+json']
      return { result: text, status: errors.length === 0 ? 200 : partial }
    },
  }
}

function createCountedProgram(
  result: Incremental,
  exchange: Exchange,
  settings: Settings,
  streams: Streams,
): IncrementalProgram {
  const program = createIncrementalProgram(result, exchange, settings)
  const client = settings.clientOf(exchange.head)
  streams.keep(program.source, exchange.prepared as Operation, client)
  return program
}
