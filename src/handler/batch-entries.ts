import type { GraphQLSchema } from 'graphql'
import type { Outcome } from '../base/outcome.js'
import type { ValidDocument } from '../graphql/document/documents.js'
import type { Engine } from '../graphql/engine.js'
import { formatFieldErrors } from '../graphql/errors/format-errors.js'
import type { RequestError } from '../graphql/errors/request-error.js'
import { selectOperation, type Operation } from '../graphql/execute/operation.js'
import type { GraphQLParams } from '../graphql/execute/params.js'
import type { Whole } from '../graphql/execute/result.js'
import type { Settings } from '../options/settings.js'
import type { Refusal } from '../over-http/refusal.js'
import type { BatchEntry } from '../over-http/request/split-batch.js'
import { describeRefusal, encode, encodeErrors, toError } from '../over-http/response/respond.js'
import { createOperationRunner } from './runner.js'
import { surroundReplies } from './stages/around.js'
import type { LengthBudget } from './stages/check-length.js'
import type { Exchange } from './stages/exchange.js'
import {
  createPlanningStages,
  createRunningStages,
  setOperation,
} from './stages/operation-stages.js'
import { formatRejection } from './stages/program.js'
import { createSender, type Services } from './stages/run-operation.js'
import { inOrder, type Stage, type Surface } from './stages/stage.js'
import { createDocumentStages } from './stages/find-document.js'
import { storingDocuments } from './stages/store-document.js'
import { createParamsTaker } from './stages/take-params.js'

/** One operation of a batch on its way to its result. */
export interface EntryExchange extends Exchange {
  readonly entry: BatchEntry
  readonly documents: SharedDocuments
  readonly budget: LengthBudget
}

/** The response to an operation of a batch, with the status that it would have alone. */
export interface EntryReply {
  readonly text: string
  readonly status: number
}

/** An operation can be run. */
interface Planned {
  readonly isPlanned: true
}

type EntryStage<Out extends object> = Stage<EntryExchange, never, Out>
type Soon<Value> = Value | Promise<Value>

/** How the operations of batches are run. Nothing here throws or rejects: bugs are masked errors. */
export interface EntryRunner {
  /** Checks an operation as far as possible before it, or any other of its batch, runs. */
  readonly plan: (exchange: EntryExchange) => Soon<EntryReply | Planned>
  readonly run: (exchange: EntryExchange) => Soon<EntryReply>
  readonly refuse: (refusal: Refusal, exchange: EntryExchange) => EntryReply
}

/** Runs operations through the stages of single requests, from their parameters on. */
export function createEntryRunner(settings: Settings, { engine }: Services): EntryRunner {
  const surface = createEntrySurface(settings)
  const common = {
    surface,
    gate: undefined,
    discard: () => undefined,
  }
  const send = createSender(settings, engine)
  const planning: readonly EntryStage<EntryReply | Planned>[] = [
    createEntryStage(settings),
    ...inOrder<EntryExchange, never, EntryReply | Planned>({
      ...createDocumentStages(settings),
      ...createPlanningStages<EntryExchange, never, EntryReply | Planned>(settings, engine, {
        prepare: storingDocuments(settings, createEntryPreparation(engine)),
        check: checkEntry,
      }),
    }),
    () => ({ isPlanned: true }),
  ]
  const running = inOrder(
    createRunningStages<EntryExchange, never, EntryReply>(settings, {
      execute: send,
      respond: surface.respond,
      surround: surroundReplies<EntryExchange, never, EntryReply>(settings, surface, {
        show: ({ text, status }) => ({ status, headers: [], body: text }),
        take: ({ body, status }) => ({ text: body, status }),
      }),
    }),
  )
  return {
    plan: createOperationRunner<EntryExchange, EntryReply | Planned>(settings, planning, {
      ...common,
      complete: (reply) => reply,
      finish: (reply) => reply,
    }),
    run: createOperationRunner<EntryExchange, EntryReply>(settings, running, {
      ...common,
      complete: (reply) => reply,
      finish: (reply) => reply,
    }),
    refuse: surface.refuse,
  }
}

/** Checks the parameters of an entry as those of a body. */
function createEntryStage(settings: Settings): (exchange: EntryExchange) => Refusal | undefined {
  const take = createParamsTaker(settings, 'entry')
  return (exchange) => take(exchange.entry.json, exchange)
}

/** Refuses what has more than one result: it would need a response of its own. */
function checkEntry({ prepared }: EntryExchange): Refusal | undefined {
  const operation = prepared as Operation
  if (operation.definition.operation === 'subscription') {
    return { kind: 'not-in-batch', what: 'subscription' }
  }
  return operation.isIncremental ? { kind: 'not-in-batch', what: 'parts' } : undefined
}

function createEntryPreparation(
  engine: Engine,
): (exchange: EntryExchange) => RequestError | undefined {
  return (exchange) => {
    const schema = exchange.schema as GraphQLSchema
    const params = exchange.params as GraphQLParams
    const document = exchange.documents.find(engine, schema, params.query, exchange)
    if (!document.ok) return document.reason
    const definition = selectOperation(document.value.operations, params.operationName)
    if (!definition.ok) return definition.reason
    setOperation(exchange, engine.toOperation(schema, document.value, definition.value, params))
    return undefined
  }
}

type Found = Outcome<ValidDocument, RequestError>

/**
 * The documents of a batch. Long ones are not cached, and a batch may have the same one for each of its operations: it is
 * parsed and validated once.
 */
export class SharedDocuments {
  readonly #found = new Map<string, { readonly schema: GraphQLSchema; readonly document: Found }>()

  find(engine: Engine, schema: GraphQLSchema, source: string, exchange: EntryExchange): Found {
    const found = this.#found.get(source)
    if (found?.schema === schema) return found.document
    const document = engine.findDocument(schema, source, exchange)
    this.#found.set(source, { schema, document })
    return document
  }
}

interface EntrySurface extends Surface<EntryExchange, never, EntryReply> {
  respond(this: void, exchange: EntryExchange): EntryReply
}

/** Responds to operations of a batch: with a GraphQL response each, and no headers. */
function createEntrySurface(settings: Settings): EntrySurface {
  const { edition } = settings
  return {
    refuse(refusal, exchange) {
      const details = describeRefusal(refusal, edition)
      exchange.errors = [toError(details)]
      exchange.hasData = false
      return { text: encodeErrors(exchange.errors), status: details.status }
    },
    reject(error, exchange) {
      exchange.errors = formatRejection(error, settings, exchange)
      return {
        text: encodeErrors(exchange.errors),
        status: edition.requestError['application/graphql-response+json'][error.kind],
      }
    },
    respond(exchange) {
      // Neither subscriptions nor results in parts come this far.
      const result = exchange.result as Whole
      const { name } = (exchange.prepared as Operation).definition
      const errors = formatFieldErrors(result.errors, name?.value, settings, exchange)
      const text = encode(result, errors)
      exchange.budget.take(text, name?.value)
      exchange.errors = errors
      exchange.hasData = true
      const partial = edition.partial['application/graphql-response+json']
      return { text, status: errors.length === 0 ? 200 : partial }
    },
  }
}
