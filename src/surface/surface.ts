import type { GraphQLFormattedError } from 'graphql'
import { formatFieldErrors } from '../graphql/errors/format-errors.js'
import type { RequestError } from '../graphql/errors/request-error.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Whole } from '../graphql/execute/result.js'
import type { HttpSurface } from '../handler/http-surface.js'
import { createRoadHandler } from '../handler/road-handler.js'
import type { Facts } from '../handler/road/facts.js'
import { stop, type Kinded, type Road, type Stop } from '../handler/road/road.js'
import type { Surface } from '../handler/road/surface.js'
import { asIs } from '../handler/steps/around.js'
import { checkLength } from '../handler/steps/check-length.js'
import { createTools, type EndpointTools } from '../handler/steps/endpoint-tools.js'
import { checkRun, prepare } from '../handler/steps/prepare.js'
import { receiveJson } from '../handler/steps/receive-json.js'
import { runWhole } from '../handler/steps/run.js'
import type {
  Handler,
  HttpResponse,
  ParsedJson,
  RefusedBody,
  Request,
  TextResponse,
} from '../http/message.js'
import { resolveOptions } from '../options/settings.js'
import type { Refusal } from '../over-http/refusal.js'
import { checkFraming } from '../over-http/request/check-head.js'
import { checkParams } from '../over-http/request/read-params.js'
import { checkOptions } from '../shapes/shape.js'
import { surfaceShape, type SurfaceOptions } from './surface-options.js'

/** One request to a surface: its way, and the responses that may end it. */
export interface Visit<Why extends Kinded = Stop> extends HttpSurface<Why> {
  road(request: Request): Road<HttpResponse, Why | Stop>
  /** What traces and metrics call its path, such as a template; undefined for paths that are not served. */
  readonly route?: string | undefined
}

/**
 * Makes the handler of a surface of your own. It has the same limits, credentials, execution, masking and traces as
 * `createHandler`. `visit` is called for each request.
 */
export function createSurfaceHandler<Why extends Kinded = Stop, Raw = unknown, Principal = unknown>(
  options: SurfaceOptions<Raw, Principal>,
  visit: (tools: EndpointTools, facts: Facts) => Visit<Why>,
): Handler<Raw> {
  checkOptions('createSurfaceHandler', options, surfaceShape)
  const settings = resolveOptions('createSurfaceHandler', options)
  const tools = createTools(settings)
  return createRoadHandler<Raw, Why | Stop>(tools, (facts) => {
    const surface = visit(tools, facts)
    const faulty = checkFraming(facts.head, settings)
    return {
      surface,
      road: (request) => (faulty === undefined ? surface.road(request) : stop(faulty)),
      describe(message) {
        message.route = surface.route
      },
    }
  })
}

/**
 * Reads a body of JSON. Other types are refused: a page of another site could send them. If the host refuses the body, its
 * response is in `refused`.
 */
export function* readJson(
  request: Request,
  tools: EndpointTools,
  facts: Facts,
): Road<ParsedJson | RefusedBody, Refusal> {
  facts.at = 'content'
  const unfit = tools.checkContent(facts.head)
  return unfit === undefined ? yield* receiveJson(request, tools, facts) : yield* stop(unfit)
}

/** A document, the name of its operation where it has several, and what a client has sent as variables. */
export interface OperationParams {
  readonly query: string
  readonly operationName?: string | undefined
  readonly variables?: unknown
}

/**
 * Finds the operation of a document, which is parsed and validated once, and checks whether it may run: its limits, its
 * cost, and the method of the request. Subscriptions are refused.
 */
export function* prepareOperation(
  params: OperationParams,
  tools: EndpointTools,
  facts: Facts,
): Road<Operation> {
  const checked = checkParams(params, tools.settings)
  if (!checked.ok) return yield* stop(checked.reason)
  const operation = yield* prepare({ params: checked.value, name: undefined }, tools, facts)
  if (operation.definition.operation === 'subscription') return yield* stop(noSubscriptions)
  facts.at = 'check'
  const refusal = checkRun(operation, tools, facts)
  return refusal === undefined ? operation : yield* stop(refusal)
}

const noSubscriptions: RequestError = {
  kind: 'operation',
  errors: [{ message: 'Subscriptions are not supported here.' }],
}

/** A result as the client may see it: bugs are masked, and reported. */
export interface TextResult {
  /** The data as JSON text. */
  readonly data: string
  readonly errors: readonly GraphQLFormattedError[]
}

/** A prepared operation, and the response to its result. */
export interface OperationRun {
  readonly operation: Operation
  readonly respond: (result: TextResult) => TextResponse
}

/** Runs a query or a mutation: `admit`, `around`, `context`, execution, and the response. */
export function runOperation<Why extends Kinded = Stop>(
  { operation, respond }: OperationRun,
  surface: Surface<HttpResponse, Why | Stop>,
  tools: EndpointTools,
  facts: Facts,
): Road<HttpResponse, Why | Stop> {
  const { settings } = tools
  const name = operation.definition.name?.value
  const respondTo = (result: Whole): HttpResponse => {
    const errors = formatFieldErrors(result.errors, name, settings, facts)
    facts.errors = errors
    facts.hasData = true
    const response = respond({ data: dataOf(result), errors })
    checkLength(response.body, name, settings)
    return response
  }
  const run = { operation, view: asIs, respond: respondTo }
  return runWhole<HttpResponse, Why>(run, surface, tools, facts)
}

function dataOf(result: Whole): string {
  if (result.kind === 'written') return result.body.slice('{"data":'.length, -1)
  return JSON.stringify(result.data)
}
