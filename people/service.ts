import { createIde } from '@graphwire/ide'
import { createEndpoint, pathOf } from 'graphwire'
import { compiledExecution } from 'graphwire/compiled'
import { listen, toNodeListener, type CloseReport } from 'graphwire/node'
import { createWebSocketHost } from 'graphwire/websocket'
import { ConfigurationError, createAccess } from './access/access.js'
import type { Principal } from './access/principal.js'
import { createAnnouncer } from './feed/announce.js'
import { ChangeFeed } from './feed/change-feed.js'
import { createFront, endRequest } from './front/front.js'
import { createRecords } from './front/log.js'
import { createMetrics } from './front/metrics.js'
import { createLogin } from './login.js'
import { readVersion, serveApiDescription, serveMetrics } from './pages.js'
import { createResources, createTools } from './routes.js'
import type { ServiceSettings } from './settings.js'
import { createSharedOptions, type Parts } from './shared-options.js'
import { openStore, type Store } from './store/open-store.js'
import { createWebPages } from './web-pages.js'

export type Service = Awaited<ReturnType<typeof startService>>

/** Opens the database, connects the parts and listens. If a part fails, whatever was opened is closed. */
export async function startService(settings: ServiceSettings, { logger }: Pick<Parts, 'logger'>) {
  if (settings.isProduction && settings.jwtKey === undefined) throw new ConfigurationError(noKey)
  const opened: { close(): unknown }[] = []
  const open = <Part extends { close(): unknown }>(part: Part): Part => {
    opened.push(part)
    return part
  }
  const close = async (): Promise<void> => {
    for (const one of opened.splice(0).toReversed()) await one.close()
  }
  try {
    const records = createRecords(logger)
    const metrics = open(createMetrics(records))
    const store = open(
      await openStore({
        database: settings.database,
        keptKeys: settings.keysPerPrincipal,
        onStatement: (_sql, ms) => metrics.statementSeconds.observe(ms / 1_000),
      }),
    )
    if (settings.seed) await store.seed()
    const onFault = (fault: unknown): void => logger.warn({ err: fault }, 'fault')
    const { onBug } = records
    const { auditDays, trustedProxies, host, port, corsOrigins: origins } = settings
    const cors = origins && { origins, maxAge: settings.corsMaxAge, exposedHeaders }
    const access = open(await createAccess({ ...settings, store, onFault }))
    const reading = {
      changes: store.changes,
      pollEvery: 1_000,
      onDelivered: (count: number) => metrics.deliveredEvents.inc(count),
      onSkipped: (count: number) => metrics.droppedEvents.inc(count),
      onFault,
    }
    const feed = new ChangeFeed(reading, await store.changes.last())
    const places = { ...settings, redis: access.redis }
    open(createAnnouncer(places, store.changes, () => feed.wake(), onFault))
    open(feed)
    const count = (table: string, rows: number): void => metrics.sweptRows.inc({ table }, rows)
    open(repeat(() => sweep(store, auditDays, count), { pause: 60_000, soon: 1_000 }, onFault))
    const parts = { settings, store, access, feed, records, metrics, logger, cors }
    const { front, sockets } = assemble(parts)
    const listener = toNodeListener(front, { onBug, trustedProxies })
    const ready = (): Promise<boolean> => store.check()
    const listening = await listen(listener, { port, host, ready, sockets, onBug })
    return {
      origin: listening.origin,
      store,
      async close(): Promise<CloseReport> {
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

function assemble(parts: Parts) {
  const { settings, records, metrics, access } = parts
  const shared = createSharedOptions(parts)
  const { cors, onBug, trustedProxies } = shared
  const path = '/graphql'
  const ide = createIde({ title: 'People', headers: { 'X-API-Key': '{key}' } })
  const endpoint = createEndpoint<unknown, Principal>({
    ...shared,
    path,
    execution: compiledExecution(),
    introspection: !settings.isProduction,
    ide: settings.ide === 'on' ? ide : undefined,
    credentialsFirst: true,
    onResult({ head }, { transport, operationName, operationType: type, status, duration: ms }) {
      if (transport !== 'websocket') return
      const facts = { operation: operationName, type, transport, status, ms }
      records.log('operation', head, facts)
    },
    onHandshake(head, { status }) {
      const record = records.begin(head)
      record.route = pathOf(head.target) === path ? path : undefined
      endRequest(parts, head, record, status)
    },
  })
  const pages = createWebPages(settings)
  const byPath = {
    [path]: endpoint.handler,
    '/mcp': createTools(shared, readVersion()),
    '/login': createLogin(access.login, { cors, onBug, trustedProxies }),
    '/openapi.json': serveApiDescription(shared.schema, settings.auth, cors),
    '/metrics': serveMetrics(() => metrics.read(endpoint.stats().sockets), settings.metricsToken),
    ...pages.byPath,
  }
  const resources = pages.readable(createResources(shared, parts))
  return {
    front: createFront({ ...parts, byPath, resources }),
    sockets: createWebSocketHost(endpoint),
  }
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

const noKey =
  'JWT_KEY must be set in production, so that tokens stay valid after a restart and on other instances. ' +
  'Generate one with: node -p "crypto.randomBytes(32).toString(\'base64url\')".'

/** Rows that one statement deletes, for which other writers wait. */
const mostSwept = 5_000

/** Deletes old rows, and returns whether there are more. Every instance does so; each row is deleted once. */
export async function sweep(
  { keyed, audit, changes }: Pick<Store, 'audit' | 'changes' | 'keyed'>,
  auditDays: number,
  count: (table: string, rows: number) => void,
): Promise<boolean> {
  const keys = await keyed.sweep(mostSwept)
  count('idempotency_keys', keys)
  const writes = await audit.prune(new Date(Date.now() - auditDays * 86_400_000), mostSwept)
  count('audit', writes)
  await changes.prune()
  return Math.max(keys, writes) === mostSwept
}

/** Does work again and again, `soon` if there is more of it, until it is closed, which waits for what is running. */
export function repeat(
  work: () => Promise<boolean>,
  { pause, soon }: { readonly pause: number; readonly soon: number },
  onFault: (fault: unknown) => void,
) {
  let running = Promise.resolve()
  let timer = setTimeout(start, pause).unref()
  function start(): void {
    running = work().then(plan, (fault: unknown) => {
      onFault(fault)
      plan(false)
    })
  }
  function plan(hasMore: boolean): void {
    timer = setTimeout(start, hasMore ? soon : pause).unref()
  }
  return {
    async close(): Promise<void> {
      await running
      clearTimeout(timer)
    },
  }
}
