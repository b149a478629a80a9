import type { IncomingMessage } from 'node:http'
import { createRestHandler, success } from 'graphwire'
import { listen, toNodeListener } from 'graphwire/node'
import type { Test } from 'tap'
import type { Principal } from '../../access/principal.js'
import { peopleRoutes } from '../../routes.js'
import { createContext, type Context } from '../../schema/context.js'
import { createPeopleSchema } from '../../schema/create-schema.js'
import type { Store } from '../../store/store.js'
import { partsOf, writer, type Json } from './serve-schema.js'

/** What a client receives. */
interface RouteResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Json
}

/** Sends a request over a socket; a body makes it JSON. */
export type Send = (
  line: `${'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`,
  body?: unknown,
  headers?: { readonly [name: string]: string },
) => Promise<RouteResponse>

/** Serves the routes over a store until the test ends. */
export async function serveRoutes(
  t: Test,
  store: Store,
  principal: Principal = writer,
): Promise<Send> {
  const handler = createRestHandler<IncomingMessage, Principal, Context>({
    schema: createPeopleSchema(),
    routes: peopleRoutes,
    methodOverride: true,
    authenticate: () => success(principal),
    context: (request) => createContext(request, partsOf(store)),
  })
  const { origin, close } = await listen(toNodeListener(handler), { port: 0, host: '127.0.0.1' })
  t.teardown(() => close({ grace: 0 }))
  return async (line, body, headers = {}) => {
    const [method = '', target = ''] = line.split(' ')
    const response = await fetch(origin + target, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
}
