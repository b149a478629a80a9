import type { GraphQLSchema } from 'graphql'
import { createEngine, type Engine } from '../graphql/engine.js'
import type { GraphQLParams } from '../graphql/execute/params.js'
import { fieldValue, type Handler, type RequestHead } from '../http/message.js'
import { handlerShape, type Options } from '../options/options.js'
import { resolveOptions, type Settings } from '../options/settings.js'
import { checkFraming } from '../over-http/request/check-head.js'
import { createEncodingChooser } from '../over-http/response/choose-encoding.js'
import { checkOptions } from '../shapes/shape.js'
import { beginExchange } from './stages/exchange.js'
import { createGraphQLSurface, type GraphQLExchange } from './graphql-surface.js'
import { createOperationStages, setOperation } from './stages/operation-stages.js'
import { createRunner } from './runner.js'
import type { Stage, Stages } from './stages/stage.js'
import {
  checkAccept,
  createContentStage,
  createBodyStage,
  createUrlStage,
  createOptionsStage,
  createRequestLineStage,
} from './stages/graphql-stages.js'
import { createCredentials } from './stages/credentials.js'
import { createLoadGate, type LoadGate } from './stages/load-gate.js'
import { createClock } from './stages/finish.js'
import { traceRequests } from './trace-request.js'

/** Makes the handler of a schema. Invalid options throw here. */
export function createHandler<Raw = unknown, Principal = unknown>(
  options: Options<Raw, Principal>,
): Handler<Raw> {
  checkOptions('createHandler', options, handlerShape)
  return createCheckedHandler('createHandler', options)
}

/** Makes a handler from options that are already checked; the caller may set the path. */
export function createCheckedHandler<Raw, Principal>(
  caller: string,
  options: Options<Raw, Principal>,
  path: string | undefined = options.path,
): Handler<Raw> {
  const settings = { ...resolveOptions(caller, options), path }
  const engine = createEngine(settings)
  const surface = createGraphQLSurface(settings)
  const gate = createLoadGate(settings)
  const stages = listStages(settings, engine, gate, surface.respond)
  const chooseEncoding = createEncodingChooser(settings.edition)
  const now = createClock(settings)
  const begin = (head: RequestHead): GraphQLExchange =>
    beginExchange(head, now(), chooseEncoding(fieldValue(head.headers, 'accept')))
  return traceRequests(createRunner(settings, { begin, stages, surface, gate }))
}

/**
 * All stages of a request, in order: the cheapest refusals first, and the body is read only after the head
 * has been accepted. `runner.ts` runs them; I/O happens in `hosts/` only.
 */
function listStages(
  settings: Settings,
  engine: Engine,
  gate: LoadGate,
  respond: GraphQLStage,
): Stages<GraphQLExchange> {
  const framing: GraphQLStage = ({ head }) => checkFraming(head, settings)
  const describeMethods = createOptionsStage(settings)
  const requestLine = createRequestLineStage(settings)
  const content = createContentStage(settings)
  const load = gate.check
  const credentials = createCredentials(settings)
  const operation = createOperationStages<GraphQLExchange>(settings, engine, {
    prepare(exchange) {
      const { schema, params } = exchange
      const prepared = engine.prepare(schema as GraphQLSchema, params as GraphQLParams, exchange)
      if (!prepared.ok) return prepared.reason
      setOperation(exchange, prepared.value)
      return undefined
    },
    execute: engine.execute,
    respond,
  })
  return {
    head: settings.credentialsFirst
      ? [framing, describeMethods, load, credentials, requestLine, checkAccept, content]
      : [framing, describeMethods, requestLine, checkAccept, content, load, credentials],
    // More requests may have arrived while the body was being read.
    body: [load, createBodyStage(settings), ...operation],
    url: [createUrlStage(settings), ...operation],
  }
}

type GraphQLStage = Stage<GraphQLExchange>
