import type {
  FieldNode,
  GraphQLArgument,
  GraphQLField,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql'
import { fragmentsOf, type Fragments } from '../../engine/fragments.js'
import type { GraphQLModule } from '../../engine/graphql.js'
import type { Route } from '../route.js'
import { fromLiteral } from './default-value.js'
import { remarksOf, type JsonSchema } from './json-schema.js'
import { shapeOfNode, type TypeShape } from './type-shape.js'

/** A route with its operation found in the schema. */
export interface RoutePlan {
  readonly route: Route<never>
  readonly schema: GraphQLSchema
  readonly fragments: Fragments
  /** The name of the operation. */
  readonly name: string | undefined
  readonly root: FieldNode
  readonly field: GraphQLField<unknown, unknown>
  readonly variables: readonly RouteVariable[]
}

/** The routes of an operation in their order, and those that a POST may stand for beside them. */
export interface OperationRoutes {
  readonly method: string
  readonly own: readonly RoutePlan[]
  readonly meant: readonly RoutePlan[]
}

/** A variable of the operation and where it comes from. */
export interface RouteVariable {
  readonly name: string
  readonly source: 'path' | 'query' | 'body' | 'member' | 'version'
  readonly shape: TypeShape
  /** Whether it has to be given. */
  readonly required: boolean
  /** Its default value as a keyword. */
  readonly byDefault: JsonSchema
  /** The argument of the root field that it is given to. */
  readonly argument: GraphQLArgument | undefined
}

/** Finds what the description of a route says about its operation. */
export function planRoute(
  graphql: GraphQLModule,
  schema: GraphQLSchema,
  route: Route<never>,
): RoutePlan {
  const document = graphql.parse(route.operation)
  const fragments = fragmentsOf(document)
  const definition = document.definitions.find((node) => node.kind === 'OperationDefinition')
  const root = definition && rootField(definition.selectionSet, fragments)
  const parent = definition && schema.getRootType(definition.operation)
  const field = root && parent?.getFields()[root.name.value]
  if (definition === undefined || root === undefined || field === undefined) {
    throw new TypeError(`${route.method} ${route.path}: the operation has no root field.`)
  }
  const variables = variablesOf(definition, root, field, route, schema)
  return { route, schema, fragments, name: definition.name?.value, root, field, variables }
}

/** What is said of a variable: the words of its argument. */
export function variableRemarks({ argument }: RouteVariable): JsonSchema {
  return argument === undefined ? {} : remarksOf(argument)
}

function rootField(set: SelectionSetNode, fragments: Fragments): FieldNode | undefined {
  for (const selection of set.selections) {
    if (selection.kind === 'Field') return selection
    const inner =
      selection.kind === 'InlineFragment' ? selection : fragments.get(selection.name.value)
    const found = inner && rootField(inner.selectionSet, fragments)
    if (found) return found
  }
  return undefined
}

function variablesOf(
  { variableDefinitions = [] }: OperationDefinitionNode,
  root: FieldNode,
  field: GraphQLField<unknown, unknown>,
  route: Route<never>,
  schema: GraphQLSchema,
): readonly RouteVariable[] {
  return variableDefinitions.map(({ variable, type, defaultValue }) => {
    const name = variable.name.value
    const shape = shapeOfNode(schema, type)
    const given = root.arguments?.find(
      ({ value }) => value.kind === 'Variable' && value.name.value === name,
    )
    return {
      name,
      source: sourceOf(name, route),
      shape,
      required: !shape.nullable && defaultValue === undefined,
      byDefault: defaultValue === undefined ? {} : { default: fromLiteral(defaultValue, shape) },
      argument: given && field.args.find((argument) => argument.name === given.name.value),
    }
  })
}

function sourceOf(
  name: string,
  { method, path, body, ifMatch }: Route<never>,
): RouteVariable['source'] {
  if (path.includes(`{${name}}`)) return 'path'
  if (name === ifMatch) return 'version'
  if (name === body) return 'body'
  return method === 'GET' || method === 'DELETE' ? 'query' : 'member'
}
