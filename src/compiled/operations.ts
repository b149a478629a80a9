import type {
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql'
import type { ExecutionKind } from '../graphql/execute/execution.js'
import { splitsExecution } from '../graphql/js/graphql.js'
import { compileVariables, type CoerceVariables } from './coerce-variables.js'
import { readSelections, type SelectionFacts } from './directive-variables.js'
import type { KnownScalars } from './known-scalars.js'
import type { CompilingModule, OperationFacts, OperationPlan } from './operation-plan.js'

interface OperationSettings {
  readonly graphql: CompilingModule
  readonly scalars: KnownScalars
  readonly readsOwn: boolean
  /** Whether a schema with @defer is left to graphql-js, whose `execute` of graphql 17 refuses it. */
  readonly refusesIncremental: boolean
}

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

  get bytes(): number {
    return this.facts.memory.bytes
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
  { is17, schema, definition, isRefused }: OperationFacts,
  selections: SelectionFacts,
): ExecutionKind | undefined {
  if (isRefused) return 'incremental'
  if (selections.hasFragmentVariables) return 'fragment-variables'
  if (selections.hasIncremental && is17) return 'incremental'
  if (selections.isIntrospection) return 'introspection'
  const root = schema.getRootType(definition.operation)
  return root === undefined || root === null ? 'unsupported-operation' : undefined
}

/** Memory of a plan besides its fields. */
const bytesOfPlan = 2048

/** The operations of one executor. Each lives as long as its document. */
export class CompiledOperations {
  readonly #settings: OperationSettings
  readonly #found = new WeakMap<OperationDefinitionNode, CompiledOperation>()

  constructor(settings: OperationSettings) {
    this.#settings = settings
  }

  get(
    schema: GraphQLSchema,
    document: DocumentNode,
    definition: OperationDefinitionNode,
  ): CompiledOperation {
    const found = this.#found.get(definition)
    const unchanged = this.#settings.scalars.unchanged()
    if (found?.facts.schema === schema && found.unchanged === unchanged) return found
    const made = new CompiledOperation(this.#toFacts(schema, document, definition), unchanged)
    this.#found.set(definition, made)
    return made
  }

  #toFacts(
    schema: GraphQLSchema,
    document: DocumentNode,
    definition: OperationDefinitionNode,
  ): OperationFacts {
    const { graphql, scalars, readsOwn, refusesIncremental } = this.#settings
    const fragments = Object.create(null) as { [name: string]: FragmentDefinitionNode }
    for (const node of document.definitions) {
      if (node.kind === 'FragmentDefinition') fragments[node.name.value] = node
    }
    const is17 = splitsExecution(graphql)
    const disables = definition.directives?.some(({ name }) => name.value === disablesPropagation)
    const propagates = !(is17 && disables === true)
    return {
      graphql,
      is17,
      schema,
      definition,
      fragments,
      scalars,
      propagates,
      readsOwn,
      isRefused: is17 && refusesIncremental && hasIncremental(schema),
      memory: { bytes: 0, grown: undefined },
    }
  }
}

function hasIncremental(schema: GraphQLSchema): boolean {
  return ['defer', 'stream'].some((name) => Boolean(schema.getDirective(name)))
}

const disablesPropagation = 'experimental_disableErrorPropagation'
/**
 * Bounds the memory of all plans of an executor. Plans are counted in two generations, as documents are in
 * their cache: what is used again moves to the young one; when that is full, the plans in the old one are
 * dropped. It keeps no operation alive.
 */
export class PlanBudget {
  #young: WeakRef<CompiledOperation>[] = []
  #old: WeakRef<CompiledOperation>[] = []
  #youngBytes = 0
  #oldBytes = 0
  #generation = 1
  readonly #maxYoung: number

  constructor(maxBytes: number) {
    this.#maxYoung = maxBytes / 2
  }

  /** Counts a use. Returns false if its plans alone are too large: then they are dropped. */
  use(operation: CompiledOperation): boolean {
    const { bytes } = operation
    if (operation.generation === this.#generation && operation.countedBytes === bytes) return true
    if (bytes > this.#maxYoung) {
      operation.drop()
      return false
    }
    const isYoung = operation.generation === this.#generation
    const added = isYoung ? bytes - operation.countedBytes : bytes
    if (this.#youngBytes + added > this.#maxYoung) this.#rotate()
    if (operation.generation === this.#generation) {
      this.#youngBytes += added
    } else {
      this.#youngBytes += bytes
      this.#young.push(new WeakRef(operation))
      operation.generation = this.#generation
    }
    operation.countedBytes = bytes
    return true
  }

  #rotate(): void {
    for (const reference of this.#old) {
      const operation = reference.deref()
      if (operation !== undefined && operation.generation < this.#generation) operation.drop()
    }
    this.#old = this.#young
    this.#oldBytes = this.#youngBytes
    this.#young = []
    this.#youngBytes = 0
    this.#generation += 1
  }

  get plans(): number {
    return this.#young.length + this.#old.length
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes
  }
}
