import type { GraphQLSchema } from 'graphql'
import { Cancellation } from './engine/cancellation.js'
import { checkSchema } from './engine/check-schema.js'
import { Documents } from './engine/documents.js'
import { createExecutor, type Executed } from './engine/execute.js'
import { formatFieldErrors, formatRequestErrors } from './engine/format-errors.js'
import type { GraphQLParams } from './engine/params.js'
import { prepare } from './engine/prepare.js'
import type { RequestError } from './engine/request-error.js'
import type { Answer, HttpResponse, RequestHead } from './http/message.js'
import { withDeadline } from './deadline.js'
import { OperationRequest } from './operation-request.js'
import type { Settings } from './options.js'
import type { Outcome } from './outcome.js'
import { andThen, isPromise } from './promise.js'
import type { Refusal } from './refusal.js'
import { checkOperation } from './request/check-operation.js'
import type { Encoding } from './response/choose-encoding.js'
import { refuse } from './response/refuse.js'
import { reject, respond } from './response/respond.js'

/** One request whose head has been accepted. */
export interface Exchange {
  readonly head: RequestHead
  readonly encoding: Encoding
  readonly principal: unknown
}

/** The second half of the road: from parameters to the answer. */
export type Runner = (exchange: Exchange, params: Outcome<GraphQLParams, Refusal>) => Answer

/** Makes the runner of a handler, with its documents and its way of execution. */
export function createRunner(settings: Settings): Runner {
  const { edition, graphql, rootValue } = settings
  const documents = new Documents({
    graphql,
    rules: settings.validationRules,
    hideSuggestions: settings.hideSuggestions,
    cacheEntries: settings.documentCacheEntries,
    cacheBytes: settings.documentCacheBytes,
  })
  const execute = createExecutor(graphql, settings.execute, settings.hideSuggestions)
  const schemaOf = createSchemaFinder(settings)

  const rejectWith = ({ encoding }: Exchange, error: RequestError): HttpResponse =>
    reject(error, formatRequestErrors(error, settings), encoding, edition)

  const complete = (exchange: Exchange, request: OperationRequest, executed: Executed) => {
    if (!executed.ok) return rejectWith(exchange, executed.reason)
    const { operation, name } = request.operation
    const errors = formatFieldErrors(executed.value.errors, name?.value, settings)
    return respond(executed.value, errors, operation === 'query', exchange.encoding, edition)
  }

  const runOperation = (
    exchange: Exchange,
    params: GraphQLParams,
    schema: GraphQLSchema,
    cancellation: Cancellation,
  ): Answer => {
    const { head, encoding, principal } = exchange
    const prepared = prepare(documents, schema, params)
    if (!prepared.ok) return rejectWith(exchange, prepared.reason)
    const operation = prepared.value
    const refused = checkOperation(head.method, operation)
    if (refused) {
      return 'errors' in refused ? rejectWith(exchange, refused) : refuse(refused, encoding, edition)
    }
    const request = new OperationRequest(head, principal, operation, cancellation)
    return andThen(settings.admit?.(request), (denial) => {
      if (denial) return withHeaders(refuse(denial, encoding, edition), request)
      return andThen(settings.context ? settings.context(request) : request, (contextValue) => {
        const input = { rootValue, contextValue, cancellation }
        return andThen(execute(operation, input), (executed) => {
          // Nobody waits for the answer any more, so its errors are of no interest either.
          cancellation.throwIfAborted()
          return withHeaders(complete(exchange, request, executed), request)
        })
      })
    })
  }

  return (exchange, params) => {
    if (!params.ok) return refuse(params.reason, exchange.encoding, edition)
    const cancellation = new Cancellation()
    const answer = andThen(schemaOf(exchange.head), (schema) =>
      runOperation(exchange, params.value, schema, cancellation),
    )
    if (!isPromise(answer)) return answer
    return withDeadline(
      answer,
      cancellation,
      { head: exchange.head, timeout: settings.executionTimeout },
      (cause) => refuse({ kind: 'cancelled', cause }, exchange.encoding, edition),
      (bug) => settings.onBug(bug, { id: settings.createId() }),
    )
  }
}

function withHeaders(response: HttpResponse, { touchedHeaders }: OperationRequest): HttpResponse {
  if (touchedHeaders === undefined) return response
  return { ...response, headers: touchedHeaders.mergeInto(response.headers) }
}

/** Finds the schema of a request. One that comes from a function is checked when it is first seen. */
function createSchemaFinder({
  graphql,
  schema,
}: Settings): (head: RequestHead) => GraphQLSchema | Promise<GraphQLSchema> {
  if (typeof schema !== 'function') return () => schema
  const checked = new WeakSet<GraphQLSchema>()
  const check = (found: GraphQLSchema): GraphQLSchema => {
    if (!checked.has(found)) {
      checkSchema(graphql, found)
      checked.add(found)
    }
    return found
  }
  return (head) => andThen(schema(head), check)
}
