import type { FieldCost } from './field-cost.js'
import type { Length } from './list-size.js'

/** List sizes that fields pass down to the lists below them. */
export interface Sizes {
  /** The size set by the nearest field that sizes other lists, such as a connection. */
  readonly length: number
  /** The fields that it sizes; undefined if the schema does not say, and then all lists directly below. */
  readonly names: readonly string[] | undefined
  /** Whether that field is the direct parent. Further down, its size can only make lists longer. */
  readonly isNear: boolean
  /** The largest size requested above, with no list of that length since; 0 if there is none. */
  readonly reach: number
}

/** A field in the context of its selection. */
export interface SelectedField {
  readonly name: string
  readonly cost: FieldCost
  readonly own: Length
  readonly above: Sizes
}

export const noSizes: Sizes = { length: 0, names: [], isNear: false, reach: 0 }

/**
 * The number of items of a field, by its own size and by those passed down. Directly below a connection,
 * the size of the connection counts; further down, where a client could hide a list behind a wrapper, the
 * larger one counts.
 */
export function itemsOf({ name, cost, own, above }: SelectedField): number {
  const isNamed = above.isNear && above.names?.includes(name) === true
  if (cost.listDepth === 0) return isNamed ? above.length : 1
  if (isNamed) return Math.max(above.length, own.said)
  if (own.isExact) return own.length
  if (cost.asksForSize) return Math.max(own.length, passedTo(name, above), nearLength(above))
  if (meansAll(above)) return Math.max(above.length, own.said)
  return Math.max(own.length, passedTo(name, above))
}

/** The number of scalars in a list of scalars. Only lists that clients can make long count; others are 0. */
export function scalarsOf(
  name: string,
  cost: FieldCost,
  length: () => Length,
  above: Sizes,
): number {
  if (cost.listDepth === 0) return 0
  const isMeant = above.isNear && (above.names?.includes(name) ?? true)
  if (cost.asksForSize || isMeant) return itemsOf({ name, cost, own: length(), above })
  return Math.max(passedTo(name, above), length().listed)
}

/** The sizes that a field passes down to the lists below it. */
export function sizesBelow({ name, cost, own, above }: SelectedField, items: number): Sizes {
  const isList = cost.listDepth > 0
  const left = isList && items >= above.reach ? 0 : above.reach
  const length = own.isExact ? own.length : Math.max(own.length, above.reach)
  if (cost.sizedFields.length > 0) {
    return { length, names: cost.sizedFields, isNear: true, reach: left }
  }
  if (!isList && cost.asksForSize) {
    const reach = Math.max(left, own.said)
    // The field may have other lists besides the intended one, such as facets next to search hits: none of
    // them is free.
    return { length: Math.max(length, 1), names: undefined, isNear: true, reach }
  }
  const reach = isList ? left : Math.max(left, own.said)
  const isTaken = isList || (above.isNear && above.names?.includes(name))
  const { names } = above
  if (isTaken || names === undefined || names.length === 0) {
    return reach === 0 ? noSizes : { ...noSizes, reach }
  }
  return { length: above.length, names, isNear: false, reach }
}

/** Equal sizes have equal keys. */
export function keyOf({ length, names, isNear, reach }: Sizes): string {
  return `${length} ${names?.join()} ${isNear} ${reach}`
}

/** The minimum size of a list that is not directly below the field that sizes it. */
function passedTo(name: string, { length, names, isNear, reach }: Sizes): number {
  return !isNear && names?.includes(name) ? Math.max(reach, length) : reach
}

function nearLength(above: Sizes): number {
  return meansAll(above) ? above.length : 0
}

function meansAll({ isNear, names }: Sizes): boolean {
  return isNear && names === undefined
}
