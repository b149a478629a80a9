import type { IncomingMessage } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import {
  createRestHandler,
  type BugDetails,
  type Denial,
  type Handler,
  type Options,
} from 'graphwire'
import type { Logger } from 'pino'
import type { Access } from './access/access.js'
import { storeAway } from './access/authenticate.js'
import type { Principal } from './access/principal.js'
import type { RequestRecords } from './front/front.js'
import { peopleRoutes } from './routes.js'
import { createContext } from './schema/context.js'
import { createPeopleSchema } from './schema/create-schema.js'
import type { Store } from './store/store.js'

/** The options that both surfaces share: authentication, limits, context and logging. */
export interface SharedOptions extends Options<IncomingMessage, Principal> {
  readonly schema: GraphQLSchema
  readonly onBug: (bug: unknown, details: BugDetails) => void
}

/** The parts that the options are made of. */
interface SurfaceParts {
  readonly store: Store
  readonly access: Access
  readonly records: RequestRecords
  readonly logger: Logger
}

export function createSharedOptions(parts: SurfaceParts): SharedOptions {
  const { store, access, records, logger } = parts
  const refuseWhileAway = createAwayCheck(store)
  return {
    schema: createPeopleSchema(),
    // The resolvers report limits above it.
    costMaxListSize: 100,
    async authenticate(head) {
      const who = await access.authenticate(head)
      const record = records.of(head)
      if (who.ok && record !== undefined) {
        record.key = who.value.key
        record.login = who.value.login
      }
      return who
    },
    async admit(request) {
      const record = records.of(request.head)
      if (record !== undefined) record.operation = request.operation.name?.value
      return (await refuseWhileAway()) ?? access.admit(request)
    },
    context: (request) => createContext(request, store),
    onBug: (bug, { id, ...where }) => logger.error({ bug: id, ...where, err: bug }, 'bug'),
  }
}

/** The resource-style endpoints, with the same schema, checks and limits as GraphQL. */
export function createResources(
  shared: SharedOptions,
  { access, records }: Pick<SurfaceParts, 'access' | 'records'>,
): Handler<IncomingMessage> {
  return createRestHandler({
    ...shared,
    onRoute(path, head) {
      const record = records.of(head)
      if (record !== undefined) record.route = path
    },
    routes: peopleRoutes,
    methodOverride: true,
    challenge: 'Bearer realm="people", ApiKey realm="people"',
    authorize: ({ route, principal }) =>
      route.method === 'GET' ? undefined : access.requires(principal, 'write'),
  })
}

/**
 * Refuses whole requests while the database is unavailable, instead of failing field by field. Requests that
 * come in meanwhile share one check of the database.
 */
export function createAwayCheck(store: Store): () => Promise<Denial | undefined> {
  let check: Promise<boolean> | undefined
  return async () => {
    if (!store.isAway) return undefined
    check ??= store.check().finally(() => {
      check = undefined
    })
    return (await check) ? undefined : storeAway
  }
}
