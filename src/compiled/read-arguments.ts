import type { FieldNode } from 'graphql'
import type { FieldPlan } from './plan.js'
import { NullPrototype, type OwnMembers } from './null-prototype.js'
import type { Run } from './run.js'

/** The arguments for one call: an object of its own, since resolvers may change it. */
export function readArguments(run: Run, { args, definition, nodes }: FieldPlan): OwnMembers {
  if (args.kind === 'full') return readFully(run, definition, nodes)
  const values: OwnMembers = run.is17 ? new NullPrototype() : {}
  for (const { name, variable, value } of args.entries) {
    if (variable === undefined) {
      values[name] = value
    } else {
      const given = run.coerced[variable]
      // Whether null or nothing is allowed, graphql-js decides.
      if (given === undefined || given === null) return readFully(run, definition, nodes)
      values[name] = given
    }
  }
  return values
}

function readFully(
  { plan: { graphql }, variableValues, hideSuggestions }: Run,
  definition: FieldPlan['definition'],
  nodes: readonly FieldNode[],
): OwnMembers {
  const [node] = nodes
  return graphql.getArgumentValues(
    definition,
    node as FieldNode,
    variableValues,
    undefined,
    hideSuggestions,
  )
}
