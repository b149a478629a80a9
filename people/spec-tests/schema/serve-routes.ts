import type { IncomingMessage } from 'node:http'
import { createRestHandler } from '@graphwire/rest'
import { success } from 'graphwire'
import { testClient } from 'graphwire/testing'
import type { Principal } from '../../access/principal.js'
import { peopleRoutes } from '../../routes.js'
import { createContext, type Context } from '../../schema/context.js'
import { createPeopleSchema } from '../../schema/create-schema.js'
import type { Store } from '../../store/open-store.js'
import { partsOf, writer, type Json } from './serve-schema.js'

type Line = `${'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

/** Sends a request; a body makes it JSON. */
export type Send = ReturnType<typeof serveRoutes>

/** Serves the routes over a store, without a socket. */
export function serveRoutes(store: Store, principal: Principal = writer) {
  const handler = createRestHandler<IncomingMessage, Principal, Context>({
    schema: createPeopleSchema(),
    routes: peopleRoutes,
    methodOverride: true,
    authenticate: () => success(principal),
    context: (request) => createContext(request, partsOf(store)),
  })
  const client = testClient(handler)
  return async (line: Line, body?: unknown, more?: { readonly [name: string]: string }) => {
    const [method = '', target = ''] = line.split(' ')
    const headers = { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...more }
    const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
    const answer = await client({ method, target, headers, body: text })
    const { status, headers: fields } = answer
    return { status, headers: fields, body: answer.body === '' ? undefined : answer.json<Json>() }
  }
}
