import type { DirectiveNode, ValueNode } from 'graphql'
import type { InputValue } from './input-value.js'

/** The value of a variable; undefined if there is none, or if it is not known yet. */
type ValueOf = (variable: string) => InputValue | undefined

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

/** A Boolean or a number; undefined for everything else. */
function read({ arguments: args = [] }: DirectiveNode, name: string, valueOf: ValueOf): unknown {
  const literal = args.find((one) => one.name.value === name)?.value
  const isVariable = literal?.kind === 'Variable'
  const value = isVariable ? valueOf(literal.name.value) : literal && { literal }
  if (value === undefined) return undefined
  return 'value' in value ? value.value : toValue(value.literal)
}

function toValue(literal: ValueNode): unknown {
  if (literal.kind === 'BooleanValue') return literal.value
  return literal.kind === 'IntValue' ? Number(literal.value) : undefined
}
