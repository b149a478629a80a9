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
import { createAnnouncer } from './feed/announcer.js'
import { ChangeFeed } from './feed/change-feed.js'
import { chooseWay } from './feed/transports.js'
import { createFront, RequestRecords } from './front/front.js'
import { logOperation, logRequest, type Log } from './front/log.js'
import { createMetrics, type Metrics } from './front/metrics.js'
import { readVersion, serveApiDescription, serveMetrics } from './pages.js'
import { startHousekeeping } from './housekeeping.js'
import { createResources, createTools } from './routes.js'
import type { ServiceSettings } from './settings.js'
import { createBugLog, createSharedOptions, type SharedOptions } from './shared-options.js'
import { openStore } from './store/open-store.js'
import type { Store } from './store/store.js'
import { serveWebPages } from './web-pages.js'

/** The service, as it runs. */
export interface Service {
  readonly origin: string
  readonly store: Store
  close(): Promise<CloseReport>
}

/** Root fields per minute for clients without a limit of their own. */
const usualLimits = { perKey: 600, perAddress: 1_200 }

/** Opens the database, connects the parts and listens. If a part fails, whatever was opened is closed. */
export async function startService(settings: ServiceSettings, { logger }: Log): Promise<Service> {
  checkTogether(settings)
  const opened: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).toReversed()) await one()
  }
  try {
    const records = new RequestRecords()
    const metrics = createMetrics(records)
    opened.push(() => metrics.close())
    const store = await openStore({
      database: settings.database,
      keptKeys: settings.keysPerPrincipal,
      onStatement: (sql, milliseconds) => metrics.onStatement(sql, milliseconds),
    })
    opened.push(() => store.close())
    if (settings.seed) await store.seed()
    const onFault = (fault: unknown): void => logger.warn({ err: fault }, 'fault')
    const onBug = createBugLog(records, logger)
    const access = await openAccess(settings, store, { onFault, onBug })
    opened.push(() => access.close())
    const feed = await openFeed({ settings, store, metrics, onFault })
    opened.push(() => feed.close())
    const { auditDays, trustedProxies } = settings
    const housekeeping = startHousekeeping({ store, auditDays, metrics, onFault })
    opened.push(() => housekeeping.close())

    const shared = createSharedOptions({
      store,
      access,
      feed: feed.changes,
      records,
      metrics,
      logger,
      isAudited: auditDays > 0,
      cors: corsOf(settings),
      trustedProxies,
    })
    const { front, sockets } = assemble({ settings, records, metrics, access, logger, shared })
    const listening = await listen(toNodeListener(front, { onBug: shared.onBug, trustedProxies }), {
      port: settings.port,
      host: settings.host,
      ready: () => store.check(),
      sockets,
      onBug: shared.onBug,
    })
    return {
      origin: listening.origin,
      store,
      close: async () => {
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

/** The parts of the service. */
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
      metrics.requests.count(head, record, status)
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
    onBegin: () => metrics.requests.begun(),
    onEnd({ head, record, status, isTraced }) {
      metrics.requests.ended()
      logRequest(logger, head, record, status)
      if (!isTraced) metrics.requests.count(head, record, status)
    },
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

function corsOf({ corsOrigins: origins, corsMaxAge: maxAge }: ServiceSettings): Cors {
  return origins && { origins, maxAge, exposedHeaders }
}

type Cors = SharedOptions['cors']

/** Checks that concern several settings. */
function checkTogether({ isProduction, jwtKey }: ServiceSettings): void {
  if (!isProduction || jwtKey !== undefined) return
  throw new ConfigurationError(
    'JWT_KEY must be set in production, so that tokens stay valid after a restart and on other instances. ' +
      'Generate one with: node -p "crypto.randomBytes(32).toString(\'base64url\')".',
  )
}

function openAccess(
  settings: ServiceSettings,
  store: Store,
  reports: Pick<AccessOptions, 'onFault' | 'onBug'>,
): Promise<Access> {
  const { auth: mode, rateLimit, redisUrl, jwtKey, trustedProxies } = settings
  const { streamsPerKey: perKey, streamsPerAddress: perAddress } = settings
  return createAccess({
    store,
    mode,
    rateLimit:
      typeof rateLimit === 'number'
        ? { perKey: rateLimit, perAddress: rateLimit }
        : (rateLimit ?? usualLimits),
    streamLimits: { perKey, perAddress },
    redisUrl,
    jwtKey,
    trustedProxies,
    cors: corsOf(settings),
    ...reports,
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
    onDelivered: () => metrics.streams.delivered(),
    onSkipped: (count) => metrics.streams.skipped(count),
    onFault,
  })
  const way = chooseWay(settings)
  const announcer = way && createAnnouncer({ way, onNews: () => changes.wake(), onFault })
  if (announcer !== undefined) store.changes.listen(() => announcer.announce())
  return {
    changes,
    async close() {
      changes.close()
      await announcer?.close()
    },
  }
}
