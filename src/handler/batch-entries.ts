import type { GraphQLSchema } from 'graphql'
import { isPromise } from '../base/promise.js'
import { success, type Outcome } from '../base/outcome.js'
import { selectOperation, type ValidDocument } from '../graphql/document/documents.js'
import { formatFieldErrors } from '../graphql/errors/format-errors.js'
import type { RequestError } from '../graphql/errors/request-error.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { GraphQLParams } from '../graphql/execute/params.js'
import type { Whole } from '../graphql/execute/result.js'
import type { HttpResponse } from '../http/message.js'
import { reportBug } from '../options/report.js'
import type { Settings } from '../options/settings.js'
import type { Refusal } from '../over-http/refusals.js'
import { graphqlResponse, partialStatus } from '../over-http/response-types.js'
import { encode, encodeErrors } from '../over-http/response/respond.js'
import type { Facts } from './road/facts.js'
import { stop, type Road, type Stop } from './road/road.js'
import type { Surface } from './road/surface.js'
import { walk } from './road/walk.js'
import { jsonOf, type ReplyView } from './steps/around.js'
import { isCancellation } from './road/cancelled-error.js'
import type { LengthBudget } from '../over-http/response/batch-response.js'
import type { EndpointTools } from './steps/endpoint-tools.js'
import { describeStop } from './steps/describe-stop.js'
import { prepare } from './steps/prepare.js'
import { extendResult } from './steps/response-extensions.js'
import { runWhole } from './steps/run.js'
import { createParamsReader, type ParamsReader } from '../over-http/request/read-params.js'

/** The response to an operation of a batch, with the status that it would have alone. */
export interface EntryReply {
  readonly text: string
  readonly status: number
}

/** An operation that can be run. */
export interface PlannedEntry {
  readonly operation: Operation
}

/** What the operations of one batch share. */
export interface SharedByBatch {
  readonly documents: SharedDocuments
  readonly budget: LengthBudget
}

/** Runs the operations of batches, from their parameters on. Nothing here throws or rejects: bugs are masked errors. */
export class EntryRunner {
  readonly #tools: EndpointTools
  readonly #readParams: ParamsReader

  constructor(tools: EndpointTools) {
    this.#tools = tools
    this.#readParams = createParamsReader(tools.settings, 'entry')
  }

