import type { HeaderRecord } from 'graphwire/http'
import {
  listOf,
  objectOf,
  recordOf,
  required,
  type Shape,
  aBoolean,
  aFiniteNumber,
  aFunction,
  aString,
  names,
  oneOf,
} from 'graphwire/base'

/** The methods of routes. HEAD is served wherever GET is, and OPTIONS everywhere. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * A resource-style endpoint: a method, a path template, and a GraphQL operation with one root field, whose
 * value is the response. The variables of the operation are filled by name: from the path, from the body
 * (the variable named by `body` gets all members that no other variable takes), or from the query if the
 * method has no body.
 */
export interface Route<Context = unknown> {
  readonly method: RouteMethod
  /** A template such as '/person/{id}'. */
  readonly path: string
  /** A document with one operation and one root field. */
  readonly operation: string
  /** Whether the operation is a subscription, whose events are sent as text/event-stream. Only for GET. Default: false. */
  readonly stream?: boolean
  /** The variable that gets the whole body, except for members that other variables take. */
  readonly body?: string
  /** Use this route only for bodies with this member; routes with the same method and path are tried in order. */
  readonly when?: string
  /** The variable that gets the version in `If-Match`, or null for `*`; an error with the code CONFLICT is then 412. */
  readonly ifMatch?: string
  /**
   * The field whose value becomes the ETag and is omitted from the response. Default: a digest of the
   * response.
   */
  readonly version?: string
  /** The status of a success; 204 has no body. Default: 200. */
  readonly status?: 200 | 201 | 202 | 204
  /** Template of the `Location` header, filled from the value: '/person/{id}'. */
  readonly location?: string
  /** Accepted media types of bodies, in addition to application/json. */
  readonly accepts?: readonly string[]
  /** Error message if the root field is null. Default: 'Not found.' */
  readonly absent?: string
  /** Rules for query parameters, beyond their type; also part of the API description. */
  readonly parameters?: { readonly [name: string]: ParameterRule }
  /** Additional headers of a success. */
  headers?(value: unknown, facts: RouteFacts<Context>): HeaderRecord | undefined
  /** Descriptions of these headers by name, for the API description. */
  readonly headerDescriptions?: { readonly [name: string]: string }
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
}

/** The bounds and the description of a parameter. */
export interface ParameterRule {
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** The rule of a parameter, looked up among own members only. */
export function ruleOf({ parameters = {} }: Route<never>, name: string): ParameterRule | undefined {
  return Object.hasOwn(parameters, name) ? parameters[name] : undefined
}

/** The argument of a route's functions. */
export interface RouteFacts<Context = unknown> {
  /** As resolvers get them: coerced, and with the defaults of the operation. */
  readonly variables: { readonly [name: string]: unknown }
  /** The value that the `context` option returned. */
  readonly context: Context
  readonly target: string
}

/** All methods, in the order in which they are listed. */
export const routeMethods: readonly RouteMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Whether the body of a request is read; that of a DELETE is ignored. */
export function hasBody(method: string): boolean {
  return method !== 'GET' && method !== 'DELETE'
}

/** The error of a misconfigured route: which route it is, and what is wrong. */
export function mistake({ method, path }: Route<never>, what: string): TypeError {
  return new TypeError(`Route ${method} ${path}: ${what.replace(/\.?$/, '.')}`)
}

const statuses: readonly NonNullable<Route['status']>[] = [200, 201, 202, 204]

const ruleShape = objectOf<ParameterRule>('{ minimum: 1 }', {
  description: aString,
  minimum: aFiniteNumber,
  maximum: aFiniteNumber,
})

/** The valid values of each member of a route. A member without a row does not compile. */
const routeShape = objectOf<Route>('{ method, path, operation }', {
  method: required(oneOf(routeMethods)),
  path: required(aString),
  operation: required(aString),
  stream: aBoolean,
  body: aString,
  when: aString,
  ifMatch: aString,
  version: aString,
  status: oneOf(statuses),
  location: aString,
  accepts: names,
  absent: aString,
  parameters: recordOf('{ limit: { minimum: 1 } }', ruleShape),
  headers: aFunction,
  headerDescriptions: recordOf('{ Link: "..." }', aString),
  summary: aString,
  description: aString,
  tags: names,
})

export const routesShape: Shape = {
  ...listOf('a list of at least one route', routeShape),
  fits: (value) => Array.isArray(value) && value.length > 0,
}
