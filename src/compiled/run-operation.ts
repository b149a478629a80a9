import type { GraphQLError, GraphQLObjectType } from 'graphql'
import { tooLong } from '../graphql/errors/too-long.js'
import { assemble } from './assemble.js'
import { compileSelection } from './compile-selection.js'
import { EndOfRun } from './end-of-run.js'
import type { OperationPlan } from './operation-plan.js'
import type { Selection } from './plan.js'
import { isAborted, throwIfStopped, type Run } from './run.js'
import { writeSegment } from './segment.js'
import { Slot, type Piece, type Waiter } from './slot.js'
import { writeMembers } from './write-object.js'
import { becomeNull, settle } from './climb.js'
import { writeFields } from './write-fields.js'

export interface RunResult {
  readonly text: string
  readonly errors: readonly GraphQLError[]
}

/** ExecuteRootSelectionSet() of the GraphQL specification: a promise only if something waits. */
export function runOperation(run: Run): RunResult | Promise<RunResult> {
  if (isAborted(run)) throw run.input.signal?.reason
  const root = new Slot(undefined, undefined, undefined, 0, 0, false)
  try {
    const { plan } = run
    plan.root ??= compileSelection(run, undefined, rootOf(plan))
    if (plan.definition.operation === 'mutation') runSerially(run, root, plan.root)
    else writeRoot(run, root, plan.root)
  } catch (error) {
    if (!(error instanceof EndOfRun)) becomeNull(run, root, error as GraphQLError)
    else takeEnd(run, root, error)
  }
  if (root.pending > 0 && root.state === 'waits') {
    const late = new LateResult(run, root)
    run.late = late
    root.waiter = late
    return late.promise
  }
  const result = finish(run, root)
  if (isAborted(run)) throw abortedError(run, result)
  return result
}

function writeRoot(run: Run, root: Slot, selection: Selection): void {
  const { writer, input } = run
  root.content = writeSegment(run, root, () => {
    writer.json(input.frame.before)
    writeMembers(run, undefined, selection, input.rootValue)
    writer.json(input.frame.after)
  })
}

/** An operation without one is never compiled. */
function rootOf({ schema, definition }: OperationPlan): GraphQLObjectType {
  return schema.getRootType(definition.operation) as GraphQLObjectType
}

/** Data is null after too many failures. Throws a bug. */
function takeEnd(run: Run, root: Slot, cause: unknown): void {
  close(run)
  if (!(cause instanceof EndOfRun)) throw cause
  const { maxLength } = cause
  if (maxLength !== undefined) throw tooLong(run.plan.definition.name?.value, maxLength)
  root.state = 'dead'
}

/**
 * The result of a run that waits. A closure in its place would be slow: V8 would free runs only with the old generation, and
 * treat their allocations as long-lived.
 */
class LateResult implements Waiter {
  readonly promise: Promise<RunResult>
  readonly #run: Run
  readonly #root: Slot
  readonly #onAbort: (() => void) | undefined
  #resolve: ((result: RunResult) => void) | undefined
  #reject: ((reason: unknown) => void) | undefined
  /** Called when all resolvers of an aborted run have ended. */
  #leftBehind: (() => void) | undefined

  constructor(run: Run, root: Slot) {
    this.#run = run
    this.#root = root
    this.#onAbort = run.input.signal && (() => this.#abort())
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    if (isAborted(run)) this.#abort()
    else if (this.#onAbort !== undefined) run.input.signal?.addEventListener('abort', this.#onAbort)
  }

  done(): void {
    if (this.#run.isOver) this.#leftBehind?.()
    else this.end(undefined)
  }

  end(cause: unknown): void {
    if (this.#run.isOver) return
    this.#unlisten()
    try {
      if (cause !== undefined) takeEnd(this.#run, this.#root, cause)
      this.#resolve?.(finish(this.#run, this.#root))
    } catch (bug) {
      this.#reject?.(bug)
    }
  }

  #abort(): void {
    const { errors } = this.#run
    this.#run.isOver = true
    this.#unlisten()
    const result = new Promise<RunResult>((resolve) => {
      this.#leftBehind = () => resolve({ text: 'null', errors })
    })
    this.#reject?.(abortedError(this.#run, result))
  }

  #unlisten(): void {
    if (this.#onAbort !== undefined)
      this.#run.input.signal?.removeEventListener('abort', this.#onAbort)
  }
}

function close(run: Run): void {
  run.isOver = true
  run.unlisten?.()
  run.controller?.abort()
}

function finish(run: Run, root: Slot): RunResult {
  close(run)
  const text =
    root.state === 'dead'
      ? `${run.input.frame.before}null${run.input.frame.after}`
      : assemble(root.content)
  return { text, errors: run.errors }
}

/** What graphql 17 throws when its signal fires. */
function abortedError(
  { input: { signal }, plan: { graphql } }: Run,
  result: RunResult | Promise<RunResult>,
): unknown {
  const { AbortedGraphQLExecutionError: Aborted } = graphql
  return Aborted === undefined ? signal?.reason : new Aborted(signal?.reason, result as never)
}

const openBrace = 0x7b

/**
 * Executes the fields of a mutation in turn: one begins when all of the one before it is done. What is
 * written until something waits is one piece of the response.
 */
function runSerially(run: Run, root: Slot, selection: Selection): void {
  const { before, after } = run.input.frame
  const { length } = selection.fields
  const pieces: Piece[] = [before]
  let isEmpty = true
  root.content = pieces
  // Keeps the root waiting for the remaining fields.
  root.pending = 1
  proceed(0)

  function proceed(from: number): void {
    const part = new Slot(undefined, undefined, undefined, 0, 0, true)
    part.owner = root
    const { writer } = run
    let at = from
    try {
      part.content = writeSegment(run, part, () => {
        for (; at < length && run.waiting.length === 0; at += 1) {
          if (isAborted(run)) throw new Error('Aborted!')
          throwIfStopped(run, undefined)
          writeFields(run, undefined, selection, run.input.rootValue, at, at + 1)
        }
        if (isEmpty && writer.at > run.base) {
          isEmpty = false
          writer.replace(run.base, openBrace)
        }
      })
    } catch (error) {
      if (error instanceof EndOfRun) run.end(error)
      else becomeNull(run, root, error as GraphQLError)
      return
    }
    pieces.push(part)
    if (part.pending > 0) {
      root.pending += 1
      part.waiter = { done: () => proceed(at) }
    } else {
      pieces.push(isEmpty ? `{}${after}` : `}${after}`)
      settle(root)
    }
  }
}
