import { isThenable } from '../base/promise.js'
import type { GraphQLObjectType } from 'graphql'
import { compileSelection } from './compile-selection.js'
import { inspectValue } from './inspect-value.js'
import type { Selection, ValuePlan } from './plan.js'
import { infoOf } from './resolve-info.js'
import { throwIfStopped, type Run } from './run.js'
import { wait } from './wait.js'
import { writeFields } from './write-fields.js'

const openBrace = 0x7b
const closeBrace = 0x7d

/** Writes an object as one of a type, which its `isTypeOf` must confirm. */
export function writeObject(
  run: Run,
  plan: ValuePlan,
  type: GraphQLObjectType,
  value: unknown,
): void {
  if (type.isTypeOf === undefined || type.isTypeOf === null) {
    writeMembers(run, plan, selectionOf(run, plan, type), value)
    return
  }
  // graphql 16 collects the fields first, which may fail too.
  if (!run.is17) selectionOf(run, plan, type)
  const answer = type.isTypeOf(value, run.input.contextValue, infoOf(run, plan))
  const proceed = (isOfType: unknown): void => {
    if (!isOfType) throw wrongType(run, plan, type, value)
    writeMembers(run, plan, selectionOf(run, plan, type), value)
  }
  if (isThenable(answer)) wait(run, plan, answer, (_run, _plan, isOfType) => proceed(isOfType))
  else proceed(answer)
}

/** Writes an object: its first comma becomes the brace. */
export function writeMembers(
  run: Run,
  plan: ValuePlan | undefined,
  selection: Selection,
  source: unknown,
): void {
  throwIfStopped(run, source)
  const { writer } = run
  const start = writer.at
  const { length } = selection.fields
  if (!writeFields(run, plan, selection, source, 0, length)) return
  if (writer.at === start) writer.byte(openBrace)
  else writer.replace(start, openBrace)
  writer.byte(closeBrace)
}

/** The fields of a type, compiled for the first object of it. */
function selectionOf(run: Run, plan: ValuePlan, type: GraphQLObjectType): Selection {
  if (plan.kind === 'object') return (plan.selection ??= compileSelection(run, plan, type))
  const compiled = plan.selections.get(type.name)
  if (compiled !== undefined) return compiled
  const selection = compileSelection(run, plan, type)
  plan.selections.set(type.name, selection)
  return selection
}

function wrongType(
  run: Run,
  { field: { nodes } }: ValuePlan,
  type: GraphQLObjectType,
  value: unknown,
): Error {
  const message = `Expected value of type "${type.name}" but got: ${inspectValue(run, value)}.`
  return new run.plan.graphql.GraphQLError(message, { nodes })
}
