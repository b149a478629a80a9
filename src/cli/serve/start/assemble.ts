import {
  findPathConflict,
  type ListenSettings,
} from '../../../hosts/node/connection/connection-options.js'
import type { CloseReport, Incoming, NodeListener } from '../../../hosts/node/index.js'
import type { CloseSettings } from '../../../hosts/node/server/close-options.js'
import type { HostServer } from '../../../hosts/node/server/host-server.js'
import { createListener } from '../../../hosts/node/exchange/listener.js'
import { loadWebSocketHost, resolveServeOptions } from '../../../hosts/node/server/serve.js'
import { pathOf, type Handler, type HttpResponse } from '../../../index.js'
import { readPackage } from '../../process/package.js'
import type { ClosedModule, PlannedOptions } from '../flags/apply-plan.js'
import { createLog } from '../metrics/log-line.js'
import { formatSamples, type Samples } from '../metrics/samples.js'
import { describeThrown } from '../load/load-file.js'
import { loadPlan } from '../load/load-plan.js'
import { renewCertificate } from '../certificate.js'
import { filesOf, type Plan } from '../flags/plan.js'
import { ServerMetrics } from '../metrics/server-metrics.js'
import { listFacts, type Fact } from './banner.js'
import { greetBrowsers } from './greet-browsers.js'
import { refuseStart } from './run-until-stopped.js'
import { observeRequests } from '../metrics/observe.js'
import type { Terminal } from '../../process/terminal.js'

type Host = Pick<HostServer, 'setCertificate' | 'figures' | 'close'>

/** How long a server may take to close, in milliseconds. */
export type DrainTimes = Omit<CloseSettings, 'delay'>

/** A server that is ready, and the facts for the banner. */
export interface Ready {
  readonly path: string
  readonly isSecure: boolean
  readonly facts: readonly Fact[]
}

/** A server of a plan, with its log and metrics. */
interface Assembled<Opened extends Host> extends Ready {
  readonly host: Opened
  readonly metrics: () => Samples
  /** Reads the certificate again; undefined without files of one. */
  readonly renew: (() => Promise<void>) | undefined
  readonly close: (times: DrainTimes) => Promise<CloseReport>
}

interface Surroundings extends Pick<Terminal, 'err' | 'stderr'> {
  /** Returns the metrics of all processes. Default: those of this one. */
  readonly collect?: () => Promise<Samples>
}

/** Loads a plan, and lets `open` put a server around what serves it. */
export async function assemble<Opened extends Host>(
  plan: Plan,
  around: Surroundings,
  open: (listener: NodeListener, settings: ListenSettings) => Opened | Promise<Opened>,
): Promise<Assembled<Opened>> {
  const { onClose, ...options } = await loadPlan(plan)
  const report = (text: string): void => around.err(`${text}\n`)
  try {
    let host: Opened | undefined
    const served = await putTogether(plan, options, around, () => host?.figures())
    const { listener, settings, metrics } = served
    const opened = (host = await open(listener, settings))
    const files = plan.certificate
    return {
      host: opened,
      path: options.path,
      isSecure: settings.tls !== undefined,
      facts: listFacts(plan, options),
      metrics,
      renew: files && renewCertificate(files, opened.setCertificate, report),
      close: (times: DrainTimes) => closeServed(opened, times, onClose, report),
    }
  } catch (error) {
    return refuseStart(plan, error)
  }
}

/** The handler of the options with its log and metrics; without both it is not wrapped. */
async function putTogether(
  plan: Plan,
  options: PlannedOptions,
  { err, stderr, collect }: Surroundings,
  figures: () => ReturnType<Host['figures']> | undefined,
) {
  const path = plan.metrics.value
  const caller = filesOf(plan)[0] ?? 'serve'
  const metrics =
    path === false ? undefined : new ServerMetrics(options.path, readPackage().version)
  const log = createLog(plan.log.value, stderr, err)
  const observers = [log, metrics?.observe].filter((observer) => observer !== undefined)
  const observation = observeRequests<Incoming>((event) => {
    for (const observe of observers) observe(event)
  })
  const isObserved = observers.length > 0
  const observed = isObserved ? observation.options(options) : options
  const [host, port] = [plan.host.value, plan.port.value]
  const resolved = resolveServeOptions(caller, { ...observed, host, port })
  const { endpoint: bare, settings, websocket } = resolved
  const greeting = plan.ide.value ? greetBrowsers(bare.handler, options, path) : bare.handler
  const handle = isObserved ? observation.handler(greeting) : greeting
  const endpoint = { ...bare, handler: handle }
  if (path !== false) {
    const conflict =
      path === options.path
        ? `path: ${path} is the path of the metrics; choose another with --metrics.`
        : findPathConflict(path, settings)?.replace('path', '--metrics')
    if (conflict !== undefined) throw new TypeError(`${caller}: ${conflict}`)
  }
  const measure = (): Samples => metrics?.measure(endpoint.stats(), figures()) ?? {}
  const serveMetrics = createMetricsHandler(collect ?? (async () => measure()))
  const handler: Handler<Incoming> = (head) =>
    pathOf(head.target) === path ? serveMetrics(head) : handle(head)
  const sockets = settings.sockets ?? (await loadWebSocketHost(endpoint, websocket))
  return {
    listener: createListener(path === false ? handle : handler, settings),
    settings: { ...settings, sockets },
    metrics: measure,
  }
}

/** Requests share what is collected: with workers, it takes messages between all processes. */
export function createMetricsHandler(collect: () => Promise<Samples>): Handler {
  let collecting: Promise<HttpResponse> | undefined
  const read = async (): Promise<HttpResponse> => ({
    status: 200,
    headers: ['Content-Type', 'text/plain; version=0.0.4; charset=utf-8', ...noStore],
    body: formatSamples(await collect()),
  })
  return ({ method }) => {
    if (method !== 'GET' && method !== 'HEAD') {
      const headers = ['Allow', 'GET, HEAD', ...noStore]
      return { status: 405, headers, body: 'Use GET or HEAD.\n' }
    }
    return (collecting ??= read().finally(() => (collecting = undefined)))
  }
}

const noStore = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', 'no-store']

/** What a module has even if requests were cut at the deadline; workers are killed 500 ms after it. */
const leastMs = 250

/** Closes the server, and then what the module has opened: if that fails, it is only reported. */
async function closeServed(
  host: Host,
  times: DrainTimes,
  onClose: ClosedModule['onClose'],
  report: (text: string) => void,
): Promise<CloseReport> {
  const start = performance.now()
  const closeReport = await host.close(times)
  const ms = Math.max(leastMs, Math.round(times.deadline - (performance.now() - start)))
  let timer: NodeJS.Timeout | undefined
  try {
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not finished after ${ms} ms`)), ms)
    })
    await Promise.race([onClose?.(), late])
  } catch (error) {
    report(describeThrown('onClose', error))
  } finally {
    clearTimeout(timer)
  }
  return closeReport
}
