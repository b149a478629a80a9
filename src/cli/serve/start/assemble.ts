import { findPathConflict } from '../../../hosts/node/connection/connection-options.js'
import type { HostFigures, Incoming, NodeListener } from '../../../hosts/node/index.js'
import type { ListenSettings } from '../../../hosts/node/server/listen-options.js'
import { createListener } from '../../../hosts/node/server/listener.js'
import { loadWebSocketHost, resolveServeOptions } from '../../../hosts/node/server/serve.js'
import { pathOf, type Handler } from '../../../index.js'
import { readPackage } from '../../process/package.js'
import type { PlannedOptions } from '../flags/apply-plan.js'
import { formatLogLine } from '../metrics/log-line.js'
import { formatFamilies, type MetricFamily } from '../metrics/families.js'
import { nameOf } from '../load/load-plan.js'
import type { Plan } from '../flags/plan.js'
import { ServerMetrics } from '../metrics/server-metrics.js'
import { observeRequests, type Observer } from '../metrics/observe.js'

/** A handler with its log and metrics, without a server. */
export interface Assembled {
  readonly listener: NodeListener
  readonly settings: ListenSettings
  /** Loads the host of WebSockets; undefined without them. */
  readonly loadSockets: () => Promise<ListenSettings['sockets']>
  /** The metrics of this process. */
  readonly metrics: () => readonly MetricFamily[]
  /** Sets where connections are counted, once there is a server. */
  readonly countConnections: (figures: () => HostFigures) => void
}

/** The options, and where to listen if this process does. */
type AssembledOptions = PlannedOptions & {
  readonly host?: string | undefined
  readonly port?: number | undefined
}

/**
 * Puts handler, log and metrics together. Without log and metrics the handler is not wrapped. `err` writes to stderr,
 * `collect` returns the metrics of all processes, if there are others.
 */
export function assemble(
  plan: Plan,
  options: AssembledOptions,
  err: (text: string) => void,
  collect?: () => Promise<readonly MetricFamily[]>,
): Assembled {
  const path = plan.metrics.value
  const metrics =
    path === false ? undefined : new ServerMetrics(options.path, readPackage().version)
  const observers = [createLog(plan.log.value, err), metrics?.observe].filter(
    (observer) => observer !== undefined,
  )
  const observation = observeRequests<Incoming>((event) => {
    for (const observe of observers) observe(event)
  })
  const isObserved = observers.length > 0
  const counted = metrics === undefined ? options : countMasked(options, metrics)
  const observed = isObserved ? observation.options(counted) : options
  const { endpoint: bare, settings, websocket } = resolveServeOptions(nameOf(plan), observed)
  const handle = isObserved ? observation.handler(bare.handler) : bare.handler
  const endpoint = { ...bare, handler: handle }
  if (path !== false) {
    const conflict =
      path === options.path
        ? `path: ${path} is the path of the metrics; choose another with --metrics.`
        : findPathConflict(path, settings)
    if (conflict !== undefined) throw new TypeError(`${nameOf(plan)}: ${conflict}`)
  }
  let figures: (() => HostFigures) | undefined
  const families = (): readonly MetricFamily[] =>
    metrics?.families(endpoint.stats(), figures?.()) ?? []
  const serveMetrics = createMetricsHandler(collect ?? (async () => families()))
  const handler: Handler<Incoming> =
    path === false
      ? handle
      : (head) => (pathOf(head.target) === path ? serveMetrics(head) : handle(head))
  return {
    listener: createListener(handler, settings),
    settings,
    loadSockets: async () => settings.sockets ?? loadWebSocketHost(endpoint, websocket),
    metrics: families,
    countConnections: (readFigures) => void (figures = readFigures),
  }
}

function createLog(
  format: Plan['log']['value'],
  err: (text: string) => void,
): Observer | undefined {
  if (format === 'off') return undefined
  return (event) => {
    const line = formatLogLine(event, format, new Date())
    if (line !== undefined) err(`${line}\n`)
  }
}

/** Each masked error gets an id. */
function countMasked(options: AssembledOptions, metrics: ServerMetrics): AssembledOptions {
  return {
    ...options,
    createId(...given) {
      metrics.masked()
      return options.createId?.(...given) ?? crypto.randomUUID()
    },
  }
}

/** Serves the metrics in the format of Prometheus. */
function createMetricsHandler(read: () => Promise<readonly MetricFamily[]>): Handler {
  return ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') {
      const headers = ['Allow', 'GET, HEAD', ...noStore]
      return { status: 405, headers, body: 'Use GET or HEAD.\n' }
    }
    return read().then((families) => ({
      status: 200,
      headers: ['Content-Type', 'text/plain; version=0.0.4; charset=utf-8', ...noStore],
      body: formatFamilies(families),
    }))
  }
}

const noStore = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store']