  /** Checks an operation as far as possible before it, or any other of its batch, runs. */
  plan(
    json: unknown,
    { documents }: SharedByBatch,
    facts: Facts,
  ): EntryReply | PlannedEntry | Promise<EntryReply | PlannedEntry> {
    const surface = new EntrySurface<PlannedEntry>(this.#tools.settings, facts)
    return this.#walk(this.#planning(json, documents, facts), surface, facts)
  }

  run(
    operation: Operation,
    { budget }: SharedByBatch,
    facts: Facts,
  ): EntryReply | Promise<EntryReply> {
    const surface = new EntrySurface<never>(this.#tools.settings, facts)
    const respond = (result: Whole): EntryReply => surface.respond(result, operation, budget)
    const road = runWhole({ operation, view, respond }, surface, this.#tools, facts)
    return this.#walk(road, surface, facts)
  }

  refuse(refusal: Refusal, facts: Facts): EntryReply {
    return new EntrySurface<never>(this.#tools.settings, facts).toResponse(refusal)
  }

  *#planning(json: unknown, documents: SharedDocuments, facts: Facts): Road<PlannedEntry> {
    const named = this.#readParams(json, facts.head)
    if (!named.ok) return yield* stop(named.reason)
    const operation = yield* prepare(named.value, this.#tools, facts, (schema, params) =>
      prepareEntry(schema, params, documents, this.#tools, facts),
    )
    facts.at = 'check'
    const refusal = checkEntry(operation) ?? this.#tools.engine.checkCost(operation, facts)
    return refusal === undefined ? { operation } : yield* stop(refusal)
  }

  /** Never settles if it fails after its batch was cancelled, which has its response by then. */
  #walk<Out extends object>(
    road: Road<Out>,
    surface: EntrySurface<Out>,
    facts: Facts,
  ): Out | EntryReply | Promise<Out | EntryReply> {
    const { settings } = this.#tools
    const { cancellation } = facts
    const fail = (bug: unknown): EntryReply | Promise<never> => {
      if (!cancellation.aborted) {
        return surface.toResponse({ kind: 'internal', id: reportBug(settings, bug, facts) })
      }
      if (!isCancellation(bug, cancellation.reason)) reportBug(settings, bug, facts)
      return new Promise<never>(() => undefined)
    }
    try {
      const reply = walk<Out | EntryReply, Stop>(road, surface, facts)
      return isPromise(reply) ? reply.catch(fail) : reply
    } catch (bug) {
      return fail(bug)
    }
  }
}

/** Refuses what has more than one result: it would need a response of its own. */
function checkEntry({ definition, isIncremental }: Operation): Refusal | undefined {
  if (definition.operation === 'subscription') return { kind: 'not-in-batch', what: 'subscription' }
  return isIncremental ? { kind: 'not-in-batch', what: 'parts' } : undefined
}

function prepareEntry(
  schema: GraphQLSchema,
  params: GraphQLParams,
  documents: SharedDocuments,
  { engine }: EndpointTools,
  facts: Facts,
): Outcome<Operation, RequestError> {
  const document = documents.find(schema, params.query, () =>
    engine.findDocument(schema, params.query, facts),
  )
  if (!document.ok) return document
  const definition = selectOperation(document.value.operations, params.operationName)
  if (!definition.ok) return definition
  return success(engine.toOperation(schema, document.value, definition.value, params))
}

type EntryDocument = Outcome<ValidDocument, RequestError>

/**
 * The documents of a batch. Long ones are not cached, and a batch may have the same one for each of its operations: it is
 * parsed and validated once.
 */
export class SharedDocuments {
  readonly #found = new Map<
    string,
    { readonly schema: GraphQLSchema; readonly document: EntryDocument }
  >()

  find(schema: GraphQLSchema, source: string, check: () => EntryDocument): EntryDocument {
    const found = this.#found.get(source)
    if (found?.schema === schema) return found.document
    const document = check()
    this.#found.set(source, { schema, document })
    return document
  }
}

/** What `around` sees of a reply in a batch. */
const view: ReplyView<EntryReply> = {
  via: 'batch',
  show: ({ text, status }) => ({ status, headers: [], body: text }),
  take: (response: HttpResponse, made) =>
    made ?? { text: jsonOf(response), status: response.status },
}

/** Responds to an operation of a batch: with a GraphQL response, and no headers. `Planned` is what planning gives. */
class EntrySurface<Planned> implements Surface<EntryReply | Planned> {
  readonly #settings: Settings
  readonly #facts: Facts

  constructor(settings: Settings, facts: Facts) {
    this.#settings = settings
    this.#facts = facts
  }

  toResponse(why: Stop): EntryReply {
    const { errors, status } = describeStop(why, this.#settings, this.#facts)
    return { text: encodeErrors(errors), status }
  }

  /** Neither subscriptions nor results in parts come this far. */
  respond(result: Whole, { definition }: Operation, budget: LengthBudget): EntryReply {
    const facts = this.#facts
    const name = definition.name?.value
    const errors = formatFieldErrors(result.errors, name, this.#settings, facts)
    const text = encode(extendResult(result, errors, this.#settings, facts), errors)
    budget.take(text, name)
    facts.errors = errors
    facts.hasData = true
    const partial = partialStatus(graphqlResponse, this.#settings.edition)
    return { text, status: errors.length === 0 ? 200 : partial }
  }

  finish(reply: EntryReply | Planned): EntryReply | Planned {
    return reply
  }
}
