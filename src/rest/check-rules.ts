import { parseMediaType } from '../http/media-type.js'
import { hasBody } from './has-body.js'
import { mistake } from './mistake.js'
import type { PlannedVariable } from './plan-variables.js'
import type { Route } from './route.js'

type Variables = ReadonlyMap<string, PlannedVariable>

/** Throws where a route names what its operation does not have, or what cannot be filled as it says. */
export function checkRules(route: Route<never>, variables: Variables): void {
  checkTexts(route, variables)
  checkVersion(route, variables)
  if (hasBody(route.method)) checkBody(route, variables)
  else checkBodiless(route)
  checkParameters(route, variables)
}

/** What is written into a URL. */
function checkTexts(route: Route<never>, variables: Variables): void {
  for (const { name, source, named, isList, type } of variables.values()) {
    if (source !== 'path' && source !== 'query') continue
    if (isInputObject(named)) {
      throw mistake(route, `$${name} is an object, which the ${source} cannot hold`)
    }
    if (isList && (source === 'path' || String(type).startsWith('[['))) {
      throw mistake(route, `$${name} is a list, which the ${source} cannot hold`)
    }
  }
}

function checkVersion(route: Route<never>, variables: Variables): void {
  const { ifMatch, method } = route
  if (ifMatch === undefined) return
  const variable = variables.get(ifMatch)
  if (method === 'GET') throw mistake(route, 'ifMatch is for writes: a GET compares its ETag')
  if (variable?.source !== 'version') {
    throw mistake(route, `its ifMatch names $${ifMatch}, which is no variable of its own`)
  }
  if (String(variable.type) !== 'Int') {
    throw mistake(route, `$${ifMatch} must be an Int that may be left out, as If-Match may be`)
  }
}

function checkBody(route: Route<never>, variables: Variables): void {
  const { body, when, accepts = [] } = route
  const whole = body === undefined ? undefined : variables.get(body)
  if (body !== undefined && (whole?.source !== 'body' || !isWhole(whole))) {
    throw mistake(route, `its body names $${body}, which is no variable for a whole object`)
  }
  const fields = inputFieldsOf(whole?.named)
  const hidden = fields.find(({ name, isRequired }) => isRequired && isTaken(name, variables))
  if (hidden !== undefined) {
    throw mistake(
      route,
      `nothing can fill the field "${hidden.name}" of $${body}: $${hidden.name} takes it`,
    )
  }
  const isKnown =
    when === undefined ||
    isTaken(when, variables) ||
    fields.some(({ name }) => name === when) ||
    (whole !== undefined && !isInputObject(whole.named))
  if (!isKnown) throw mistake(route, `its when names "${when}", which its bodies do not have`)
  const wrong = accepts.find((type) => parseMediaType(type) === undefined || /[;*A-Z]/.test(type))
  if (wrong !== undefined) {
    throw mistake(route, `accepts: ${JSON.stringify(wrong)} is no media type in small letters`)
  }
}

function checkBodiless(route: Route<never>): void {
  const named = (['body', 'when', 'accepts'] as const).find((option) => route[option] !== undefined)
  if (named !== undefined) throw mistake(route, `a ${route.method} has no body, and no ${named}`)
}

function checkParameters(route: Route<never>, variables: Variables): void {
  for (const [name, { minimum, maximum }] of Object.entries(route.parameters ?? {})) {
    const variable = variables.get(name)
    if (variable?.source !== 'query') {
      throw mistake(route, `its parameters name "${name}", which is no parameter of the query`)
    }
    if (minimum === undefined && maximum === undefined) continue
    if (!['Int', 'Float'].includes(variable.named.name)) {
      throw mistake(route, `the parameter "${name}" is no number and has no bounds`)
    }
    if (!((minimum ?? -Infinity) <= (maximum ?? Infinity))) {
      throw mistake(route, `the bounds of the parameter "${name}" leave nothing between them`)
    }
  }
}

/** Whether a member of the body goes to a variable of its own, or says what the path says. */
function isTaken(name: string, variables: Variables): boolean {
  const source = variables.get(name)?.source
  return source === 'path' || source === 'member'
}

function isInputObject(type: unknown): boolean {
  return type !== null && typeof type === 'object' && 'getFields' in type
}

/** A scalar of the schema's own may take any JSON. */
function isWhole({ named, isList }: PlannedVariable): boolean {
  const usual = ['Int', 'Float', 'String', 'Boolean', 'ID'].includes(named.name)
  return !isList && !usual && !('getValues' in named)
}

interface InputField {
  readonly name: string
  readonly isRequired: boolean
}

function inputFieldsOf(type: unknown): readonly InputField[] {
  if (!isInputObject(type)) return []
  const fields = (type as { getFields(): { [name: string]: FieldDefinition } }).getFields()
  return Object.values(fields).map((field) => ({
    name: field.name,
    isRequired: String(field.type).endsWith('!') && !hasDefault(field),
  }))
}

interface FieldDefinition {
  readonly name: string
  readonly type: unknown
  readonly defaultValue?: unknown
  /** graphql 17's, beside the old one. */
  readonly default?: unknown
}

function hasDefault({ defaultValue, default: other }: FieldDefinition): boolean {
  return defaultValue !== undefined || other !== undefined
}
