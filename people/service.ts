import type { IncomingMessage } from 'node:http'
import { createHandler, traceRequests, type Handler } from 'graphwire'
import { listen, toNodeListener, type CloseReport } from 'graphwire/node'
import type { Logger } from 'pino'
import { createAccess, type Access } from './access/access.js'
import { ConfigurationError } from './access/configuration-error.js'
import { createFront, RequestRecords } from './front/front.js'
import { logRequest, type Log } from './front/log.js'
import { createMetrics, type Metrics } from './front/metrics.js'
import { answerApiDescription, answerIndex, answerMetrics } from './pages.js'
import type { ServiceSettings } from './settings.js'
import { openStore } from './store/open-store.js'
import type { Store } from './store/store.js'
import { createResources, createSharedOptions, type SharedOptions } from './surfaces.js'

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
      onStatement: (sql, milliseconds) => metrics.onStatement(sql, milliseconds),
    })
    opened.push(() => store.close())
    if (settings.seed) await store.seed()
    const access = await openAccess(settings, store, (fault) =>
      logger.warn({ err: fault }, 'fault'),
    )
    opened.push(() => access.close())

    const shared = createSharedOptions({ store, access, records, logger })
    const front = assemble({ settings, records, metrics, access, logger, shared })
    const listening = await listen(toNodeListener(front, { onBug: shared.onBug }), {
      port: settings.port,
      host: settings.host,
      ready: () => store.check(),
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

function assemble(parts: Parts): Handler<IncomingMessage> {
  const { settings, records, metrics, access, logger, shared } = parts
  const introspection = !settings.isProduction
  return createFront({
    records,
    byPath: {
      '/graphql': createHandler({
        ...shared,
        path: '/graphql',
        introspection,
        credentialsFirst: true,
      }),
      '/login': traceRequests(access.login),
      '/': answerIndex(),
      '/openapi.json': answerApiDescription(shared.schema),
      '/metrics': answerMetrics(metrics, settings.metricsToken),
    },
    resources: createResources(shared, { access, records }),
    onEnd({ head, record, status, isTraced }) {
      logRequest(logger, head, record, status)
      if (!isTraced) metrics.count(head, record, status)
    },
    onBug: shared.onBug,
  })
}

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
  onFault: (fault: unknown) => void,
): Promise<Access> {
  const { auth: mode, rateLimit, redisUrl, jwtKey, trustedProxies } = settings
  return createAccess({
    store,
    mode,
    rateLimit:
      typeof rateLimit === 'number'
        ? { perKey: rateLimit, perAddress: rateLimit }
        : (rateLimit ?? usualLimits),
    redisUrl,
    jwtKey,
    trustedProxies,
    onFault,
  })
}
