import type {
  FieldNode,
  GraphQLNamedType,
  GraphQLSchema,
  GraphQLType,
  OperationDefinitionNode,
} from 'graphql'
import { namedTypeOf, shapeOfType } from '@graphwire/json-schema'
import type { Engine, Fragments, ValidDocument } from 'graphwire/surface/parts'
import type { GraphQLModule } from 'graphwire'
import { parseTemplate, type Template } from 'graphwire/http'
import {
  checkRules,
  planVariables,
  takesInputObjects,
  type PlannedVariable,
} from './plan-variables.js'
import { mistake, type Route } from '../route/route.js'
import type { PlacedRoute } from '../route/router.js'

/** A route that has been checked against its schema, with everything precomputed. */
export interface RoutePlan {
  readonly route: Route<never>
  readonly document: ValidDocument
  readonly definition: OperationDefinitionNode
  readonly rootField: FieldNode
  readonly variables: ReadonlyMap<string, PlannedVariable>
  /** Whether the body can have input objects, whose work is counted before they are checked. */
  readonly takesInputObjects: boolean
  readonly location: Template | undefined
}

/** Plans a route for a schema; throws if the route does not fit, saying which route and what is wrong. */
export function planRoute(
  placed: PlacedRoute,
  schema: GraphQLSchema,
  engine: Engine,
  graphql: GraphQLModule,
): RoutePlan {
  const { route } = placed
  const found = engine.checkOwnDocument(schema, route.operation)
  if (!found.ok) {
    const messages = found.reason.errors.map(({ message }) => message)
    throw mistake(route, `the operation is not valid for the schema: ${messages.join(' ')}`)
  }
  const document = found.value
  const definition = onlyOperation(route, document)
  const rootField = onlyField(route, definition)
  const variables = planVariables(placed, definition, schema, graphql)
  checkRules(route, variables)
  const location = route.location === undefined ? undefined : planLocation(route, route.location)
  const takesObjects = takesInputObjects(variables)
  const plan = {
    route,
    document,
    definition,
    rootField,
    variables,
    takesInputObjects: takesObjects,
    location,
  }
  checkValue(plan, schema)
  return plan
}

function onlyOperation(
  route: Route<never>,
  { operations }: ValidDocument,
): OperationDefinitionNode {
  const [definition, ...more] = operations
  if (definition === undefined || more.length > 0) {
    throw mistake(route, 'the document must have exactly one operation')
  }
  checkStream(route, definition)
  if (route.method === 'GET' && definition.operation === 'mutation') {
    throw mistake(route, 'GET is a safe method and cannot run a mutation')
  }
  return definition
}

/** A stream has no single value, from which a tag, a location or headers could come. */
function checkStream(route: Route<never>, { operation }: OperationDefinitionNode): void {
  const isStream = route.stream === true
  if (isStream !== (operation === 'subscription')) {
    const problem = isStream ? `a stream needs a subscription` : 'a subscription needs stream: true'
    throw mistake(route, isStream ? `${problem}, not a ${operation}` : problem)
  }
  if (!isStream) return
  if (route.method !== 'GET') throw mistake(route, 'a stream can only be a GET')
  const single = ['ifMatch', 'version', 'status', 'location', 'headers'] as const
  const wrong = single.find((name) => route[name] !== undefined)
  if (wrong !== undefined) throw mistake(route, `a stream cannot have ${wrong}`)
}

function onlyField(route: Route<never>, { selectionSet }: OperationDefinitionNode): FieldNode {
  const [field, ...more] = selectionSet.selections
  if (field?.kind === 'Field' && more.length === 0) return field
  throw mistake(route, 'the operation must have exactly one root field, and not in a fragment')
}

function planLocation(route: Route<never>, location: string): Template {
  const template = parseTemplate(location)
  if (template.ok) return template.value
  throw mistake(route, `location is not a valid template: ${template.reason}`)
}

/** Throws if a route refers to fields that are not selected, or that cannot be written in a header. */
function checkValue(plan: RoutePlan, schema: GraphQLSchema): void {
  const { route, document, definition, rootField, location } = plan
  const { version, status = 200 } = route
  if (status === 204 && route.method === 'GET') {
    throw mistake(route, 'the status of a GET cannot be 204, since it returns a value')
  }
  const type = schema.getRootType(definition.operation)?.getFields()[rootField.name.value]?.type
  if (isList(type) && (version ?? location) !== undefined) {
    throw mistake(route, 'a list cannot have a version or a location')
  }
  const selected = [...fieldsIn(rootField, type && namedTypeOf(type), schema, document.fragments)]
  const check = (option: string, name: string): void => {
    const found = selected.find(({ node }) => (node.alias ?? node.name).value === name)
    if (found === undefined) {
      throw mistake(route, `${option}: the operation does not select "${name}"`)
    }
    if (found.node.selectionSet !== undefined || isList(found.type)) {
      throw mistake(route, `${option}: "${name}" is not a single value`)
    }
  }
  if (version !== undefined) check('version', version)
  for (const name of location?.names ?? []) check('location', name)
}

function isList(type: GraphQLType | undefined): boolean {
  return type !== undefined && 'listOf' in shapeOfType(type)
}

interface SelectedField {
  readonly node: FieldNode
  readonly type: GraphQLType | undefined
}

/** The fields that are selected of a value. Recursion ends, because fragments of a valid document have no cycles. */
function* fieldsIn(
  { selectionSet }: Pick<FieldNode, 'selectionSet'>,
  parent: GraphQLNamedType | undefined,
  schema: GraphQLSchema,
  fragments: Fragments,
): Generator<SelectedField> {
  const fields = parent !== undefined && 'getFields' in parent ? parent.getFields() : {}
  for (const selection of selectionSet?.selections ?? []) {
    if (selection.kind === 'Field') {
      yield { node: selection, type: fields[selection.name.value]?.type }
      continue
    }
    const isSpread = selection.kind === 'FragmentSpread'
    const fragment = isSpread ? fragments.get(selection.name.value) : selection
    const condition = fragment?.typeCondition?.name.value
    const inner = condition === undefined ? parent : schema.getType(condition)
    if (fragment !== undefined) yield* fieldsIn(fragment, inner, schema, fragments)
  }
}
