import type { ValuePlan } from './plan.js'
import type { Run } from './run.js'
import { writeAbstract } from './write-abstract.js'
import { writeLeaf } from './write-leaf.js'
import { writeList } from './write-list.js'
import { writeObject } from './write-object.js'

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
