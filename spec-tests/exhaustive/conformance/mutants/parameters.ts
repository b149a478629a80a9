import type { DefectName, Has } from './defects.js'

/** The parameters of a GraphQL request, checked. */
export interface Parameters {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: Readonly<Record<string, unknown>>
}

/** Why a request is none, with the status for it. */
export class BadRequest extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Checks what a body or a URL held. */
export function checkParameters(given: unknown, has: Has): Parameters {
  const body = has('array-for-a-body-accepted') && Array.isArray(given) ? given[0] : given
  if (!isMap(body)) throw malformed('The request is no map.', has)
  // A plain assignment of `__proto__` makes its value the prototype.
  const map = has('prototype-lookup-of-parameters') ? Object.assign({}, body) : body
  const read = (name: string): unknown =>
    has('prototype-lookup-of-parameters') || Object.hasOwn(map, name) ? map[name] : undefined
  const { query, operationName, variables } = {
    query: read('query'),
    operationName: optional(read('operationName'), 'null-operation-name-refused', has),
    variables: optional(read('variables'), 'null-variables-refused', has),
  }
  const extensions = optional(read('extensions'), 'null-extensions-refused', has)
  checkNames(Object.keys(map), has)
  if (typeof query !== 'string' && !(query !== undefined && has('query-of-any-type-accepted'))) {
    throw malformed('query is no string.', has)
  }
  if (typeof operationName !== 'string' && operationName !== undefined) {
    if (!has('operation-name-of-any-type-accepted')) throw malformed('operationName.', has)
  }
  if (extensions !== undefined && has('extensions-refused')) throw malformed('extensions.', has)
  if (extensions !== undefined && !isMap(extensions) && !has('extensions-of-any-type-accepted')) {
    throw malformed('extensions is no map.', has)
  }
  return {
    query: typeof query === 'string' ? query : '{ __typename }',
    operationName: typeof operationName === 'string' ? operationName : undefined,
    variables: checkVariables(variables, has),
  }
}

function checkVariables(given: unknown, has: Has): Readonly<Record<string, unknown>> {
  if (given === undefined) return {}
  if (typeof given === 'string' && has('variables-as-a-string-accepted')) return {}
  if (Array.isArray(given) && has('variables-as-a-list-accepted')) return {}
  if (!isMap(given)) throw malformed('variables is no map.', has)
  return given
}

const known = new Set(['query', 'operationName', 'variables', 'extensions'])

function checkNames(names: readonly string[], has: Has): void {
  if (has('unknown-properties-refused') && names.some((name) => !known.has(name))) {
    throw malformed('An unknown property.', has)
  }
}

/** null equals a missing parameter. */
function optional(value: unknown, refusal: DefectName, has: Has): unknown {
  if (value !== null) return value
  if (has(refusal)) throw malformed('null.', has)
  return undefined
}

function malformed(message: string, has: Has): BadRequest {
  if (has('malformed-request-200')) return new BadRequest(200, message)
  return new BadRequest(has('malformed-request-400') ? 400 : 422, message)
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
