import type { IncomingMessage } from 'node:http'
import { createHandler, success, type Options } from 'graphwire'
import { testClient } from 'graphwire/testing'
import type { Principal } from '../../access/principal.js'
import { createContext, type ContextParts } from '../../schema/context.js'
import { createPeopleSchema } from '../../schema/create-schema.js'
import type { Store } from '../../store/open-store.js'

// Tests reach into answers whose shape they have asked for.
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any

export type Variables = { readonly [name: string]: unknown }

/** A principal that may do everything. */
export const writer: Principal = {
  scopes: new Set(['read', 'write']),
  key: 'test',
  address: '127.0.0.1',
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
) {
  const handler = createHandler<IncomingMessage, Principal>({
    schema: createPeopleSchema(),
    authenticate: () => success(principal),
    context: (request) => createContext(request, partsOf(store)),
    ...options,
  })
  const client = testClient(handler)
  return async (query: string, variables?: Variables): Promise<Json> =>
    (await client({ json: { query, variables } })).json()
}
