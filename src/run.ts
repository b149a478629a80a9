import type { GraphQLSchema } from 'graphql'
import { withDeadline } from './deadline.js'
import { Cancellation } from './engine/cancellation.js'
import { checkDenial } from './check-denial.js'
import type { Engine } from './engine/engine.js'
import type { Executed, ExecutionInput } from './engine/execute.js'
import type { Operation } from './engine/prepare.js'
import type { RequestError } from './engine/request-error.js'
import type { Result } from './engine/result.js'
import type { Answer, HttpResponse, RequestHead } from './http/message.js'
import type { ResponseHeaders } from './http/response-headers.js'
import type { LoadGate } from './load-gate.js'
import { OperationRequest } from './operation-request.js'
import type { Settings } from './settings.js'
import type { Outcome } from './outcome.js'
import { andThen, isPromise } from './promise.js'
import type { Refusal } from './refusal.js'
import { checkOperation } from './request/check-operation.js'
import { createSchemaFinder } from './schema-finder.js'

/** One request whose head has been accepted. */
export interface Exchange {
  readonly head: RequestHead
  readonly principal: unknown
}

/** How answers look: as GraphQL responses, or as resources and problems. */
export interface Surface<Given extends Exchange, Input> {
  /** The operation that the input asks for, or the answer that says why there is none. */
  prepare(schema: GraphQLSchema, input: Input, given: Given): Outcome<Operation, HttpResponse>
  execute(operation: Operation, input: ExecutionInput, given: Given): Executed | Promise<Executed>
  refuse(refusal: Refusal, given: Given): HttpResponse
  reject(error: RequestError, given: Given): HttpResponse
  respond(result: Result, request: OperationRequest, given: Given, contextValue: unknown): Answer
}

/** The second half of the road: from what a request asks for to the answer. */
export type Runner<Given extends Exchange, Input> = (
  given: Given,
  input: Outcome<Input, Refusal>,
) => Answer

/** Makes the runner of a handler. Everything that may wait is under one deadline and one cancellation. */
export function createRunner<Given extends Exchange, Input>(
  settings: Settings,
  gate: LoadGate,
  engine: Engine,
  surface: Surface<Given, Input>,
): Runner<Given, Input> {
  const { executionTimeout: timeout, onBug, createId } = settings
  const findSchema = createSchemaFinder(settings)

  return (given, input) => {
    const { head } = given
    if (!input.ok) return surface.refuse(input.reason, given)
    const cancellation = new Cancellation()
    const answer = andThen(findSchema(head), (schema) =>
      runOperation(settings, engine, surface, given, { input: input.value, schema, cancellation }),
    )
    if (!isPromise(answer)) return answer
    const bounded = withDeadline(
      answer,
      cancellation,
      { head, timeout },
      (cause) => surface.refuse({ kind: 'cancelled', cause }, given),
      (bug) => onBug(bug, { id: createId() }),
    )
    return gate.during(bounded)
  }
}

interface Work<Input> {
  readonly input: Input
  readonly schema: GraphQLSchema
  readonly cancellation: Cancellation
}

function runOperation<Given extends Exchange, Input>(
  settings: Settings,
  engine: Engine,
  surface: Surface<Given, Input>,
  given: Given,
  work: Work<Input>,
): Answer {
  const { cancellation } = work
  cancellation.throwIfAborted()
  const prepared = surface.prepare(work.schema, work.input, given)
  if (!prepared.ok) return prepared.reason
  const operation = prepared.value
  const refused = checkOperation(given.head.method, operation)
  if (refused) {
    return 'errors' in refused ? surface.reject(refused, given) : surface.refuse(refused, given)
  }
  const tooDear = engine.checkCost(operation)
  if (tooDear) return surface.reject(tooDear, given)
  const request = new OperationRequest(given.head, given.principal, operation, cancellation)
  return andThen(settings.admit?.(request), (denial) => {
    if (denial !== undefined) {
      const refusal = checkDenial(denial, 'admit')
      return withResolverHeaders(surface.refuse(refusal, given), request)
    }
    cancellation.throwIfAborted()
    return andThen(settings.context ? settings.context(request) : request, (contextValue) => {
      // graphql 16 and a custom executor would start what nobody waits for.
      cancellation.throwIfAborted()
      const input = { rootValue: settings.rootValue, contextValue, cancellation }
      return andThen(surface.execute(operation, input, given), (executed) => {
        // Nobody waits for the answer any more, so its errors are of no interest either.
        cancellation.throwIfAborted()
        const answer = executed.ok
          ? surface.respond(executed.value, request, given, contextValue)
          : surface.reject(executed.reason, given)
        return withResolverHeaders(answer, request)
      })
    })
  })
}

function withResolverHeaders(answer: Answer, { touchedHeaders }: OperationRequest): Answer {
  if (touchedHeaders === undefined) return answer
  if (!isPromise(answer)) return withHeaders(answer, touchedHeaders)
  return answer.then((late) => withHeaders(late, touchedHeaders))
}

function withHeaders(response: HttpResponse, headers: ResponseHeaders): HttpResponse {
  return { ...response, headers: headers.mergeInto(response.headers) }
}
