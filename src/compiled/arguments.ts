import type { ArgumentNode, FieldNode, GraphQLArgument } from 'graphql'
import { isNonNull } from '../graphql/execute/output-types.js'
import type { OperationFacts } from './operation-plan.js'
import type { ArgumentPlan, ArgumentsPlan, FieldDefinition, FieldPlan } from './plan.js'
import { emptyMap, type CoercedMembers } from './coerce-variables.js'
import type { Run } from './run.js'

const full: ArgumentsPlan = { entries: undefined, mayFail: true }

/** Decides how the arguments of a field are read at each call. */
export function compileArguments(
  { graphql, is17, scalars }: OperationFacts,
  definition: FieldDefinition,
  node: FieldNode,
): ArgumentsPlan {
  const nodes = new Map((node.arguments ?? []).map((given) => [given.name.value, given]))
  const entries: ArgumentPlan[] = []
  const constants: GraphQLArgument[] = []
  for (const argument of definition.args) {
    const { name, type } = argument
    const given = nodes.get(name)
    const variable = variableOf(given)
    const isMissing = given === undefined && !hasDefault(argument)
    if (isMissing && !isNonNull(type)) continue
    // Values of other types are made anew for each call, since resolvers may change them.
    const isSimple = !isMissing && scalars.isSimple(type)
    if (variable === undefined ? !isSimple : variable in Object.prototype) return full
    if (variable === undefined) constants.push(argument)
    entries.push({ name, variable, value: undefined })
  }
  const mayFail = constants.length < entries.length
  if (constants.length === 0) return { entries, mayFail }
  try {
    const own = { args: constants } as unknown as FieldDefinition
    const values = graphql.getArgumentValues(own, node, is17 ? { sources: {}, coerced: {} } : {})
    const take = ({ name, variable }: ArgumentPlan) => ({ name, variable, value: values[name] })
    return { entries: entries.map(take), mayFail }
  } catch {
    return full
  }
}

function hasDefault(argument: GraphQLArgument): boolean {
  return argument.defaultValue !== undefined || argument.default !== undefined
}

function variableOf(node: ArgumentNode | undefined): string | undefined {
  return node?.value.kind === 'Variable' ? node.value.name.value : undefined
}

/** The arguments for one call: an object of its own, since resolvers may change it. */
export function readArguments(run: Run, { args, definition, nodes }: FieldPlan): CoercedMembers {
  if (args.entries === undefined) return readFully(run, definition, nodes)
  const values = emptyMap(run.is17)
  for (const { name, variable, value } of args.entries) {
    if (variable === undefined) {
      values[name] = value
    } else {
      const given = run.variables.coerced[variable]
      // graphql-js decides whether null or a missing value is allowed.
      if (given === undefined || given === null) return readFully(run, definition, nodes)
      values[name] = given
    }
  }
  return values
}

function readFully(
  { plan: { graphql }, variables, input }: Run,
  definition: FieldPlan['definition'],
  nodes: readonly FieldNode[],
): CoercedMembers {
  const [node] = nodes
  return graphql.getArgumentValues(
    definition,
    node as FieldNode,
    variables.variableValues,
    undefined,
    input.hideSuggestions,
  )
}
