import { findPathConflict } from '../../../hosts/node/connection/connection-options.js'
import type { HostFigures, Incoming, NodeListener } from '../../../hosts/node/index.js'
import type { ListenSettings } from '../../../hosts/node/server/listen-options.js'
import { createListener } from '../../../hosts/node/server/listener.js'
import {
  loadWebSocketHost,
  resolveServeOptions,
  type ServeSettings,
} from '../../../hosts/node/server/serve.js'
import { pathOf, type Handler } from '../../../index.js'
import { readVersion } from '../../process/version.js'
import type { PlannedOptions } from '../flags/apply-plan.js'
import { formatLogLine, formatOperationLine, formatStreamLine } from '../metrics/log-line.js'
import { formatFamilies, type MetricFamily } from '../metrics/metric-family.js'
import { nameOf } from '../load/load-plan.js'
import type { Plan } from '../flags/plan.js'
import {
  createProcessMetrics,
  createRequestMetrics,
  createStreamMetrics,
} from '../metrics/server-metrics.js'
import { observeRequests, type Observer, type StreamRecord } from '../metrics/request-record.js'

export interface Surroundings {
  /** Writes to stderr. */
  err(text: string): void
  /** Returns the metrics of all processes. Default: those of this one. */
  readonly collect?: (() => Promise<readonly MetricFamily[]>) | undefined
}

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
export type AssembledOptions = PlannedOptions & {
  readonly host?: string | undefined
  readonly port?: number | undefined
}

/** Puts handler, log and metrics together. Without log and metrics the handler is not wrapped. */
export function assemble(plan: Plan, options: AssembledOptions, around: Surroundings): Assembled {
  const { log, metrics: path } = plan
  const observers: Observer[] = []
  if (log !== 'off') {
    observers.push({
      begun() {},
      streamEnded: (record) => around.err(`${formatStreamLine(record, log, new Date())}\n`),
      ended: (record) => around.err(`${formatLogLine(record, log, new Date())}\n`),
      // Those of requests are in the lines of their requests.
      operationEnded(record) {
        if (record.result.transport === 'http') return
        around.err(`${formatOperationLine(record, log, new Date())}\n`)
      },
    })
  }
  if (path !== false) return assembleMetrics({ plan, path, observers }, options, around)
  const { endpoint, settings, websocket } = observe(plan, options, observers)
  return {
    listener: createListener(endpoint.handler, settings),
    settings,
    loadSockets: async () => settings.sockets ?? loadWebSocketHost(endpoint, websocket),
    metrics: () => [],
    countConnections() {},
  }
}

interface MetricsPlan {
  readonly plan: Plan
  readonly path: string
  readonly observers: readonly Observer[]
}

function assembleMetrics(
  { plan, path, observers }: MetricsPlan,
  options: AssembledOptions,
  { collect }: Surroundings,
): Assembled {
  const requests = createRequestMetrics(options.path)
  const streams = createStreamMetrics()
  const own = createProcessMetrics(readVersion().replace(/^\D*/, ''))
  let figures: (() => HostFigures) | undefined
  const metrics = (): readonly MetricFamily[] => [
    ...requests.families(),
    ...streams.families(endpoint.stats()),
    ...own.families(figures?.()),
  ]
  const counted: AssembledOptions = {
    ...options,
    createId(...given) {
      own.masked()
      return options.createId?.(...given) ?? crypto.randomUUID()
    },
  }
  const counting = { ...requests, streamEnded: ({ end }: StreamRecord) => streams.ended(end) }
  const { endpoint, settings, websocket } = observe(plan, counted, [counting, ...observers])
  const conflict =
    path === options.path
      ? `path: ${path} is the path of the metrics; choose another with --metrics.`
      : findPathConflict(path, settings)
  if (conflict !== undefined) throw new TypeError(`${nameOf(plan)}: ${conflict}`)
  const serveMetrics = createMetricsHandler(collect ?? (async () => metrics()))
  const handler: Handler<Incoming> = (head) =>
    pathOf(head.target) === path ? serveMetrics(head) : endpoint.handler(head)
  return {
    listener: createListener(handler, settings),
    settings,
    loadSockets: async () => settings.sockets ?? loadWebSocketHost(endpoint, websocket),
    metrics,
    countConnections: (readFigures) => void (figures = readFigures),
  }
}

function observe(
  plan: Plan,
  options: AssembledOptions,
  observers: readonly Observer[],
): ServeSettings {
  const name = nameOf(plan)
  if (observers.length === 0) return resolveServeOptions(name, options)
  const observation = observeRequests<Incoming>({
    begun() {
      for (const observer of observers) observer.begun()
    },
    ended(record) {
      for (const observer of observers) observer.ended(record)
    },
    operationEnded(record) {
      for (const observer of observers) observer.operationEnded(record)
    },
    streamEnded(record) {
      for (const observer of observers) observer.streamEnded(record)
    },
  })
  const resolved = resolveServeOptions(name, observation.options(options))
  const { endpoint } = resolved
  return { ...resolved, endpoint: { ...endpoint, handler: observation.handler(endpoint.handler) } }
}

/** Serves the metrics in the format of Prometheus. */
function createMetricsHandler(read: () => Promise<readonly MetricFamily[]>): Handler {
  return ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') {
      return {
        status: 405,
        headers: ['Allow', 'GET, HEAD', ...noStore],
        body: 'Use GET or HEAD.\n',
      }
    }
    return read().then((families) => ({
      status: 200,
      headers: ['Content-Type', 'text/plain; version=0.0.4; charset=utf-8', ...noStore],
      body: formatFamilies(families),
    }))
  }
}

const noStore = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store']
