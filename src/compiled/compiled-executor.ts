import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { ExecutionKind } from '../graphql/execute/execution.js'
import { splitsExecution, type CoercedValues } from '../graphql/js/graphql.js'
import { isTraced, tracingChannel } from '../graphql/js/tracing.js'
import type { CoercionOptions, Variables } from './coerce-variables.js'
import { collectFields } from './collect-fields.js'
import { compileFields } from './compile-selection.js'
import { completeValue } from './complete-value.js'
import { variantOf } from './directive-variables.js'
import { JsonWriter } from './json-writer.js'
import { KnownScalars } from './known-scalars.js'
import type { CompilingModule, OperationPlan } from './operation-plan.js'
import { CompiledOperations, PlanBudget, type CompiledOperation } from './operations.js'
import type { Selection } from './plan.js'
import { runOperation, type RunResult } from './run-operation.js'
import { Run, type RunInput, type RunTools } from './run.js'

export interface ExecutorSettings {
  readonly graphql: CompilingModule
  /** How often an operation is interpreted before it is compiled. */
  readonly afterUses: number
  readonly maxVariants: number
  readonly maxPlanBytes: number
  /** The most bytes of a response. */
  readonly maxLength: number
  readonly maxFieldErrors: number
  /** Whether the default resolver ignores what objects inherit from `Object.prototype`. */
  readonly readsOwn: boolean
  readonly refusesIncremental: boolean
}

/** An operation that a plan executes. */
export interface Choice {
  readonly operation: CompiledOperation
  readonly plan: OperationPlan
  readonly variables: Variables
}

/** The errors of the variables. */
export interface Failures {
  readonly failures: readonly GraphQLError[]
}

/** Chooses how operations are executed, and executes those that are compiled. */
export class CompiledExecutor {
  readonly budget: PlanBudget
  readonly #settings: ExecutorSettings
  readonly #operations: CompiledOperations
  readonly #tools: RunTools
  /** Channels of graphql 17 whose messages only graphql-js itself can publish. */
  readonly #channels: readonly ReturnType<typeof tracingChannel>[]

  constructor(settings: ExecutorSettings) {
    const { graphql, maxLength, maxPlanBytes, maxFieldErrors: maxErrors } = settings
    this.#settings = settings
    const scalars = new KnownScalars(graphql)
    this.#operations = new CompiledOperations({ ...settings, scalars })
    this.#tools = { writer: new JsonWriter(maxLength), complete: completeValue, maxErrors }
    this.budget = new PlanBudget(maxPlanBytes)
    this.#channels = splitsExecution(graphql) ? channelsOf17.map(tracingChannel) : []
  }

  operationOf(
    schema: GraphQLSchema,
    document: DocumentNode,
    definition: OperationDefinitionNode,
  ): CompiledOperation {
    return this.#operations.get(schema, document, definition)
  }

  /**
   * The plan for an operation and the values of its variables, their errors, or why it is interpreted. Counts it as used.
   * Variables that were coerced before are not coerced again.
   */
  choose(
    operation: CompiledOperation,
    inputs: CoercedValues,
    options: CoercionOptions,
    before?: Variables,
  ): Choice | Failures | ExecutionKind {
    const chosen = this.#find(operation, inputs, options, before)
    operation.uses += 1
    operation.last = typeof chosen === 'string' ? chosen : 'compiled'
    return chosen
  }

  #find(
    operation: CompiledOperation,
    inputs: CoercedValues,
    options: CoercionOptions,
    before: Variables | undefined,
  ): Choice | Failures | ExecutionKind {
    if (operation.uses < this.#settings.afterUses) return 'few-uses'
    if (operation.isTooLarge) return 'too-many-plans'
    const { unfit, selections, coerceVariables } = operation.prepared
    if (unfit !== undefined) return unfit
    if (this.#channels.some(isTraced)) return 'traced'
    const variables = before ?? coerceVariables(inputs, options)
    if ('failures' in variables) return variables
    const variant = variantOf(selections.variables, variables.coerced)
    const plan = operation.planOf(variant, this.#settings.maxVariants)
    return plan === undefined ? 'too-many-variants' : { operation, plan, variables }
  }

  /** Executes an operation. */
  run({ operation, plan, variables }: Choice, input: RunInput): RunResult | Promise<RunResult> {
    const run = new Run(plan, this.#tools, variables, input)
    plan.memory.grown ??= this.#counting(operation)
    try {
      return runOperation(run, () => (plan.root ??= compileRoot(run)))
    } finally {
      this.#count(operation)
    }
  }

  /** A closure in `run` would keep the run. */
  #counting(operation: CompiledOperation): () => void {
    return () => this.#count(operation)
  }

  #count(operation: CompiledOperation): void {
    if (!this.budget.use(operation)) operation.isTooLarge = true
  }
}

const channelsOf17 = [
  'graphql:resolve',
  'graphql:execute:variableCoercion',
  'graphql:execute:rootSelectionSet',
]

function compileRoot({ plan, variableValues }: Run): Selection {
  const { schema, definition } = plan
  const type = schema.getRootType(definition.operation) as NonNullable<
    ReturnType<GraphQLSchema['getRootType']>
  >
  const collected = collectFields(plan, variableValues, type, [definition.selectionSet])
  return compileFields(plan, undefined, type, collected)
}
