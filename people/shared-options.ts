import type { CorsOptions, Options } from 'graphwire'
import type { Logger } from 'pino'
import type { Access } from './access/access.js'
import { storeAway } from './access/authenticate.js'
import type { Principal } from './access/principal.js'
import type { ChangeFeed } from './feed/change-feed.js'
import type { RequestRecords } from './front/log.js'
import type { Metrics } from './front/metrics.js'
import { createIdempotency } from './idempotency.js'
import { createContext } from './schema/context.js'
import { createPeopleSchema } from './schema/create-schema.js'
import type { ServiceSettings } from './settings.js'
import type { Store } from './store/open-store.js'

export interface Parts {
  readonly settings: ServiceSettings
  readonly store: Store
  readonly access: Access
  readonly feed: ChangeFeed
  readonly records: RequestRecords
  readonly metrics: Metrics
  readonly logger: Logger
  readonly cors: CorsOptions | undefined
}

export type SharedOptions = ReturnType<typeof createSharedOptions>

/** The options that all surfaces share: authentication, limits, context and logging. */
export function createSharedOptions(parts: Parts) {
  const { settings, store, access, feed, records, metrics, logger, cors } = parts
  const idempotency = createIdempotency(parts)
  const { openStreams } = access
  return {
    schema: createPeopleSchema(),
    cors,
    trustedProxies: settings.trustedProxies,
    // The resolvers report limits above it.
    costMaxListSize: 100,
    async authenticate(head) {
      const who = await access.authenticate(head)
      if (who.ok) records.note(head, { key: who.value.key, login: who.value.login })
      return who
    },
    async admit(request) {
      records.note(request.head, { operation: request.operation.name?.value })
      // While the database is unavailable, whole requests are refused instead of field after field.
      return store.isAway() && !(await store.check()) ? storeAway : access.admit(request)
    },
    around: idempotency.around,
    context: (request) =>
      createContext(request, { store: idempotency.storesOf(request), feed, openStreams }),
    credentialExpiry: ({ expiresAt }) => expiresAt,
    recheck: access.recheck,
    // A revoked key ends its streams within five seconds.
    recheckInterval: 1_000,
    onStreamEnd(
      { field, operationName: operation, transport, cause, events, duration: ms },
      { head },
    ) {
      metrics.endedStreams.inc({ transport, cause })
      records.log('stream', head, { operation, field, transport, cause, events, ms })
    },
    onStuck(source) {
      metrics.stuckStreams.inc()
      logger.warn({ ...source }, 'stuck')
    },
    onBug: records.onBug,
  } satisfies Options<unknown, Principal>
}
