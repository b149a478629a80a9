import type { GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { JsonObject } from '../base/json.js'
import type { Outcome } from '../base/outcome.js'
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
import { prepare, toOperation, type Operation } from './execute/prepare.js'
import { LimitCheck } from './limits/check-limits.js'
import { CostCounter } from './limits/cost/cost.js'
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
   * Whether coercing the variables costs too much by itself. Whoever looks at variables before `checkCost`
   * asks this first.
   */
  isTooMuchInput(
    schema: GraphQLSchema,
    document: ValidDocument,
    definition: OperationDefinitionNode,
    variables: JsonObject,
  ): boolean
  /** Returns the refusal of an operation that is too expensive. */
  checkCost(operation: Operation, request: unknown): RequestError | undefined
  execute(operation: Operation, input: ExecutionInput): Executed | Promise<Executed>
}

export interface EngineSettings extends DocumentSettings, CostSettings {
  readonly execute: ExecuteFunction | undefined
}

export function createEngine(settings: EngineSettings): Engine {
  const limits = new LimitCheck(settings)
  const documents = new Documents(settings, limits)
  const costs = new CostCounter(settings, settings.limits.maxIntrospectionSize)
  const names = new InheritedNames()
  const ownParams = (schema: GraphQLSchema, params: GraphQLParams): GraphQLParams =>
    params.variables === undefined || !names.of(schema).ofInputs
      ? params
      : { ...params, variables: withoutPrototypes(params.variables) }
  return {
    prepare: (schema, params, request) =>
      prepare(documents, costs, schema, ownParams(schema, params), request),
    findDocument: (schema, source) => documents.find(schema, source),
    toOperation: (schema, document, definition, params) =>
      toOperation(costs, schema, document, definition, ownParams(schema, params)),
    isTooMuchInput: (schema, { fragments }, definition, variables) =>
      // A cost that is only reported is reported by `checkCost`.
      !settings.reportOnly.has('maxCost') &&
      costs.countCoercion({ schema, fragments, definition, variables }) > settings.limits.maxCost,
    checkCost: (operation, request) => checkCost(operation, settings, limits, request),
    execute: createExecutor(settings, names),
  }
}

/**
 * Refuses an operation that costs more than the limit. Errors in variables take precedence, but execution
 * detects them, so variables are checked here only if the cost is too high.
 */
function checkCost(
  { costs, schema, definition, params }: Operation,
  { graphql, limits, maxErrors, hideSuggestions }: DocumentSettings,
  check: LimitCheck,
  request: unknown,
): RequestError | undefined {
  const { coercion, cost, introspectionSize } = costs
  if (cost <= limits.maxCost && introspectionSize <= limits.maxIntrospectionSize) return undefined
  // Coercing them here would do the very work that is refused.
  if (coercion > limits.maxCost) return check.ofCosts(params.query, costs, request)
  const { errors } = graphql.getVariableValues(
    schema,
    definition.variableDefinitions ?? [],
    params.variables ?? {},
    { maxErrors, hideSuggestions },
  )
  return errors ? { kind: 'variables', errors } : check.ofCosts(params.query, costs, request)
}
