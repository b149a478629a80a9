import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { JsonObject } from '../base/json.js'
import { success, type Outcome } from '../base/outcome.js'
import {
  Documents,
  selectOperation,
  type DocumentSettings,
  type DocumentFinding,
  type ValidDocument,
} from './document/documents.js'
import type { RequestError } from './errors/request-error.js'
import {
  createArguments,
  createOperationWatcher,
  type ExecuteFunction,
  type SubscribeFunction,
} from './execute/arguments.js'
import {
  createExecutor,
  createIncrementalExecutor,
  type Executor,
  type IncrementalExecutor,
} from './execute/execute.js'
import type { Execution, PreparedExecution, TextExecutor } from './execute/execution.js'
import type { Whole } from './execute/result.js'
import { createSubscriber, type Subscriber } from './execute/subscribe.js'
import type { ErrorLimit } from './execute/limit-errors.js'
import { withoutPrototypes } from './schema/inherited-names.js'
import type { GraphQLParams } from './execute/params.js'
import type { Operation } from './execute/operation.js'
import { LimitCheck } from './limits/check-limits.js'
import { CostCounter } from './limits/cost/cost.js'
import type { CostSettings } from './limits/cost/field-costs.js'

/** GraphQL without HTTP: from parameters to an operation, and from an operation to its result. */
export interface Engine {
  /**
   * `request` is passed on to hooks; its `documentCached` becomes false if the document was not in the cache. `document` is that
   * of `findDocument`, if it was called before.
   */
  prepare(
    schema: GraphQLSchema,
    params: GraphQLParams,
    request: DocumentFinding,
    document?: Outcome<ValidDocument, RequestError>,
  ): Outcome<Operation, RequestError>
  /** The document of a source text, checked like those of requests. */
  findDocument(
    schema: GraphQLSchema,
    source: string,
    request?: DocumentFinding,
  ): Outcome<ValidDocument, RequestError>
  /** The document of a text of the embedder, not of a client: without limits, for callers that keep it. */
  checkOwnDocument(schema: GraphQLSchema, source: string): Outcome<ValidDocument, RequestError>
  /** The operation of a document found earlier. */
  toOperation(
    schema: GraphQLSchema,
    document: ValidDocument,
    definition: OperationDefinitionNode,
    params: GraphQLParams,
  ): Operation
  /**
   * Whether coercing the variables for so many runs costs too much by itself. To be called before anything
   * else looks at them; `checkCost` comes later.
   */
  isTooMuchInput(
    schema: GraphQLSchema,
    document: ValidDocument,
    definition: OperationDefinitionNode,
    variables: JsonObject,
    runs: number,
  ): boolean
  /** Returns the refusal of an operation that is too expensive. */
  checkCost(operation: Operation, request: unknown): RequestError | undefined
  /** For callers that read the data. */
  readonly execute: Executor
  /** For callers that only send the data, which may be text already. */
  readonly executeToSend: TextExecutor
  /** How `executeToSend` executes the operation. */
  readonly describe: PreparedExecution['describe']
  /** Executes an operation that `isIncremental` in parts. */
  readonly executeIncrementally: IncrementalExecutor
  /** Starts a subscription whose results are read. */
  readonly subscribe: Subscriber
  /** Starts a subscription whose results are only sent. */
  readonly subscribeToSend: Subscriber<Whole>
}

export interface EngineSettings extends DocumentSettings, CostSettings, ErrorLimit {
  readonly execute: ExecuteFunction | undefined
  readonly subscribe: SubscribeFunction | undefined
  readonly execution: Execution | undefined
  readonly maxResponseBytes: number
}

export function createEngine(settings: EngineSettings): Engine {
  const limits = new LimitCheck(settings)
  const documents = new Documents(settings, limits, createOperationWatcher(settings))
  const counter = new CostCounter(settings, settings.limits.maxIntrospectionSize)
  const { maxCost, maxIntrospectionSize } = settings.limits
  return {
    prepare(schema, params, request, document = documents.find(schema, params.query, request)) {
      if (!document.ok) return document
      const definition = selectOperation(document.value.operations, params.operationName)
      if (!definition.ok) return definition
      return success(toOperation(schema, document.value, definition.value, params))
    },
    findDocument: (schema, source, request) => documents.find(schema, source, request),
    checkOwnDocument: (schema, source) => documents.check(schema, source),
    toOperation,
    isTooMuchInput(schema, { fragments }, definition, variables, runs) {
      // A cost that is only reported is reported by `checkCost`.
      if (settings.reportOnly.has('maxCost')) return false
      return runs * counter.countCoercion({ schema, fragments, definition, variables }) > maxCost
    },
    checkCost(operation, request) {
      const { cost, introspectionSize, hasNegativeCount } = operation.costs
      if (operation.isIncremental && hasNegativeCount) return negativeCount
      return cost <= maxCost && introspectionSize <= maxIntrospectionSize
        ? undefined
        : refuseCost(operation, settings, limits, request)
    },
    ...createExecutors(settings),
  }

  function toOperation(
    schema: GraphQLSchema,
    document: ValidDocument,
    definition: OperationDefinitionNode,
    params: GraphQLParams,
  ): Operation {
    const own =
      params.variables === undefined || !document.inherited.ofInputs
        ? params
        : { ...params, variables: withoutPrototypes(params.variables) }
    const { fragments } = document
    const costs = counter.count({ schema, fragments, definition, variables: own.variables })
    const isIncremental = document.incremental !== undefined && costs.isIncremental
    return { schema, document, definition, params: own, costs, isIncremental }
  }
}

function createExecutors(settings: EngineSettings) {
  const toArguments = createArguments(settings)
  const interpret = createExecutor(settings, toArguments)
  const toSend = settings.execution?.({ ...settings, interpret })
  const subscribe = createSubscriber(settings, toArguments)
  return {
    execute: interpret,
    executeToSend: toSend?.execute ?? interpret,
    describe: toSend?.describe ?? (() => 'not-enabled' as const),
    executeIncrementally: createIncrementalExecutor(settings, toArguments),
    subscribe,
    subscribeToSend: toSend
      ? createSubscriber<Whole>(settings, toArguments, toSend.executeEvent)
      : subscribe,
  }
}

/** The client sent it; graphql-js would report it as a bug. */
const negativeCount: RequestError = {
  kind: 'variables',
  errors: [{ message: 'The initialCount of @stream must not be negative.' }],
}

/**
 * The refusal of an operation that costs too much. Errors in variables take precedence, but execution
 * detects them, so variables are checked here only now.
 */
function refuseCost(
  { costs, schema, definition, params }: Operation,
  { graphql, limits, maxErrors, hideSuggestions }: DocumentSettings,
  check: LimitCheck,
  request: unknown,
): RequestError | undefined {
  // Coercing them here would do the very work that is refused.
  if (costs.coercion > limits.maxCost) return check.ofCosts(params.query, costs, request)
  const { errors } = graphql.getVariableValues(
    schema,
    definition.variableDefinitions ?? [],
    params.variables ?? {},
    { maxErrors, hideSuggestions },
  )
  return errors ? { kind: 'variables', errors } : check.ofCosts(params.query, costs, request)
}
