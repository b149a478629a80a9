import { isThenable } from '../base/promise.js'
import type { ValuePlan } from './plan.js'
import type { Run } from './run.js'
import { writeAbstract } from './write-abstract.js'
import { writeList } from './write-list.js'
import { writeObject } from './write-object.js'
import type { GraphQLLeafType } from 'graphql'
import { inspectValue } from './inspect-value.js'
import { Slot } from './slot.js'
import { wait } from './wait.js'

/** CompleteValue() of the GraphQL specification, section 6.4.3, for a value that does not wait. */
export function completeValue(run: Run, plan: ValuePlan, value: unknown): void {
  if (value instanceof Error) throw value
  if (value === null || value === undefined) {
    if (plan.nonNull) throw nullError(plan)
    run.writer.null()
    return
  }
  switch (plan.kind) {
    case 'object':
      writeObject(run, plan, plan.type as never, value)
      break
    case 'list':
      writeList(run, plan, value)
      break
    case 'abstract':
      writeAbstract(run, plan, value)
      break
    default:
      writeLeaf(run, plan, value)
  }
}

function nullError({ field }: ValuePlan): Error {
  const { parentType, definition } = field
  return new Error(
    `Cannot return null for non-nullable field ${parentType.name}.${definition.name}.`,
  )
}

/** Writes a scalar or an enum. */
function writeLeaf(run: Run, plan: ValuePlan, value: unknown): void {
  const type = plan.type as GraphQLLeafType
  const json: unknown = run.is17 ? type.coerceOutputValue(value) : type.serialize(value)
  if (json === null || json === undefined) {
    const method = run.is17 ? 'coerceOutputValue' : 'serialize'
    throw new Error(
      `Expected \`${type.name}.${method}(${inspectValue(run, value)})\` to return non-nullable value, ` +
        `returned: ${String(json)}`,
    )
  }
  writeJson(run, plan, json)
}

function writeJson(run: Run, plan: ValuePlan, value: unknown): void {
  const { writer } = run
  if (typeof value === 'string') writer.string(value)
  else if (typeof value === 'number') writer.number(value)
  else if (typeof value === 'boolean') writer.boolean(value)
  // As graphql-js does: the late value is not serialized again.
  else if (isThenable(value)) wait(run, plan, value, leaveLeaf)
  else leaveLeaf(run, plan, value)
}

/** Custom scalars can return anything. */
function leaveLeaf(run: Run, plan: ValuePlan, value: unknown): void {
  const { writer, slots } = run
  const slot = new Slot(plan, undefined, undefined, writer.at, writer.at + 1, false)
  slot.content = plan.isItem
    ? { value, key: String(run.indices[plan.depth]), keyLength: undefined }
    : { value, key: plan.field.key, keyLength: plan.field.keyLength }
  slot.state = 'done'
  writer.byte(0x3f)
  slots.push(slot)
}
