import { success } from '../base/outcome.js'
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql'
import { isPromise } from '../base/promise.js'
import { formatFieldErrors } from '../graphql/errors/format-errors.js'
import type { RequestError } from '../graphql/errors/request-error.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Whole } from '../graphql/execute/result.js'
import { HttpSurface } from '../handler/http-surface.js'
import { createRoadHandler } from '../handler/road-handler.js'
import type { Facts } from '../handler/road/facts.js'
import { asIs, checkSendable, isHttpResponse } from '../handler/steps/around.js'
import { identify } from '../handler/steps/ask-hook.js'
import { checkLength, describeMethods } from '../over-http/response/respond.js'
import { createTools, type EndpointTools } from '../handler/steps/endpoint-tools.js'
import { checkRun, prepare } from '../handler/steps/prepare.js'
import { receiveJson } from '../handler/steps/receive-body.js'
import { runWhole } from '../handler/steps/run.js'
import { createCors } from '../http/cors.js'
import type {
  Handler,
  HttpResponse,
  ParsedJson,
  RefusedBody,
  Request,
  TextResponse,
} from '../http/message.js'
import type { OperationRequest } from '../options/operation-request.js'
import { resolveOptions, type Settings } from '../options/settings.js'
import type { Refusal } from '../over-http/refusals.js'
import { checkFraming } from '../over-http/request/check-head.js'
import { checkParams } from '../over-http/request/read-params.js'
import { checkOptions, listOf, objectOf, type Shape } from '../shapes/shape.js'
import { checkFunction } from '../shapes/shapes.js'
import { showValue } from '../shapes/show-value.js'
import { surfaceShapes, type SurfaceOptions } from './surface-options.js'
import { stop, type Kinded, type Road, type Stop, type Surface } from '../handler/road/road.js'

/** The options of a custom surface. */
export interface OwnSurfaceOptions<Raw = unknown, Principal = unknown> extends SurfaceOptions<
  Raw,
  Principal
> {
  /** The methods that are served, beside OPTIONS; HEAD always with GET. Default: `['GET', 'POST']`. */
  readonly methods?: readonly string[] | undefined
}

const ownShape: Shape = objectOf<OwnSurfaceOptions>(
  '{ schema }',
  {
    ...surfaceShapes,
    methods: listOf('a list of methods', {
      expected: 'a method such as "POST"',
      fits: (value) => typeof value === 'string' && /^[A-Z]+$/.test(value),
    }),
  },
  {
    findConflict: ({ methods }) =>
      methods?.length === 0 ? 'methods: expected at least one method.' : undefined,
  },
)

/** One request to a custom surface: its road, and the responses to stops. `Why` is the union of its own reasons to stop. */
export abstract class OwnSurface<Why extends Kinded = Stop> extends HttpSurface<Why> {
  /** What traces and metrics call its path, such as a template; undefined for paths that are not served. */
  route: string | undefined

  /** From the head of the request to the response, in the order in which things happen. */
  abstract road(request: Request): Road<HttpResponse, Why | Stop>
}

/**
 * Makes the handler of a custom surface. It has the same limits, credentials, execution, masking and traces as
 * `createHandler`. `begin` is called for each request, and must not throw.
 */
export function createSurfaceHandler<Raw = unknown, Principal = unknown, Why extends Kinded = Stop>(
  options: OwnSurfaceOptions<Raw, Principal>,
  begin: (tools: EndpointTools, facts: Facts) => OwnSurface<Why>,
): Handler<Raw> {
  checkOptions('createSurfaceHandler', options, ownShape)
  checkFunction('createSurfaceHandler', 'a function that makes the surface of a request', begin)
  const methods = withHead(options.methods ?? ['GET', 'POST'])
  const cors = createCors(options.cors, () => methods.join(', '))
  const settings = { ...resolveOptions('createSurfaceHandler', options), methods, cors }
  const tools = createTools(settings)
  return createRoadHandler<Raw, Why | Stop>(tools, (request, facts) => {
    const surface = begin(tools, facts)
    return {
      surface,
      road: travel(request, surface, tools, facts),
      describe(message) {
        message.route = surface.route
      },
    }
  })
}

