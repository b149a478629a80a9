import type { ArgumentNode, FieldNode, GraphQLArgument } from 'graphql'
import { isNonNull } from '../graphql/execute/output-types.js'
import type { OperationFacts } from './operation-plan.js'
import type { ArgumentsPlan, FieldDefinition, FieldPlan } from './plan.js'
import { emptyMap, type CoercedMembers } from './coerce-variables.js'
import type { Run } from './run.js'

const none: ArgumentsPlan = { kind: 'none', entries: [], mayFail: false }
const full: ArgumentsPlan = { kind: 'full', entries: [], mayFail: true }

/** Decides how the arguments of a field are read at each call. */
export function compileArguments(
  facts: OperationFacts,
  definition: FieldDefinition,
  node: FieldNode,
): ArgumentsPlan {
  if (definition.args.length === 0) return none
  const nodes = new Map((node.arguments ?? []).map((given) => [given.name.value, given]))
  const sources = definition.args.map((argument) => ({
    argument,
    source: sourceOf(facts, argument, nodes.get(argument.name)),
  }))
  if (sources.some(({ source }) => source === 'full')) return full
  const given = sources.filter(({ source }) => source !== 'absent')
  if (given.length === 0) return { kind: 'plain', entries: [], mayFail: false }
  const constants = given.every(({ source }) => source === 'variable')
    ? {}
    : constantsOf(facts, definition, node)
  if (constants === undefined) return full
  return {
    kind: 'plain',
    entries: given.map(({ argument: { name }, source }) => ({
      name,
      variable: source === 'variable' ? variableOf(nodes.get(name)) : undefined,
      value: constants[name],
    })),
    mayFail: given.some(({ source }) => source === 'variable'),
  }
}

/** Values of other types are made anew for each call, since resolvers may change them. */
function sourceOf(
  { scalars }: OperationFacts,
  argument: GraphQLArgument,
  node: ArgumentNode | undefined,
): 'full' | 'absent' | 'variable' | 'constant' {
  const { defaultValue, default: defaultInput } = argument as GraphQLArgument & {
    readonly default?: unknown
  }
  const hasDefault = defaultValue !== undefined || defaultInput !== undefined
  const isSimple = scalars.isSimple(argument.type)
  if (node === undefined) {
    if (hasDefault) return isSimple ? 'constant' : 'full'
    return isNonNull(argument.type) ? 'full' : 'absent'
  }
  const variable = variableOf(node)
  if (variable !== undefined) return variable in Object.prototype ? 'full' : 'variable'
  return isSimple ? 'constant' : 'full'
}

/** The values of the arguments, except those that variables give. Undefined if one is invalid. */
function constantsOf(
  { graphql, is17 }: OperationFacts,
  definition: FieldDefinition,
  node: FieldNode,
): { readonly [name: string]: unknown } | undefined {
  const own = { args: definition.args.filter(({ name }) => !isVariable(node, name)) }
  try {
    const none17 = { sources: {}, coerced: {} }
    return graphql.getArgumentValues(own as unknown as FieldDefinition, node, is17 ? none17 : {})
  } catch {
    return undefined
  }
}

function isVariable(node: FieldNode, name: string): boolean {
  return variableOf(node.arguments?.find((given) => given.name.value === name)) !== undefined
}

function variableOf(node: ArgumentNode | undefined): string | undefined {
  return node?.value.kind === 'Variable' ? node.value.name.value : undefined
}

/** The arguments for one call: an object of its own, since resolvers may change it. */
export function readArguments(run: Run, { args, definition, nodes }: FieldPlan): CoercedMembers {
  if (args.kind === 'full') return readFully(run, definition, nodes)
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
