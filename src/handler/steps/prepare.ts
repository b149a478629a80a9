import type { GraphQLSchema } from 'graphql'
import { longTurns } from '../../base/long-turns.js'
import type { Outcome } from '../../base/outcome.js'
import type { RequestError } from '../../graphql/errors/request-error.js'
import type { GraphQLParams } from '../../graphql/execute/params.js'
import type { Operation } from '../../graphql/execute/operation.js'
import type { RequestHead } from '../../http/message.js'
import type { Refusal } from '../../over-http/refusals.js'
import { checkOperation } from '../../over-http/request/check-head.js'
import type { NamingParams } from '../../over-http/request/read-params.js'
import { noteOperation, type Facts } from '../road/facts.js'
import { stop, type Road, type Stop } from '../road/road.js'
import { noRoom, type EndpointTools } from './endpoint-tools.js'
import { findDocument } from './stored-documents.js'

/** Finds, parses and validates a document, and selects its operation. */
type Preparer = (schema: GraphQLSchema, params: GraphQLParams) => Outcome<Operation, RequestError>

/** From this cost on, an execution may take a good part of a millisecond. */
const longCost = 50

/** From the parameters of a request to its operation. `prepareIn` takes the place of the engine's cache of documents. */
export function* prepare(
  read: Outcome<NamingParams, Refusal>,
  tools: EndpointTools,
  facts: Facts,
  prepareIn?: Preparer,
): Road<Operation> {
  const { settings, engine } = tools
  if (!read.ok) return yield* stop(read.reason)
  const named = read.value
  facts.params = named.params
  facts.documentName = named.name
  const findsDocuments = settings.documents !== undefined || settings.apq !== undefined
  const { params, isNew } = findsDocuments
    ? yield* findDocument(named, settings, facts)
    : { params: named.params, isNew: false }

  facts.at = 'schema'
  const schema =
    typeof settings.schema === 'function' ? yield* tools.findSchema(facts) : settings.schema
  facts.at = 'prepare'
  facts.documentCached = true
  const prepared =
    prepareIn === undefined ? engine.prepare(schema, params, facts) : prepareIn(schema, params)
  const costs = prepared.ok ? prepared.value.costs : undefined
  const isCostly = costs !== undefined && costs.cost + costs.introspectionSize > longCost
  if (!facts.documentCached || isCostly) longTurns.note(0)
  if (!prepared.ok) return yield* stop(prepared.reason)
  noteOperation(facts, prepared.value)
  if (isNew) tools.saveDocument(params, facts)
  return prepared.value
}

/** Whether an operation may run: its method, the number of open streams and its cost allow it. */
export function checkRun(
  operation: Operation,
  tools: EndpointTools,
  facts: Facts,
): Stop | undefined {
  const { head } = facts
  return (
    checkOperation(head.method, operation, undefined, tools.settings) ??
    checkRoom(operation, head, true, tools) ??
    tools.engine.checkCost(operation, facts)
  )
}

/** Refuses a stream if too many are open. A result in parts may also be delivered as a whole. */
export function checkRoom(
  operation: Operation,
  head: RequestHead,
  mayBeWhole: boolean,
  { settings, streams }: EndpointTools,
): Refusal | undefined {
  const isSubscription = operation.definition.operation === 'subscription'
  if (!isSubscription && (mayBeWhole || !operation.isIncremental)) return undefined
  return streams.hasRoomFor(operation, settings.clientOf(head)) ? undefined : noRoom
}