function withHead(methods: readonly string[]): readonly string[] {
  return methods.includes('GET') ? [...new Set(['GET', 'HEAD', ...methods])] : methods
}

/** The steps that every surface needs, then its own road. */
function* travel<Why extends Kinded>(
  request: Request,
  surface: OwnSurface<Why>,
  tools: EndpointTools,
  facts: Facts,
): Road<HttpResponse, Why | Stop> {
  const { head } = facts
  const faulty = checkFraming(head, tools.settings)
  if (faulty !== undefined) return yield* stop(faulty)
  const { method } = head
  const { methods } = tools.settings
  if (method === 'OPTIONS') return describeMethods(methods)
  if (!methods.includes(method)) {
    return yield* stop({ kind: 'method-not-allowed', method, methods })
  }
  yield* identify(tools, facts)
  facts.at = 'requestLine'
  return checkResponse('road', yield* surface.road(request))
}

function checkResponse<Response extends HttpResponse>(by: string, response: Response): Response {
  if (isHttpResponse(response)) {
    checkSendable(by, response)
    return response
  }
  // Without a reader, its rejection would end the process.
  if (isPromise(response)) Promise.resolve(response).catch(() => undefined)
  const got = `got ${showValue(response)}. Is a \`yield*\` missing?`
  throw new TypeError(`${by}: expected { status, headers: [name, value, ...], body }, ${got}`)
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
  /** Whether the client has sent the document. Otherwise it is the server's own, and a mistake in it is a bug. Default: false. */
  readonly fromClient?: boolean | undefined
}

/**
 * Finds the operation of a document, which is parsed and validated once, and checks whether it may run: its limits, its
 * cost, and the method and content of the request. Subscriptions are refused.
 */
export function* prepareOperation(
  { fromClient = false, ...params }: OperationParams,
  tools: EndpointTools,
  facts: Facts,
): Road<Operation> {
  const checked = checkParams(params, tools.settings)
  const named = checked.ok ? success({ params: checked.value, name: undefined }) : checked
  const operation = yield* prepare(named, tools, facts, (schema, found) => {
    const prepared = tools.engine.prepare(schema, found, facts)
    if (prepared.ok || fromClient) return prepared
    throw new Error(`prepareOperation: ${prepared.reason.errors[0]?.message} In: ${params.query}`)
  })
  const type = operation.definition.operation
  if (type === 'subscription') return yield* stop(noSubscriptions)
  facts.at = 'check'
  // A form of another site can send a POST, but no JSON.
  const mayBeForged = type === 'mutation' && facts.head.method === 'POST'
  const refusal =
    (mayBeForged ? tools.checkContent(facts.head) : undefined) ?? checkRun(operation, tools, facts)
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
  /** The `via` that hooks see. Default: 'surface'. */
  readonly via?: OperationRequest['via'] | undefined
}

/** Runs a query or a mutation: `admit`, `around`, `context`, execution, and the response. */
export function* runOperation<Why extends Kinded = Stop>(
  { operation, respond, via = 'surface' }: OperationRun,
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
    const response = checkResponse('respond', respond({ data: dataOf(result), errors }))
    checkLength(response.body, name, settings)
    return response
  }
  const run = { operation, view: { ...asIs, via }, respond: respondTo }
  return yield* runWhole<HttpResponse, Why>(run, surface, tools, facts)
}

function dataOf(result: Whole): string {
  if (result.kind === 'written') return result.body.slice('{"data":'.length, -1)
  return JSON.stringify(result.data)
}

/** Plans something for each schema when it is first seen: at once, unless `schema` is a function. So mistakes are reported then, and once. */
export function planPerSchema<Plan>(
  { schema: first }: Pick<Settings, 'schema'>,
  plan: (schema: GraphQLSchema) => Plan,
): (schema: GraphQLSchema) => Plan {
  const plans = new WeakMap<GraphQLSchema, Plan>()
  const find = (schema: GraphQLSchema): Plan => {
    const found = plans.get(schema) ?? plan(schema)
    plans.set(schema, found)
    return found
  }
  if (typeof first !== 'function') find(first)
  return find
}
