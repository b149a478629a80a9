import type { IncomingMessage } from 'node:http'
import type { GraphQLSchema } from 'graphql'
import type { BugDetails, Options } from 'graphwire'
import type { Logger } from 'pino'
import type { Access } from '../access/access.js'
import type { Principal } from '../access/principal.js'
import { createContext } from '../schema/context.js'
import { createPeopleSchema } from '../schema/create-schema.js'
import type { Store } from '../store/store.js'
import { createAwayCheck } from './refuse-while-away.js'
import type { RequestRecords } from './request-record.js'

/** What both surfaces have in common: who may ask, what is counted, what resolvers get, what is logged. */
export interface SharedOptions extends Options<IncomingMessage, Principal> {
  readonly schema: GraphQLSchema
  readonly onBug: (bug: unknown, details: BugDetails) => void
}

/** The parts that the options are made of. */
export interface SharedParts {
  readonly store: Store
  readonly access: Access
  readonly records: RequestRecords
  readonly logger: Logger
}

/** Makes the options of the handler of GraphQL and of that of the resources. */
export function createSharedOptions(parts: SharedParts): SharedOptions {
  const { store, access, records, logger } = parts
  const refuseWhileAway = createAwayCheck(store)
  return {
    schema: createPeopleSchema(),
    // Beyond it the resolvers say what is wrong with a limit.
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
