import type { GraphQLError, GraphQLResolveInfo, GraphQLTypeResolver } from 'graphql'
import { keysOf, locateError } from '../graphql/errors/locate-error.js'
import { handleUnread } from '../graphql/execute/handle-unread.js'
import type { Resolver } from '../graphql/schema/watched-schemas.js'
import type { Variables } from './coerce-variables.js'
import { EndOfRun } from './end-of-run.js'
import type { JsonWriter } from './json-writer.js'
import type { OperationPlan } from './operation-plan.js'
import type { FieldPlan, Path, ValuePlan } from './plan.js'
import type { Slot } from './slot.js'

/** The part of AbortSignal that is used; `Cancellation` has it too. */
interface Signal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** The functions of `info` on graphql 17. */
export interface InfoTools {
  readonly getAbortSignal: () => AbortSignal
  readonly getAsyncHelpers: () => object
}

/** What is written around the data. */
export interface Frame {
  readonly before: string
  readonly after: string
}

/** What the caller of an executor gives to a run. */
export interface RunInput {
  readonly frame: Frame
  readonly rootValue: unknown
  readonly contextValue: unknown
  /** Default: reads the property with the name of the field. */
  readonly fieldResolver: Resolver | undefined
  /** Default: `__typename`, or `isTypeOf` of the types. */
  readonly typeResolver: GraphQLTypeResolver<unknown, unknown> | undefined
  /** graphql 17: the run is given up when it fires. */
  readonly signal: Signal | undefined
  /** graphql 16: no resolver is called once it has fired. */
  readonly stop: Signal | undefined
  readonly hideSuggestions: boolean
}

/** The parts that all runs of an executor share. */
export interface RunTools {
  readonly writer: JsonWriter
  readonly complete: CompleteValue
  /** The failures of one run. */
  readonly maxErrors: number
}

/** Writes the value of a position. */
export type CompleteValue = (run: Run, plan: ValuePlan, value: unknown) => void

/** The state of one execution. */
export class Run {
  readonly plan: OperationPlan
  readonly writer: JsonWriter
  /** Lists and objects contain values of any kind, so this is passed to them. */
  readonly complete: CompleteValue
  readonly variables: Variables
  readonly input: RunInput
  readonly is17: boolean
  readonly errors: GraphQLError[] = []
  /** The positions from the root to the current one, by depth: a path if it was needed, the index of an item. */
  readonly paths: (Path | undefined)[] = []
  readonly indices: number[] = []
  readonly infos: (GraphQLResolveInfo | undefined)[] = []
  /** The `info` of the field whose value is being completed, if it was made for its resolver. */
  info: GraphQLResolveInfo | undefined = undefined
  /** All slots of the segment that is written now. */
  slots: Slot[] = []
  /** The slots that have no owner yet. */
  waiting: Slot[] = []
  /** Where that segment begins. */
  base = 0
  isOver = false
  /** graphql 17: made when the first resolver is called. */
  tools: InfoTools | undefined = undefined
  controller: AbortController | undefined = undefined
  /** Removes the listener of that controller. */
  unlisten: (() => void) | undefined = undefined
  /** The pending result, if there is one. */
  late: { end(cause: unknown): void } | undefined = undefined
  readonly #maxErrors: number

  constructor(plan: OperationPlan, tools: RunTools, variables: Variables, input: RunInput) {
    this.plan = plan
    this.writer = tools.writer
    this.complete = tools.complete
    this.#maxErrors = tools.maxErrors
    this.variables = variables
    this.input = input
    this.is17 = plan.is17
  }

  /** The error of a field, with its path and its place in the document. */
  locate({ nodes }: FieldPlan, path: Path | undefined, error: unknown): GraphQLError {
    return locateError(this.plan.graphql, error, nodes, keysOf(path))
  }

  /** Reports the failure of a position that became null. Throws if there were too many. */
  report(error: GraphQLError): void {
    if (this.errors.push(error) > this.#maxErrors) throw new EndOfRun(undefined)
  }

  /** Ends the run because of a bug, or of too many failures. */
  end(cause: unknown): void {
    if (this.late === undefined) throw cause
    this.late.end(cause)
  }
}

/** graphql 17: whether the run was given up. */
export function isAborted({ input: { signal } }: Run): boolean {
  return signal !== undefined && signal.aborted
}

/**
 * graphql 16 knows no signals, so this is asked for each object and each item of a list. The promises in what
 * is then not read are handled, or they would end the process by rejecting.
 */
export function throwIfStopped({ input: { stop } }: Run, unread: unknown): void {
  if (stop === undefined || !stop.aborted) return
  handleUnread(unread)
  throw stop.reason
}
