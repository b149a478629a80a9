import { formatFieldErrors, formatRequestErrors } from '../graphql/errors/format-errors.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Result } from '../graphql/execute/result.js'
import type { HttpResponse } from '../http/message.js'
import { bringsCredentials, forClientOnly } from '../http/storing.js'
import type { Settings } from '../options/settings.js'
import type { Encoding } from '../over-http/response/choose-encoding.js'
import type { Caching } from '../over-http/response/headers.js'
import { refuse, describeRefusal, toError } from '../over-http/response/respond.js'
import { reject, respond } from '../over-http/response/respond.js'
import type { Exchange } from './stages/exchange.js'
import type { Surface } from './stages/stage.js'
import { checkLength } from './stages/check-length.js'

/** A GraphQL request, with the encoding of its response. */
export interface GraphQLExchange extends Exchange {
  readonly encoding: Encoding
}

interface GraphQLSurface extends Surface<GraphQLExchange> {
  respond(this: void, exchange: GraphQLExchange): HttpResponse
}

/** Responds as the GraphQL over HTTP specification says. */
export function createGraphQLSurface(settings: Settings): GraphQLSurface {
  const { edition } = settings
  return {
    refuse(refusal, exchange) {
      const details = describeRefusal(refusal, edition)
      const error = toError(details)
      exchange.errors = [error]
      exchange.hasData = false
      return refuse(details, error, exchange.encoding)
    },
    reject(error, exchange) {
      const errors = formatRequestErrors(error, settings, exchange)
      exchange.errors = errors
      return reject(error, errors, exchange.encoding, edition)
    },
    respond(exchange) {
      const result = exchange.result as Result
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
