import { checkLength } from './check-length.js'
import type { Engine } from './engine/engine.js'
import { formatFieldErrors, formatRequestErrors } from './engine/format-errors.js'
import type { GraphQLParams } from './engine/params.js'
import type { RequestError } from './engine/request-error.js'
import { failure } from './outcome.js'
import type { Encoding } from './response/choose-encoding.js'
import { refuse } from './response/refuse.js'
import { reject, respond } from './response/respond.js'
import type { Exchange, Surface } from './run.js'
import type { Settings } from './settings.js'

/** A request for GraphQL, and how its answer is to be labelled. */
interface GraphQLExchange extends Exchange {
  readonly encoding: Encoding
}

/** Answers as the specification of GraphQL over HTTP says. */
export function createGraphQLSurface(
  settings: Settings,
  engine: Engine,
): Surface<GraphQLExchange, GraphQLParams> {
  const { edition } = settings
  const rejectError = (error: RequestError, { encoding }: GraphQLExchange) =>
    reject(error, formatRequestErrors(error, settings), encoding, edition)
  return {
    prepare(schema, params, exchange) {
      const prepared = engine.prepare(schema, params)
      return prepared.ok ? prepared : failure(rejectError(prepared.reason, exchange))
    },
    execute: (operation, input) => engine.execute(operation, input),
    refuse: (refusal, { encoding }) => refuse(refusal, encoding, edition),
    reject: rejectError,
    respond(result, request, { encoding }) {
      const { operation, name } = request.operation
      const errors = formatFieldErrors(result.errors, name?.value, settings)
      // An answer to a mutation is nobody's to store, and one with errors may be right the next time.
      const storable = operation === 'query' && errors.length === 0
      const response = respond(result, errors, storable, encoding, edition)
      checkLength(response.body, name?.value, settings)
      return response
    },
  }
}
