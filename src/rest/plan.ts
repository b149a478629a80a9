import type { FieldNode, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import type { ValidDocument } from '../engine/documents.js'
import type { GraphQLModule } from '../engine/graphql.js'
import type { RequestError } from '../engine/request-error.js'
import type { Outcome } from '../outcome.js'
import { checkRules } from './check-rules.js'
import { checkValue } from './check-value.js'
import { mistake } from './mistake.js'
import { planVariables, type PlannedVariable } from './plan-variables.js'
import type { Route } from './route.js'
import type { PlacedRoute } from './router.js'
import { parseTemplate, type Template } from './template.js'

/** A route that fits its schema: everything of it that can be known before a request. */
export interface RoutePlan {
  readonly route: Route<never>
  readonly document: ValidDocument
  readonly definition: OperationDefinitionNode
  readonly rootField: FieldNode
  readonly variables: ReadonlyMap<string, PlannedVariable>
  readonly location: Template | undefined
}

/** What planning has to know. */
export interface PlanTools {
  readonly graphql: GraphQLModule
  findDocument(schema: GraphQLSchema, source: string): Outcome<ValidDocument, RequestError>
}

/** Plans a route for a schema; whatever does not fit throws, with the route and what is wrong. */
export function planRoute(
  { route, template }: PlacedRoute,
  schema: GraphQLSchema,
  tools: PlanTools,
): RoutePlan {
  const found = tools.findDocument(schema, route.operation)
  if (!found.ok) {
    const messages = found.reason.errors.map(({ message }) => message)
    throw mistake(route, `its operation does not fit the schema: ${messages.join(' ')}`)
  }
  const document = found.value
  const definition = onlyOperation(route, document)
  const rootField = onlyField(route, definition)
  const variables = planVariables({ route, template, schema, definition }, tools.graphql)
  checkRules(route, variables)
  const location = route.location === undefined ? undefined : planLocation(route, route.location)
  checkValue({ route, schema, document, definition, rootField, location })
  return { route, document, definition, rootField, variables, location }
}

function onlyOperation(
  route: Route<never>,
  { operations }: ValidDocument,
): OperationDefinitionNode {
  const [definition, ...more] = operations
  if (definition === undefined || more.length > 0) {
    throw mistake(route, 'the document must have exactly one operation')
  }
  if (definition.operation === 'subscription') {
    throw mistake(route, 'a subscription cannot be served: use a query or a mutation')
  }
  if (route.method === 'GET' && definition.operation === 'mutation') {
    throw mistake(route, 'GET is a safe method and cannot run a mutation')
  }
  return definition
}

function onlyField(route: Route<never>, { selectionSet }: OperationDefinitionNode): FieldNode {
  const [field, ...more] = selectionSet.selections
  if (field?.kind === 'Field' && more.length === 0) return field
  throw mistake(route, 'the operation must have exactly one root field, and not in a fragment')
}

function planLocation(route: Route<never>, location: string): Template {
  const template = parseTemplate(location)
  if (template.ok) return template.value
  throw mistake(route, `its location is no template: ${template.reason}`)
}
