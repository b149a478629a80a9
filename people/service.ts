import type { IncomingMessage } from 'node:http'
import { createIde } from '@graphwire/ide'
import { createEndpoint, pathOf, type Handler } from 'graphwire'
import { compiledExecution } from 'graphwire/compiled'
import { listen, toNodeListener, type CloseReport } from 'graphwire/node'
import { createWebSocketHost, type WebSocketHost } from 'graphwire/websocket'
import type { Logger } from 'pino'
import { createAccess, type Access, type AccessOptions } from './access/access.js'
import { ConfigurationError } from './access/configuration-error.js'
import type { Principal } from './access/principal.js'
import { createAnnouncer } from './feed/announce.js'
import { ChangeFeed } from './feed/change-feed.js'
import { createFront } from './front/front.js'
import { RequestRecords } from './front/records.js'
import { logOperation, logRequest, type Log } from './front/log.js'
import { createMetrics, type Metrics } from './front/metrics.js'
import { readVersion, serveApiDescription, serveMetrics } from './pages.js'
import { startHousekeeping } from './housekeeping.js'
import { createResources, createTools } from './routes.js'
import type { ServiceSettings } from './settings.js'
import { createBugLog, createSharedOptions, type SharedOptions } from './shared-options.js'
import { openStore, type Store } from './store/open-store.js'
import { serveWebPages } from './web-pages.js'

/** The service, as it runs. */
export interface Service {
  readonly origin: string
  readonly store: Store
  close(): Promise<CloseReport>
}

/** Opens the database, connects the parts and listens. If a part fails, whatever was opened is closed. */
export async function startService(settings: ServiceSettings, { logger }: Log): Promise<Service> {
  checkTogether(settings)
  const opened: { close(): unknown }[] = []
  const open = <Part extends { close(): unknown }>(part: Part): Part => {
    opened.push(part)
    return part
  }
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).toReversed()) await one.close()
  }
  try {
    const records = new RequestRecords()
    const metrics = open(createMetrics(records))
    const store = open(
      await openStore({
        database: settings.database,
        keptKeys: settings.keysPerPrincipal,
        onStatement: (_sql, ms) => metrics.time('people_statement_duration_seconds', ms),
      }),
    )
    if (settings.seed) await store.seed()
    const onFault = (fault: unknown): void => logger.warn({ err: fault }, 'fault')
    const onBug = createBugLog(records, logger)
    const cors = corsOf(settings)
    const access = open(await openAccess(settings, { store, cors, onFault, onBug }))
    const feed = open(await openFeed({ settings, store, metrics, onFault }))
    const { auditDays, trustedProxies, host, port } = settings
    open(startHousekeeping({ store, auditDays, metrics, onFault }))
    const shared = createSharedOptions({
      store,
      access,
      feed: feed.changes,
      records,
      metrics,
      logger,
      isAudited: auditDays > 0,
      cors,
      trustedProxies,
    })
    const { front, sockets } = assemble({ settings, records, metrics, access, logger, shared })
    const listener = toNodeListener(front, { onBug, trustedProxies })
    const ready = (): Promise<boolean> => store.check()
    const listening = await listen(listener, { port, host, ready, sockets, onBug })
    return {
      origin: listening.origin,
      store,
      async close() {
        const report = await listening.close()
        await close()
        return report
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

interface Parts {
  readonly settings: ServiceSettings
  readonly records: RequestRecords
  readonly metrics: Metrics
  readonly access: Access
  readonly logger: Logger
  readonly shared: SharedOptions
}

/** What serves requests, and what serves WebSockets. */
interface Assembled {
  readonly front: Handler<IncomingMessage>
  readonly sockets: WebSocketHost
}

function assemble(parts: Parts): Assembled {
  const { settings, records, metrics, access, logger, shared } = parts
  const path = '/graphql'
  const endpoint = createEndpoint<IncomingMessage, Principal>({
    ...shared,
    path,
    execution: compiledExecution(),
    introspection: !settings.isProduction,
    ide: settings.ide === 'on' ? createIde() : undefined,
    credentialsFirst: true,
    onResult({ head }, result) {
      if (result.transport === 'websocket') logOperation(logger, result, records.of(head))
    },
    onHandshake(head, { status }) {
      const record = records.begin(head)
      record.route = pathOf(head.target) === path ? path : undefined
      logRequest(logger, head, record, status)
      metrics.countRequest(head, record, status)
    },
  })
  metrics.countSockets(() => endpoint.stats().sockets)
  const front = createFront({
    records,
    byPath: {
      [path]: endpoint.handler,
      '/mcp': createTools(shared, readVersion()),
      '/login': access.login,
      '/openapi.json': serveApiDescription(shared.schema),
      '/metrics': serveMetrics(metrics, settings.metricsToken),
      ...serveWebPages({ auth: settings.auth, hasIde: settings.ide === 'on' }),
    },
    resources: createResources(shared, { access, records }),
    metrics,
    logger,
    onBug: shared.onBug,
  })
  return { front, sockets: createWebSocketHost(endpoint) }
}

/** Headers of responses that pages of other origins need. */
const exposedHeaders = [
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
]

function corsOf({
  corsOrigins: origins,
  corsMaxAge: maxAge,
}: ServiceSettings): SharedOptions['cors'] {
  return origins && { origins, maxAge, exposedHeaders }
}

/** Checks that concern several settings. */
function checkTogether({ isProduction, jwtKey }: ServiceSettings): void {
  if (!isProduction || jwtKey !== undefined) return
  throw new ConfigurationError(
    'JWT_KEY must be set in production, so that tokens stay valid after a restart and on other instances. ' +
      'Generate one with: node -p "crypto.randomBytes(32).toString(\'base64url\')".',
  )
}

/** Root fields per minute for clients without a limit of their own. */
const usualLimits = { perKey: 600, perAddress: 1_200 }

function openAccess(
  settings: ServiceSettings,
  parts: Pick<AccessOptions, 'store' | 'cors' | 'onFault' | 'onBug'>,
): Promise<Access> {
  const { auth: mode, rateLimit = usualLimits, redisUrl, jwtKey, trustedProxies } = settings
  const { streamsPerKey: perKey, streamsPerAddress: perAddress } = settings
  return createAccess({
    ...parts,
    mode,
    rateLimit:
      typeof rateLimit === 'number' ? { perKey: rateLimit, perAddress: rateLimit } : rateLimit,
    streamLimits: { perKey, perAddress },
    redisUrl,
    jwtKey,
    trustedProxies,
  })
}

interface FeedParts {
  readonly settings: ServiceSettings
  readonly store: Store
  readonly metrics: Metrics
  readonly onFault: (fault: unknown) => void
}

/** How often changes of other instances are looked for, whether they are announced or not, in milliseconds. */
const pollEvery = 1_000

/** The changes of this instance and of the others. */
async function openFeed({ settings, store, metrics, onFault }: FeedParts): Promise<{
  readonly changes: ChangeFeed
  close(): Promise<void>
}> {
  const changes = await ChangeFeed.open({
    changes: store.changes,
    // Only this process sees a database in memory.
    pollEvery: settings.database === ':memory:' ? undefined : pollEvery,
    onDelivered: (count) => metrics.count('people_stream_events_delivered_total', {}, count),
    onSkipped: (count) => metrics.count('people_stream_events_dropped_total', {}, count),
    onFault,
  })
  const announcer = createAnnouncer(settings, () => changes.wake(), onFault)
  if (announcer !== undefined) store.changes.listen(() => announcer.announce())
  return {
    changes,
    async close() {
      changes.close()
      await announcer?.close()
    },
  }
}
