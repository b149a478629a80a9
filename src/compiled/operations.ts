import type { ExecutionKind } from '../graphql/execute/execution.js'
import { compileVariables, type CoerceVariables } from './coerce-variables.js'
import { readSelections, type SelectionFacts } from './directive-variables.js'
import type { OperationFacts, OperationPlan } from './operation-plan.js'

/** What is known of an operation once it is to be compiled. */
interface PreparedPlan {
  readonly selections: SelectionFacts
  readonly coerceVariables: CoerceVariables
  /** Why it is never compiled. */
  readonly unfit: ExecutionKind | undefined
}

/** An operation that was executed at least once, with its plans. */
export class CompiledOperation {
  readonly facts: OperationFacts
  /** The built-in scalars that were unchanged when it was made, which its plans depend on. */
  readonly unchanged: number
  /** How often it was executed, and how the last time. */
  uses = 0
  last: ExecutionKind | undefined
  isTooLarge = false
  /** For the budget: when it was last used, and with how many bytes. */
  generation = 0
  countedBytes = 0
  #prepared: PreparedPlan | undefined
  readonly #plans = new Map<string, OperationPlan>()

  constructor(facts: OperationFacts, unchanged: number) {
    this.facts = facts
    this.unchanged = unchanged
  }

  /** Made when it is needed: most documents with inline values are never seen again. */
  get prepared(): PreparedPlan {
    return (this.#prepared ??= prepare(this.facts))
  }

  /** The plan of a variant; undefined if there are too many. */
  planOf(variant: string, maxVariants: number): OperationPlan | undefined {
    const made = this.#plans.get(variant)
    if (made !== undefined) return made
    if (this.#plans.size >= maxVariants) return undefined
    const plan: OperationPlan = { ...this.facts, root: undefined }
    this.facts.memory.bytes += bytesOfPlan
    this.#plans.set(variant, plan)
    return plan
  }

  /** Its plans are compiled anew if it is used again. */
  drop(): void {
    this.#plans.clear()
    this.facts.memory.bytes = 0
    this.uses = 0
  }
}

function prepare(facts: OperationFacts): PreparedPlan {
  const selections = readSelections(facts)
  return {
    selections,
    coerceVariables: compileVariables(facts),
    unfit: findUnfit(facts, selections),
  }
}

function findUnfit(
  { is17, schema, definition }: OperationFacts,
  selections: SelectionFacts,
): ExecutionKind | undefined {
  if (selections.hasFragmentVariables) return 'fragment-variables'
  if (selections.hasIncremental && is17) return 'incremental'
  if (selections.isIntrospection) return 'introspection'
  const root = schema.getRootType(definition.operation)
  return root === undefined || root === null ? 'unsupported-operation' : undefined
}

/** Memory of a plan besides its fields. */
const bytesOfPlan = 2048

/**
 * Bounds the memory of all plans of an executor. Plans are counted in two generations, as documents are in
 * their cache: what is used again moves to the young one; when that is full, the plans in the old one are
 * dropped. It keeps no operation alive.
 */
export class PlanBudget {
  #young: WeakRef<CompiledOperation>[] = []
  #old: WeakRef<CompiledOperation>[] = []
  #youngBytes = 0
  #generation = 1
  readonly #maxYoung: number

  constructor(maxBytes: number) {
    this.#maxYoung = maxBytes / 2
  }

  /** Counts a use. Returns false if its plans alone are too large: then they are dropped. */
  use(operation: CompiledOperation): boolean {
    const { bytes } = operation.facts.memory
    const counted = operation.generation === this.#generation ? operation.countedBytes : 0
    if (counted === bytes) return true
    if (bytes > this.#maxYoung) {
      operation.drop()
      return false
    }
    if (this.#youngBytes + bytes - counted > this.#maxYoung) this.#rotate()
    if (operation.generation === this.#generation) {
      this.#youngBytes -= counted
    } else {
      this.#young.push(new WeakRef(operation))
      operation.generation = this.#generation
    }
    this.#youngBytes += bytes
    operation.countedBytes = bytes
    return true
  }

  #rotate(): void {
    for (const reference of this.#old) {
      const operation = reference.deref()
      if (operation !== undefined && operation.generation < this.#generation) operation.drop()
    }
    this.#old = this.#young
    this.#young = []
    this.#youngBytes = 0
    this.#generation += 1
  }
}
