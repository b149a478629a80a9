import type {
  GraphQLInputField,
  GraphQLInputType,
  GraphQLNamedType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql'
import { isInputObject, namedTypeOf, shapeOfType } from '@graphwire/json-schema'
import type { GraphQLModule } from 'graphwire'
import { findInherited } from 'graphwire/surface/parts'
import { hasBody, mistake, type Route } from '../route/route.js'
import type { PlacedRoute } from '../route/router.js'
import { type Template, parseMediaType } from 'graphwire/http'

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
    ({ source, named }) => (source === 'member' || source === 'body') && isInputObject(named),
  )
}

/** Decides where each variable comes from; throws for a name in the path without a variable. */
export function planVariables(
  { route, template }: PlacedRoute,
  definition: OperationDefinitionNode,
  schema: GraphQLSchema,
  graphql: GraphQLModule,
): ReadonlyMap<string, PlannedVariable> {
  const { ofInputs: ownOnly } = findInherited(schema)
  const variables = new Map<string, PlannedVariable>()
  for (const node of definition.variableDefinitions ?? []) {
    const name = node.variable.name.value
    // A valid operation has variables of input types.
    const type = graphql.typeFromAST(schema, node.type) as GraphQLInputType
    const shape = shapeOfType(type)
    variables.set(name, {
      name,
      source: sourceOf(name, route, template),
      type,
      named: namedTypeOf(type),
      isList: 'listOf' in shape,
      isRequired: !shape.nullable && node.defaultValue === undefined,
      ownOnly,
    })
  }
  const lacking = template.names.find((name) => !variables.has(name))
  if (lacking !== undefined) {
    throw mistake(route, `the operation has no variable $${lacking} for {${lacking}}`)
  }
  return variables
}

function sourceOf(name: string, route: Route<never>, { names }: Template): VariableSource {
  if (names.includes(name)) return 'path'
  if (name === route.ifMatch) return 'version'
  if (!hasBody(route.method)) return 'query'
  return name === route.body ? 'body' : 'member'
}

type PlannedVariables = ReadonlyMap<string, PlannedVariable>

/**
 * Throws if a route refers to something that its operation does not have, or to a variable of an unsuitable
 * type.
 */
export function checkRules(route: Route<never>, variables: PlannedVariables): void {
  checkTexts(route, variables)
  checkVersion(route, variables)
  if (hasBody(route.method)) checkBody(route, variables)
  else checkBodiless(route)
  checkParameters(route, variables)
}

/** Checks that values of the path and the query can be written in a URL. */
function checkTexts(route: Route<never>, variables: PlannedVariables): void {
  for (const { name, source, named, isList, type } of variables.values()) {
    if (source !== 'path' && source !== 'query') continue
    if (isInputObject(named)) {
      throw mistake(route, `$${name} is an object, which cannot be sent in the ${source}`)
    }
    if (isList && (source === 'path' || String(type).startsWith('[['))) {
      throw mistake(route, `$${name} is a list, which cannot be sent in the ${source}`)
    }
  }
}

function checkVersion(route: Route<never>, variables: PlannedVariables): void {
  const { ifMatch, method } = route
  if (ifMatch === undefined) return
  const variable = variables.get(ifMatch)
  if (method === 'GET') throw mistake(route, 'ifMatch is for writes only: a GET compares ETags')
  if (variable?.source !== 'version') {
    throw mistake(route, `ifMatch: $${ifMatch} is not a separate variable of the operation`)
  }
  if (String(variable.type) !== 'Int') {
    throw mistake(route, `$${ifMatch} must be a nullable Int, since If-Match is optional`)
  }
}

function checkBody(route: Route<never>, variables: PlannedVariables): void {
  const { body, when, accepts = [] } = route
  const whole = body === undefined ? undefined : variables.get(body)
  if (body !== undefined && (whole?.source !== 'body' || !isWhole(whole))) {
    throw mistake(route, `body: $${body} is not a variable that takes a whole object`)
  }
  const type = whole?.named
  const fields = type !== undefined && isInputObject(type) ? Object.values(type.getFields()) : []
  const hidden = fields.find((field) => isRequired(field) && isTaken(field.name, variables))
  if (hidden !== undefined) {
    throw mistake(
      route,
      `the field "${hidden.name}" of $${body} can never be set, because $${hidden.name} takes that member`,
    )
  }
  const isKnown =
    when === undefined ||
    isTaken(when, variables) ||
    fields.some(({ name }) => name === when) ||
    (type !== undefined && !isInputObject(type))
  if (!isKnown) throw mistake(route, `when: bodies of this route have no member "${when}"`)
  const wrong = accepts.find((one) => parseMediaType(one) === undefined || /[;*A-Z]/.test(one))
  if (wrong !== undefined) {
    throw mistake(route, `accepts: ${JSON.stringify(wrong)} is not a media type in lower case`)
  }
}

function checkBodiless(route: Route<never>): void {
  const named = (['body', 'when', 'accepts'] as const).find((option) => route[option] !== undefined)
  if (named !== undefined)
    throw mistake(route, `a ${route.method} has no body, so ${named} does not apply`)
}

function checkParameters(route: Route<never>, variables: PlannedVariables): void {
  for (const [name, { minimum, maximum }] of Object.entries(route.parameters ?? {})) {
    const variable = variables.get(name)
    if (variable?.source !== 'query') {
      throw mistake(route, `parameters: "${name}" is not a query parameter`)
    }
    if (minimum === undefined && maximum === undefined) continue
    if (!['Int', 'Float'].includes(variable.named.name)) {
      throw mistake(route, `parameters: "${name}" is not a number, so it cannot have bounds`)
    }
    if (!((minimum ?? -Infinity) <= (maximum ?? Infinity))) {
      throw mistake(route, `parameters: the minimum of "${name}" is greater than its maximum`)
    }
  }
}

/** Whether a member of the body goes to a variable of its own, or repeats a value of the path. */
export function isTaken(name: string, variables: PlannedVariables): boolean {
  const source = variables.get(name)?.source
  return source === 'path' || source === 'member'
}

/** A custom scalar may accept any JSON. */
function isWhole({ named, isList }: PlannedVariable): boolean {
  const usual = ['Int', 'Float', 'String', 'Boolean', 'ID'].includes(named.name)
  return !isList && !usual && !('getValues' in named)
}

/** graphql 17 has the default value in `default`. */
function isRequired({ type, defaultValue, default: other }: GraphQLInputField): boolean {
  return !shapeOfType(type).nullable && defaultValue === undefined && other === undefined
}
