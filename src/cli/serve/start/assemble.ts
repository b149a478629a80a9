import { findPathConflict } from '../../../hosts/node/connection/connection-options.js'
import type { HostFigures, Incoming, NodeListener } from '../../../hosts/node/index.js'
import type { ListenSettings } from '../../../hosts/node/server/listen-options.js'
import { createListener } from '../../../hosts/node/exchange/listener.js'
import { loadWebSocketHost, resolveServeOptions } from '../../../hosts/node/server/serve.js'
import { pathOf, type Handler } from '../../../index.js'
import { readPackage } from '../../process/package.js'
import type { ClosedModule, PlannedOptions } from '../flags/apply-plan.js'
import { formatLogLine } from '../metrics/log-line.js'
import { formatSamples, type Samples } from '../metrics/samples.js'
import { loadPlan, nameOf, refusedOption } from '../load/load-plan.js'
import type { Plan } from '../flags/plan.js'
import { ServerMetrics } from '../metrics/server-metrics.js'
import { listFacts, type Fact } from './banner.js'
import { greetBrowsers } from './greet-browsers.js'
import { observeRequests, type Observer } from '../metrics/observe.js'
import type { CliOutcome } from '../../process/outcome.js'
import type { Terminal } from '../../process/terminal.js'

/** A handler with its log and metrics, without a server. */
interface Assembled extends ClosedModule {
  readonly listener: NodeListener
  readonly settings: ListenSettings
  readonly path: string
  readonly facts: readonly Fact[]
  readonly metrics: () => Samples
  /** Sets the source of the counts of connections, once there is a server. */
  readonly countConnections: (figures: () => HostFigures) => void
}

interface Surroundings extends Pick<Terminal, 'err' | 'stderr'> {
  /** Returns the metrics of all processes. Default: those of this one. */
  readonly collect?: () => Promise<Samples>
}

export async function assemble(plan: Plan, around: Surroundings): Promise<CliOutcome<Assembled>> {
  const loaded = await loadPlan(plan)
  if (!loaded.ok) return loaded
  try {
    const { onClose, ...options } = loaded.value
    return { ok: true, value: { ...(await putTogether(plan, options, around)), onClose } }
  } catch (error) {
    return refusedOption(error)
  }
}

/** Without log and metrics the handler is not wrapped. */
async function putTogether(
  plan: Plan,
  options: PlannedOptions,
  { err, stderr, collect }: Surroundings,
): Promise<Assembled> {
  const path = plan.metrics.value
  const metrics =
    path === false ? undefined : new ServerMetrics(options.path, readPackage().version)
  const observers = [createLog(plan.log.value, { err, stderr }), metrics?.observe].filter(
    (observer) => observer !== undefined,
  )
  const observation = observeRequests<Incoming>((event) => {
    for (const observe of observers) observe(event)
  })
  const isObserved = observers.length > 0
  const counted = metrics === undefined ? options : countMasked(options, metrics)
  const observed = isObserved ? observation.options(counted) : options
  const [host, port] = [plan.host.value, plan.port.value]
  const resolved = resolveServeOptions(nameOf(plan), { ...observed, host, port })
  const { endpoint: bare, settings, websocket } = resolved
  const greeting = plan.ide.value ? greetBrowsers(bare.handler, options, path) : bare.handler
  const handle = isObserved ? observation.handler(greeting) : greeting
  const endpoint = { ...bare, handler: handle }
  if (path !== false) {
    const conflict =
      path === options.path
        ? `path: ${path} is the path of the metrics; choose another with --metrics.`
        : findPathConflict(path, settings)
    if (conflict !== undefined) throw new TypeError(`${nameOf(plan)}: ${conflict}`)
  }
  let figures: (() => HostFigures) | undefined
  const measure = (): Samples => metrics?.measure(endpoint.stats(), figures?.()) ?? {}
  const serveMetrics = createMetricsHandler(collect ?? (async () => measure()))
  const handler: Handler<Incoming> = (head) =>
    pathOf(head.target) === path ? serveMetrics(head) : handle(head)
  const sockets = settings.sockets ?? (await loadWebSocketHost(endpoint, websocket))
  return {
    listener: createListener(path === false ? handle : handler, settings),
    settings: { ...settings, sockets },
    path: options.path,
    facts: listFacts(plan, options),
    metrics: measure,
    countConnections: (readFigures) => void (figures = readFigures),
  }
}

function createLog(
  format: Plan['log']['value'],
  { err, stderr }: Surroundings,
): Observer | undefined {
  if (format === 'off') return undefined
  return (event) => {
    const line = formatLogLine(event, format, new Date(), stderr)
    if (line !== undefined) err(`${line}\n`)
  }
}

/** Each masked error gets an id. */
function countMasked(options: PlannedOptions, metrics: ServerMetrics): PlannedOptions {
  return {
    ...options,
    createId(...given) {
      metrics.masked()
      return options.createId?.(...given) ?? crypto.randomUUID()
    },
  }
}

function createMetricsHandler(read: () => Promise<Samples>): Handler {
  return ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') {
      const headers = ['Allow', 'GET, HEAD', ...noStore]
      return { status: 405, headers, body: 'Use GET or HEAD.\n' }
    }
    return read().then((samples) => ({
      status: 200,
      headers: ['Content-Type', 'text/plain; version=0.0.4; charset=utf-8', ...noStore],
      body: formatSamples(samples),
    }))
  }
}

const noStore = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store']
