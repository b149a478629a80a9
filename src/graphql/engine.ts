import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { JsonObject } from '../base/json.js'
import { success, type Outcome } from '../base/outcome.js'
import { Documents, type DocumentSettings, type ValidDocument } from './document/documents.js'
import type { RequestError } from './errors/request-error.js'
import {
  createExecutor,
  type Executed,
  type ExecuteFunction,
  type ExecutionInput,
} from './execute/execute.js'
import { InheritedNames, withoutPrototypes } from './execute/inherited-names.js'
import type { GraphQLParams } from './execute/params.js'
import { selectOperation, type Operation } from './execute/operation.js'
import { LimitCheck } from './limits/check-limits.js'
import { CostCounter } from './limits/cost/cost.js'
import { costOfRuns } from './limits/cost/coercion-cost.js'
import type { CostSettings } from './limits/cost/cost-input.js'

/** GraphQL without HTTP: from parameters to an operation, and from an operation to its result. */
export interface Engine {
  /** The request is only passed on to hooks. */
  prepare(
    schema: GraphQLSchema,
    params: GraphQLParams,
    request: unknown,
  ): Outcome<Operation, RequestError>
  /** The document of a source text, for callers that keep it: checked like those of requests. */
  findDocument(schema: GraphQLSchema, source: string): Outcome<ValidDocument, RequestError>
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
  execute(this: void, operation: Operation, input: ExecutionInput): Executed | Promise<Executed>
}

export interface EngineSettings extends DocumentSettings, CostSettings {
  readonly execute: ExecuteFunction | undefined
}

export function createEngine(settings: EngineSettings): Engine {
  const limits = new LimitCheck(settings)
  const documents = new Documents(settings, limits)
  const counter = new CostCounter(settings, settings.limits.maxIntrospectionSize)
  const names = new InheritedNames()
  const { maxCost, maxIntrospectionSize } = settings.limits
  return {
    prepare(schema, params, request) {
      const document = documents.find(schema, params.query, request)
      if (!document.ok) return document
      const definition = selectOperation(document.value.operations, params.operationName)
      if (!definition.ok) return definition
      return success(toOperation(schema, document.value, definition.value, params))
    },
    findDocument: (schema, source) => documents.find(schema, source),
    toOperation,
    isTooMuchInput(schema, { fragments }, definition, variables, runs) {
      // A cost that is only reported is reported by `checkCost`.
      if (settings.reportOnly.has('maxCost')) return false
      const coercion = counter.countCoercion({ schema, fragments, definition, variables })
      return costOfRuns(coercion, variables, runs) > maxCost
    },
    checkCost(operation, request) {
      const { cost, introspectionSize } = operation.costs
      return cost <= maxCost && introspectionSize <= maxIntrospectionSize
        ? undefined
        : refuseCost(operation, settings, limits, request)
    },
    execute: createExecutor(settings, names),
  }

  function toOperation(
    schema: GraphQLSchema,
    document: ValidDocument,
    definition: OperationDefinitionNode,
    params: GraphQLParams,
  ): Operation {
    const own =
      params.variables === undefined || !names.of(schema).ofInputs
        ? params
        : { ...params, variables: withoutPrototypes(params.variables) }
    const { fragments } = document
    const costs = counter.count({ schema, fragments, definition, variables: own.variables })
    return { schema, document, definition, params: own, costs }
  }
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
