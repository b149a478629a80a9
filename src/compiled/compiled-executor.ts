import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { ExecutionKind } from '../graphql/execute/execution.js'
import { fragmentsOf } from '../graphql/js/fragments.js'
import {
  disablesPropagation,
  splitsExecution,
  type CoercedValues,
  type ErrorOptions,
} from '../graphql/js/graphql.js'
import { isTraced, tracingChannel } from '../graphql/js/tracing.js'
import type { Failures, Variables } from './coerce-variables.js'
import { completeValue } from './complete-value.js'
import { variantOf } from './directive-variables.js'
import { JsonWriter } from './json-writer.js'
import { KnownScalars } from './known-scalars.js'
import type { CompilingModule, OperationFacts, OperationPlan } from './operation-plan.js'
import { CompiledOperation, PlanBudget } from './operations.js'
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
}

/** An operation that a plan executes. */
export interface Choice {
  readonly operation: CompiledOperation
  readonly plan: OperationPlan
  readonly variables: Variables
}

/** Chooses how operations are executed, and executes those that are compiled. */
export class CompiledExecutor {
  readonly #settings: ExecutorSettings
  readonly #scalars: KnownScalars
  /** Each lives as long as its document. */
  readonly #operations = new WeakMap<OperationDefinitionNode, CompiledOperation>()
  readonly #budget: PlanBudget
  readonly #tools: RunTools
  /** Channels of graphql 17 whose messages only graphql-js itself can publish. */
  readonly #channels: readonly ReturnType<typeof tracingChannel>[]

  constructor(settings: ExecutorSettings) {
    const { graphql, maxLength, maxPlanBytes, maxFieldErrors: maxErrors } = settings
    this.#settings = settings
    this.#scalars = new KnownScalars(graphql)
    this.#tools = { writer: new JsonWriter(maxLength), complete: completeValue, maxErrors }
    this.#budget = new PlanBudget(maxPlanBytes)
    this.#channels = splitsExecution(graphql) ? channelsOf17.map(tracingChannel) : []
  }

  operationOf(
    schema: GraphQLSchema,
    document: DocumentNode,
    definition: OperationDefinitionNode,
  ): CompiledOperation {
    const found = this.#operations.get(definition)
    const unchanged = this.#scalars.unchanged()
    // Documents may share an operation, such as those of `concatAST`, and have other fragments.
    const isSame = found?.facts.document === document && found.facts.schema === schema
    if (isSame && found.unchanged === unchanged) return found
    const { graphql, readsOwn } = this.#settings
    const is17 = splitsExecution(graphql)
    const facts: OperationFacts = {
      graphql,
      is17,
      schema,
      document,
      definition,
      fragments: Object.assign(Object.create(null), Object.fromEntries(fragmentsOf(document))),
      scalars: this.#scalars,
      propagates: !(is17 && disablesPropagation(definition)),
      readsOwn,
      memory: { bytes: 0, grown: () => this.#count(made) },
    }
    const made: CompiledOperation = new CompiledOperation(facts, unchanged)
    this.#operations.set(definition, made)
    return made
  }

  /**
   * The plan for an operation and the values of its variables, their errors, or why it is interpreted. Counts it as used.
   * Variables that were coerced before are not coerced again.
   */
  choose(
    operation: CompiledOperation,
    inputs: CoercedValues,
    options: ErrorOptions,
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
    options: ErrorOptions,
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
    try {
      return runOperation(run)
    } finally {
      this.#count(operation)
    }
  }

  #count(operation: CompiledOperation): void {
    if (!this.#budget.use(operation)) operation.isTooLarge = true
  }
}

const channelsOf17 = [
  'graphql:resolve',
  'graphql:execute:variableCoercion',
  'graphql:execute:rootSelectionSet',
]
