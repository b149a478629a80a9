import type { DirectiveNode } from 'graphql'
import { toJson } from './input-measures.js'

/** The value of a variable; undefined if there is none, or if it is not known yet. */
type ValueOf = (variable: string) => unknown

/** Whether a directive permits incremental delivery. */
export function isIncremental({ name }: DirectiveNode): boolean {
  return name.value === 'defer' || name.value === 'stream'
}

/** Whether it is a @defer or @stream without `if: false`. */
export function isActive(directive: DirectiveNode, valueOf: ValueOf): boolean {
  return isIncremental(directive) && read(directive, 'if', valueOf) !== false
}

/** The `initialCount` of a @stream. */
export function countOf(directive: DirectiveNode, valueOf: ValueOf): number {
  const count = read(directive, 'initialCount', valueOf)
  return typeof count === 'number' ? count : 0
}

function read({ arguments: args }: DirectiveNode, name: string, valueOf: ValueOf): unknown {
  const literal = args?.find((one) => one.name.value === name)?.value
  return literal && toJson(literal, valueOf)
}
