import type { ValuePlan } from './plan.js'
import type { Run } from './run.js'
import { writeAbstract } from './write-abstract.js'
import { writeList } from './write-list.js'
import { writeObject } from './write-object.js'
import type { GraphQLLeafType } from 'graphql'
import { inspectValue } from './inspect-value.js'
import { Slot, Unwritable } from './slot.js'

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

/** The methods of a leaf type by which values leave the server; graphql 17 has the second. */
interface Leaf {
  serialize(value: unknown): unknown
  coerceOutputValue?(value: unknown): unknown
}

/** Writes a scalar or an enum. */
function writeLeaf(run: Run, plan: ValuePlan, value: unknown): void {
  const type = plan.type as GraphQLLeafType
  const leaf = type as unknown as Required<Leaf>
  const json = run.is17 ? leaf.coerceOutputValue(value) : leaf.serialize(value)
  if (json === null || json === undefined) {
    const method = run.is17 ? 'coerceOutputValue' : 'serialize'
    throw new Error(
      `Expected \`${type.name}.${method}(${inspectValue(value)})\` to return non-nullable value, ` +
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
  else writeAny(run, plan, value)
}

/** Custom scalars give anything. `JSON.stringify` passes its key to `toJSON`, so it gets an object. */
function writeAny(run: Run, plan: ValuePlan, value: unknown): void {
  const { writer } = run
  const key = plan.isItem ? String(run.indices[plan.depth]) : plan.field.key
  // A client may name a member `toJSON`: a function there would be called for what is only its holder.
  const holder = key === 'toJSON' && typeof value === 'function' ? {} : { [key]: value }
  let text: string
  try {
    text = JSON.stringify(holder)
  } catch (cause) {
    leaveUnwritable(run, plan, cause)
    return
  }
  const isDropped = text === '{}'
  if (!isDropped) writer.json(text.slice(key.length + 4, -1))
  else if (plan.isItem) writer.null()
  else dropMember(run, plan)
}

/** A bug of the schema, unless a null takes its place. */
function leaveUnwritable(run: Run, plan: ValuePlan, cause: unknown): void {
  const { writer } = run
  const slot = new Slot(plan, undefined, undefined, writer.at, writer.at + 1, false)
  slot.content = new Unwritable(cause)
  slot.state = 'done'
  writer.byte(0x3f)
  run.slots.push(slot)
}

/** The key was written by another segment if the value came late. */
function dropMember(run: Run, { field }: ValuePlan): void {
  const { writer } = run
  if (writer.at - field.keyLength >= run.base) writer.at -= field.keyLength
  else run.dropped = true
}
