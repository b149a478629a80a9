import type {
  GraphQLInputType,
  GraphQLNamedType,
  GraphQLSchema,
  OperationDefinitionNode,
  TypeNode,
  VariableDefinitionNode,
} from 'graphql'
import type { GraphQLModule } from '../../graphql/js/graphql.js'
import { findInherited } from '../../graphql/execute/inherited-names.js'
import { hasBody } from '../route/has-body.js'
import { mistake } from '../route/mistake.js'
import type { Route } from '../route/route.js'
import type { Template } from '../../http/template.js'

/** Where the value of a variable comes from. */
type VariableSource = 'path' | 'query' | 'body' | 'member' | 'version'

/** A variable of a route's operation. */
export interface PlannedVariable {
  readonly name: string
  readonly source: VariableSource
  readonly type: GraphQLInputType
  readonly named: GraphQLNamedType
  readonly isList: boolean
  /** Whether it must be present and not null. */
  readonly isRequired: boolean
  /** Whether its objects must not inherit anything, because the schema has names such as `constructor`. */
  readonly ownOnly: boolean
}

/** Whether the body can have input objects for a variable, which cost something before they are checked. */
export function takesInputObjects(variables: ReadonlyMap<string, PlannedVariable>): boolean {
  return [...variables.values()].some(
    ({ source, named }) =>
      (source === 'member' || source === 'body') &&
      'getFields' in named &&
      !('getInterfaces' in named),
  )
}

/** A route with its variables. */
export interface VariableInput {
  readonly route: Route<never>
  readonly template: Template
  readonly schema: GraphQLSchema
  readonly definition: OperationDefinitionNode
}

/** Decides where each variable comes from; throws for a name in the path without a variable. */
export function planVariables(
  input: VariableInput,
  graphql: GraphQLModule,
): ReadonlyMap<string, PlannedVariable> {
  const { definition, route, template } = input
  const { ofInputs: ownOnly } = findInherited(input.schema)
  const variables = new Map<string, PlannedVariable>()
  for (const node of definition.variableDefinitions ?? []) {
    const variable = planVariable(node, input, graphql)
    variables.set(variable.name, { ...variable, ownOnly })
  }
  const lacking = template.names.find((name) => !variables.has(name))
  if (lacking !== undefined) {
    throw mistake(route, `the operation has no variable $${lacking} for {${lacking}}`)
  }
  return variables
}

function planVariable(
  node: VariableDefinitionNode,
  { route, template, schema }: VariableInput,
  graphql: GraphQLModule,
): Omit<PlannedVariable, 'ownOnly'> {
  const name = node.variable.name.value
  const nullable = node.type.kind === 'NonNullType' ? node.type.type : node.type
  const isRequired = node.type !== nullable && node.defaultValue === undefined
  const named = schema.getType(nameOf(node.type))
  const type = graphql.typeFromAST(schema, node.type)
  if (named === undefined || type === undefined) throw mistake(route, `$${name} has no type`)
  return {
    name,
    source: sourceOf(name, route, template),
    type: type as GraphQLInputType,
    named,
    isList: nullable.kind === 'ListType',
    isRequired,
  }
}

function nameOf(node: TypeNode): string {
  return node.kind === 'NamedType' ? node.name.value : nameOf(node.type)
}

function sourceOf(name: string, route: Route<never>, { names }: Template): VariableSource {
  if (names.includes(name)) return 'path'
  if (name === route.ifMatch) return 'version'
  if (!hasBody(route.method)) return 'query'
  return name === route.body ? 'body' : 'member'
}
