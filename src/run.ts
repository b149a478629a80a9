import type { GraphQLSchema } from 'graphql'
import { withDeadline } from './deadline.js'
import { Cancellation } from './engine/cancellation.js'
import { checkDenial } from './check-denial.js'
import { createEngine, type Engine } from './engine/engine.js'
import type { Executed } from './engine/execute.js'
import { formatFieldErrors, formatRequestErrors } from './engine/format-errors.js'
import type { GraphQLParams } from './engine/params.js'
import type { RequestError } from './engine/request-error.js'
import type { Answer, HttpResponse, RequestHead } from './http/message.js'
import type { LoadGate } from './load-gate.js'
import { OperationRequest } from './operation-request.js'
import type { Settings } from './settings.js'
import type { Outcome } from './outcome.js'
import { andThen, isPromise } from './promise.js'
import type { Refusal } from './refusal.js'
import { checkOperation } from './request/check-operation.js'
import type { Encoding } from './response/choose-encoding.js'
import { refuse } from './response/refuse.js'
import { reject, respond } from './response/respond.js'
import { createSchemaFinder } from './schema-finder.js'

/** One request whose head has been accepted. */
interface Exchange {
  readonly head: RequestHead
  readonly encoding: Encoding
  readonly principal: unknown
}

/** The second half of the road: from parameters to the answer. */
export type Runner = (exchange: Exchange, params: Outcome<GraphQLParams, Refusal>) => Answer

/** Makes the runner of a handler. Everything that may wait is under one deadline and one cancellation. */
export function createRunner(settings: Settings, gate: LoadGate): Runner {
  const { edition, executionTimeout: timeout, onBug, createId } = settings
  const engine = createEngine(settings)
  const findSchema = createSchemaFinder(settings)

  return (exchange, params) => {
    const { head, encoding } = exchange
    if (!params.ok) return refuse(params.reason, encoding, edition)
    const cancellation = new Cancellation()
    const answer = andThen(findSchema(head), (schema) =>
      runOperation(settings, engine, exchange, { params: params.value, schema, cancellation }),
    )
    if (!isPromise(answer)) return answer
    const bounded = withDeadline(
      answer,
      cancellation,
      { head, timeout },
      (cause) => refuse({ kind: 'cancelled', cause }, encoding, edition),
      (bug) => onBug(bug, { id: createId() }),
    )
    return gate.during(bounded)
  }
}

interface Work {
  readonly params: GraphQLParams
  readonly schema: GraphQLSchema
  readonly cancellation: Cancellation
}

function runOperation(
  settings: Settings,
  engine: Engine,
  exchange: Exchange,
  { params, schema, cancellation }: Work,
): Answer {
  const { head, encoding, principal } = exchange
  cancellation.throwIfAborted()
  const prepared = engine.prepare(schema, params)
  if (!prepared.ok) return answerError(settings, exchange, prepared.reason)
  const operation = prepared.value
  const refused = checkOperation(head.method, operation)
  if (refused) {
    if ('errors' in refused) return answerError(settings, exchange, refused)
    return refuse(refused, encoding, settings.edition)
  }
  const tooDear = engine.checkCost(operation)
  if (tooDear) return answerError(settings, exchange, tooDear)
  const request = new OperationRequest(head, principal, operation, cancellation)
  return andThen(settings.admit?.(request), (denial) => {
    if (denial !== undefined) {
      const refusal = checkDenial(denial, 'admit')
      return withResolverHeaders(refuse(refusal, encoding, settings.edition), request)
    }
    cancellation.throwIfAborted()
    return andThen(settings.context ? settings.context(request) : request, (contextValue) => {
      // graphql 16 and a custom executor would start what nobody waits for.
      cancellation.throwIfAborted()
      const input = { rootValue: settings.rootValue, contextValue, cancellation }
      return andThen(engine.execute(operation, input), (executed) => {
        // Nobody waits for the answer any more, so its errors are of no interest either.
        cancellation.throwIfAborted()
        return withResolverHeaders(answerResult(settings, exchange, request, executed), request)
      })
    })
  })
}

function answerResult(
  settings: Settings,
  exchange: Exchange,
  request: OperationRequest,
  executed: Executed,
): HttpResponse {
  if (!executed.ok) return answerError(settings, exchange, executed.reason)
  const { operation, name } = request.operation
  const errors = formatFieldErrors(executed.value.errors, name?.value, settings)
  // An answer to a mutation is nobody's to store, and one with errors may be right the next time.
  const storable = operation === 'query' && errors.length === 0
  const response = respond(executed.value, errors, storable, exchange.encoding, settings.edition)
  if (isLonger(response.body, settings.maxAnswerBytes)) {
    throw new Error(
      `The answer to the operation ${name?.value ?? '(anonymous)'} is longer than maxAnswerBytes, ` +
        `which is ${settings.maxAnswerBytes}: bound its lists.`,
    )
  }
  return response
}

/** Whether a text has more bytes of UTF-8; they are counted only where it may be so. */
function isLonger(text: string, maxBytes: number): boolean {
  if (text.length * 3 <= maxBytes) return false
  return text.length > maxBytes || new TextEncoder().encode(text).byteLength > maxBytes
}

function answerError(
  settings: Settings,
  { encoding }: Exchange,
  error: RequestError,
): HttpResponse {
  return reject(error, formatRequestErrors(error, settings), encoding, settings.edition)
}

function withResolverHeaders(
  response: HttpResponse,
  { touchedHeaders }: OperationRequest,
): HttpResponse {
  if (touchedHeaders === undefined) return response
  return { ...response, headers: touchedHeaders.mergeInto(response.headers) }
}
