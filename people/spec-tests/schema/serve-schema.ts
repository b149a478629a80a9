import type { IncomingMessage } from 'node:http'
import { createHandler, success, type Options } from 'graphwire'
import { testClient } from 'graphwire/testing'
import type { Principal } from '../../access/principal.js'
import { createContext, type ContextParts } from '../../schema/context.js'
import { createPeopleSchema } from '../../schema/create-schema.js'
import type { Store } from '../../store/store.js'

/** An error of an answer. */
interface ResponseError {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions: {
    readonly code: string
    readonly errors?: readonly { readonly path: readonly string[]; readonly message: string }[]
    readonly version?: number
    readonly retryAfter?: number
  }
}

// Tests reach into answers whose shape they have asked for.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

interface GraphQLResponse {
  readonly data?: Json
  readonly errors?: readonly ResponseError[]
}

export type Variables = { readonly [name: string]: unknown }

/** Asks the schema over a store. */
export type Ask = (
  query: string,
  variables?: Variables,
  more?: { readonly operationName?: string; readonly body?: string },
) => Promise<GraphQLResponse>

/** A principal that may do everything. */
export const writer: Principal = {
  scopes: new Set(['read', 'write']),
  key: 'test',
  keyLimit: undefined,
  login: undefined,
  expiresAt: undefined,
  address: '127.0.0.1',
  isKnown: true,
}

/** What resolvers use, without streams. */
export function partsOf(store: Store): ContextParts {
  const unused = undefined as never
  return { store, feed: unused, openStreams: unused }
}

/** Makes a client of the schema over a store, without a socket. */
export function serveSchema(
  store: Store,
  principal: Principal = writer,
  options: Partial<Options<IncomingMessage, Principal>> = {},
): Ask {
  const handler = createHandler<IncomingMessage, Principal>({
    schema: createPeopleSchema(),
    authenticate: () => success(principal),
    context: (request) => createContext(request, partsOf(store)),
    ...options,
  })
  const client = testClient(handler)
  return async (query, variables, { operationName, body } = {}) => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await client(
      body === undefined ? { json: { query, variables, operationName } } : { body, headers },
    )
    return response.json() as GraphQLResponse
  }
}
