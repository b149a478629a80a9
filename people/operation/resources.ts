import type { IncomingMessage } from 'node:http'
import { createRestHandler, type Handler } from 'graphwire'
import type { Access } from '../access/access.js'
import { peopleRoutes } from '../routes.js'
import type { SharedOptions } from './shared-options.js'

/** The resource-style endpoints: the same schema, checks and counts as GraphQL, as routes. */
export function createResources(shared: SharedOptions, access: Access): Handler<IncomingMessage> {
  return createRestHandler({
    ...shared,
    routes: peopleRoutes,
    methodOverride: true,
    challenge: 'Bearer realm="people", ApiKey realm="people"',
    authorize: ({ route, principal }) =>
      route.method === 'GET' ? undefined : access.requires(principal, 'write'),
  })
}
