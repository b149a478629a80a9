import type { HeaderRecord } from '../http/response-headers.js'

/** The methods that a route can have. HEAD is served wherever GET is, and OPTIONS everywhere. */
export type RouteMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * A resource-style endpoint: an HTTP template and a GraphQL operation with one root field, whose value
 * is the answer. The operation's variables are filled by name: from the path, from the body (`body`
 * takes all of it that no other variable takes), or, of a method without a body, from the query.
 */
export interface Route<Context = unknown> {
  readonly method: RouteMethod
  /** A template such as '/person/{id}'. */
  readonly path: string
  /** The document: one operation, one root field. */
  readonly operation: string
  /** The variable that takes the whole body, less the members that other variables take. */
  readonly body?: string
  /** Only for bodies that have this member; routes of one method and path are tried in order. */
  readonly when?: string
  /** The variable that takes the version which `If-Match` names; an error CONFLICT is then 412. */
  readonly ifMatch?: string
  /** The field of the value that makes its ETag and is left out of the answer. Default: a digest of the answer. */
  readonly version?: string
  /** The status of success. Default: 200. */
  readonly status?: 200 | 201
  /** Filled from the value for the `Location` header: '/person/{id}'. */
  readonly location?: string
  /** Media types of bodies beside application/json. */
  readonly accepts?: readonly string[]
  /** What a null root field means. Default: 'Nothing is here.' */
  readonly absent?: string
  /** What query parameters may be, beyond their type; told by the API description too. */
  readonly parameters?: { readonly [name: string]: ParameterRule }
  /** More headers for a success. */
  headers?(value: unknown, facts: RouteFacts<Context>): HeaderRecord | undefined
  /** What those headers are for, by name, for the API description. */
  readonly headerDescriptions?: { readonly [name: string]: string }
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
}

/** The bounds of a parameter and what it is for. */
export interface ParameterRule {
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** What a route's functions know of the request. */
export interface RouteFacts<Context = unknown> {
  readonly variables: { readonly [name: string]: unknown }
  /** The value that the option `context` made. */
  readonly context: Context
  /** The path and query of the request. */
  readonly target: string
}
