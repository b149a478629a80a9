import type { GraphQLSchema } from 'graphql'
import type { Engine } from '../graphql/engine.js'
import type { Operation } from '../graphql/execute/operation.js'
import type { Whole } from '../graphql/execute/result.js'
import { reportBug } from '../options/report.js'
import type { Refusal } from '../over-http/refusals.js'
import type { ParamsReader } from '../over-http/request/read-params.js'
import { LengthBudget } from '../over-http/response/batch-response.js'
import { encodeErrors } from '../over-http/response/respond.js'
import { abortedWork, isCancellation } from './road/cancelled-error.js'
import type { Facts } from './road/facts.js'
import { jsonOf, type ReplyView } from './steps/around.js'
import { describeStop, writeResult } from './steps/describe-reply.js'
import type { EndpointTools } from './steps/endpoint-tools.js'
import { prepare } from './steps/prepare.js'
import { runWhole } from './steps/run.js'
import { stop, walk, type Road, type Stop, type Surface } from './road/road.js'

/** The response to an operation of a batch, with the status that it would have alone. */
export interface EntryReply {
  readonly text: string
  readonly status: number
}

type DocumentOutcome = ReturnType<Engine['findDocument']>

/** Runs the operations of a batch, from their parameters on. Nothing here rejects: bugs are masked errors. */
export class EntryRunner {
  readonly #tools: EndpointTools
  readonly #readParams: ParamsReader
  readonly #documents = new Map<string, { schema: GraphQLSchema; document: DocumentOutcome }>()
  readonly #budget: LengthBudget

  constructor(tools: EndpointTools, readParams: ParamsReader) {
    this.#tools = tools
    this.#readParams = readParams
    this.#budget = new LengthBudget(tools.settings.maxResponseBytes)
  }

  /** Checks an operation as far as possible before it, or any other of its batch, runs. */
  plan(json: unknown, facts: Facts): Promise<EntryReply | Operation> {
    return this.#walk(() => this.#planning(json, facts), facts)
  }

  run(operation: Operation, facts: Facts): Promise<EntryReply> {
    return this.#walk((surface) => this.#running(operation, surface, facts), facts)
  }

  *#running(operation: Operation, surface: Surface<EntryReply>, facts: Facts): Road<EntryReply> {
    const name = operation.definition.name?.value
    // Neither subscriptions nor results in parts come this far.
    const respond = (result: Whole): EntryReply =>
      writeResult(result, name, this.#tools.settings, facts)
    const reply = yield* runWhole({ operation, view, respond }, surface, this.#tools, facts)
    // Also what `around` has stored counts.
    this.#budget.take(reply.text, name)
    return reply
  }

  refuse(why: Stop, facts: Facts): EntryReply {
    const { errors, status } = describeStop(why, this.#tools.settings, facts)
    return { text: encodeErrors(errors), status }
  }

  *#planning(json: unknown, facts: Facts): Road<Operation> {
    const named = this.#readParams(json, facts.head)
    const { engine } = this.#tools
    const operation = yield* prepare(named, this.#tools, facts, (schema, params) =>
      engine.prepare(schema, params, facts, this.#findDocument(schema, params.query, facts)),
    )
    facts.at = 'check'
    const refusal = checkEntry(operation) ?? engine.checkCost(operation, facts)
    return refusal === undefined ? operation : yield* stop(refusal)
  }

  /** Long documents are not cached, and a batch may have the same one for each of its operations: it is validated once. */
  #findDocument(schema: GraphQLSchema, query: string, facts: Facts): DocumentOutcome {
    const known = this.#documents.get(query)
    if (known?.schema === schema) return known.document
    const document = this.#tools.engine.findDocument(schema, query, facts)
    this.#documents.set(query, { schema, document })
    return document
  }

  /** Settles when its resolvers have ended, also if its batch was cancelled, which has its response by then. */
  async #walk<Out extends object>(
    begin: (surface: Surface<Out | EntryReply>) => Road<Out>,
    facts: Facts,
  ): Promise<Out | EntryReply> {
    const { cancellation } = facts
    // Responds to stops with a GraphQL response, and no headers.
    const surface: Surface<Out | EntryReply> = {
      toResponse: (why) => this.refuse(why, facts),
      finish: (reply) => reply,
    }
    try {
      return await walk<Out | EntryReply, Stop>(begin(surface), surface, facts)
    } catch (bug) {
      if (!cancellation.aborted || !isCancellation(bug, cancellation.reason)) {
        const id = reportBug(this.#tools.settings, bug, facts, facts.at)
        return this.refuse({ kind: 'internal', id }, facts)
      }
      await Promise.allSettled([abortedWork(bug)])
      return this.refuse({ kind: 'cancelled', cause: 'client-gone' }, facts)
    }
  }
}

/** Refuses what has more than one result: it would need a response of its own. */
function checkEntry({ definition, isIncremental }: Operation): Refusal | undefined {
  if (definition.operation === 'subscription') return { kind: 'not-in-batch', what: 'subscription' }
  return isIncremental ? { kind: 'not-in-batch', what: 'parts' } : undefined
}

const view: ReplyView<EntryReply> = {
  via: 'batch',
  show: ({ text, status }) => ({ status, headers: [], body: text }),
  take: (response, made) => ({ text: made?.text ?? jsonOf(response), status: response.status }),
}
