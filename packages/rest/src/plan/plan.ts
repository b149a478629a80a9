import type {
  FieldNode,
  GraphQLSchema,
  OperationDefinitionNode,
  GraphQLOutputType,
  SelectionSetNode,
} from 'graphql'
import type { Outcome } from 'graphwire/base'
import type { ValidDocument, RequestError } from 'graphwire/surface/parts'
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

export interface PlanTools {
  readonly graphql: GraphQLModule
  findDocument(schema: GraphQLSchema, source: string): Outcome<ValidDocument, RequestError>
}

/** Plans a route for a schema; throws if the route does not fit, saying which route and what is wrong. */
export function planRoute(
  { route, template }: PlacedRoute,
  schema: GraphQLSchema,
  tools: PlanTools,
): RoutePlan {
  const found = tools.findDocument(schema, route.operation)
  if (!found.ok) {
    const messages = found.reason.errors.map(({ message }) => message)
    throw mistake(route, `the operation is not valid for the schema: ${messages.join(' ')}`)
  }
  const document = found.value
  const definition = onlyOperation(route, document)
  const rootField = onlyField(route, definition)
  const variables = planVariables({ route, template, schema, definition }, tools.graphql)
  checkRules(route, variables)
  const location = route.location === undefined ? undefined : planLocation(route, route.location)
  checkValue({ route, schema, document, definition, rootField, location })
  return {
    route,
    document,
    definition,
    rootField,
    variables,
    takesInputObjects: takesInputObjects(variables),
    location,
  }
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

/** A route with the type and selections of its root field. */
interface ValueSource extends Omit<RoutePlan, 'variables' | 'takesInputObjects'> {
  readonly schema: GraphQLSchema
}

/** Throws if a route refers to fields that are not selected, or that cannot be written in a header. */
function checkValue(source: ValueSource): void {
  const { route, schema, definition, rootField, location } = source
  const { version, status = 200 } = route
  if (status === 204 && route.method === 'GET') {
    throw mistake(route, 'the status of a GET cannot be 204, since it returns a value')
  }
  const rootType = schema.getRootType(definition.operation)
  const type = rootType?.getFields()[rootField.name.value]?.type
  if (isList(type) && (version ?? location) !== undefined) {
    throw mistake(route, 'a list cannot have a version or a location')
  }
  if (version !== undefined) checkMember(source, 'version', version, type)
  for (const name of location?.names ?? []) checkMember(source, 'location', name, type)
}

function isList(type: GraphQLOutputType | undefined): boolean {
  return String(type).startsWith('[')
}

function checkMember(
  source: ValueSource,
  option: string,
  name: string,
  type: GraphQLOutputType | undefined,
): void {
  const { route, schema, rootField } = source
  const selected =
    rootField.selectionSet && find(rootField.selectionSet, name, nameOf(type), source)
  if (selected === undefined) {
    throw mistake(route, `${option}: the operation does not select "${name}"`)
  }
  const { node, parent } = selected
  const around = schema.getType(parent)
  const fields = around !== undefined && 'getFields' in around ? around.getFields() : {}
  const field = fields[node.name.value]
  if (node.selectionSet !== undefined || isList(field?.type as GraphQLOutputType | undefined)) {
    throw mistake(route, `${option}: "${name}" is not a single value`)
  }
}

function nameOf(type: GraphQLOutputType | undefined): string {
  return String(type).replace('!', '')
}

interface Selected {
  readonly node: FieldNode
  /** The name of the parent type of the field. */
  readonly parent: string
}

/** Recursion ends, because fragments of a valid document have no cycles. */
function find(
  { selections }: SelectionSetNode,
  name: string,
  parent: string,
  source: ValueSource,
): Selected | undefined {
  for (const selection of selections) {
    if (selection.kind === 'Field') {
      if ((selection.alias ?? selection.name).value === name) return { node: selection, parent }
      continue
    }
    const fragment =
      selection.kind === 'InlineFragment'
        ? selection
        : source.document.fragments.get(selection.name.value)
    const inner = fragment?.typeCondition?.name.value ?? parent
    const found = fragment && find(fragment.selectionSet, name, inner, source)
    if (found !== undefined) return found
  }
  return undefined
}
