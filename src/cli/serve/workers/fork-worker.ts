import { fork, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { CloseReport } from '../../../hosts/node/index.js'
import type { Outcome } from '../../../index.js'
import { maxInt32 } from '../../../shapes/shapes.js'
import { fail, type CliError } from '../../process/cli-error.js'
import type { Plan } from '../flags/plan.js'
import type { MetricFamily } from '../metrics/metric-family.js'
import type { Fact } from '../start/banner.js'
import { createTransfers, type Receiver } from './hand-over.js'
import type { DrainTimes, PrimaryMessage, WorkerMessage } from './messages.js'

/** A worker that is ready, and the facts for the banner. */
export interface Ready {
  readonly path: string
  readonly isSecure: boolean
  readonly facts: readonly Fact[]
}

/** A worker process, as the primary process sees it. */
export interface Member extends Receiver {
  readonly started: Promise<Outcome<Ready, CliError>>
  /** Resolves when it got a signal to end that is not from the primary. */
  readonly leaving: Promise<void>
  /** Resolves when the process has ended, with the exit code or signal. */
  readonly ended: Promise<string>
  readonly metrics: WorkerMetrics
  /** Makes its readiness fail; it keeps serving. */
  unready(): void
  /** Makes it read its certificate again. */
  renewCertificate(): void
  /** Lets it finish its requests and end; resolves to undefined if it ended without a report. */
  drain(times: DrainTimes): Promise<CloseReport | undefined>
  kill(): void
}

/** How long after its deadline a worker that has not ended is killed. */
const marginMs = 500

/** Starts a worker process; `collect` gives the metrics of all. */
export function forkWorker(plan: Plan, collect: () => Promise<readonly MetricFamily[]>): Member {
  const file = fileURLToPath(new URL('./worker.js', import.meta.url))
  const child = fork(file, [JSON.stringify(plan)])
  const ended = untilEnded(child)
  const kill = (): void => void child.kill('SIGKILL')
  const transfers = createTransfers((id, socket: Socket, failed) => {
    // A copy stays in this process until the worker has confirmed the socket.
    child.send(
      { kind: 'socket', id } satisfies PrimaryMessage,
      socket,
      { keepOpen: true },
      (error) => {
        if (error !== null) failed()
      },
    )
  })
  onMessage(child, 'took', ({ id }) => transfers.arrived(id))
  void ended.then(() => transfers.close())

  let isReady = false
  onMessage(child, 'ready', () => (isReady = true))
  let report: CloseReport | undefined
  onMessage(child, 'drained', (message) => (report = message.report))
  const drain = async (times: DrainTimes): Promise<CloseReport | undefined> => {
    if (!isReady) {
      kill()
      await ended
      return nothing
    }
    send(child, { kind: 'drain', times })
    const hung = setTimeout(kill, Math.min(times.deadline + marginMs, maxInt32))
    await ended
    clearTimeout(hung)
    return report
  }
  let draining: Promise<CloseReport | undefined> | undefined
  return {
    started: untilStarted(child, ended),
    leaving: new Promise((resolve) => onMessage(child, 'leaving', () => resolve())),
    ended,
    metrics: createWorkerMetrics(child, collect),
    pending: () => transfers.size(),
    take: (socket) => transfers.send(socket),
    unready: () => send(child, { kind: 'unready' }),
    renewCertificate: () => send(child, { kind: 'certificate' }),
    drain: (times) => (draining ??= drain(times)),
    kill,
  }
}

/** The report of a worker that was still starting: it had no requests. */
const nothing: CloseReport = {
  finished: 0,
  cut: 0,
  streams: { ended: 0, cut: 0 },
  sockets: { closed: 0, cut: 0 },
}

async function untilEnded(child: ChildProcess): Promise<string> {
  const ending = await new Promise<string>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `with code ${code}` : `by ${signal}`),
    )
    child.on('error', ({ message }) => {
      if (child.pid === undefined) resolve(`without having started: ${message}`)
    })
  })
  // The exit may be noticed before its last messages have been read. No event tells when they have, if a
  // socket was still on its way.
  for (let turns = 0; child.connected && turns < maxLastTurns; turns++) await pause(1)
  return ending
}

const maxLastTurns = 100

function untilStarted(
  child: ChildProcess,
  ended: Promise<string>,
): Promise<Outcome<Ready, CliError>> {
  return new Promise((resolve) => {
    onMessage(child, 'ready', ({ path, isSecure, facts }) =>
      resolve({ ok: true, value: { path, isSecure, facts } }),
    )
    onMessage(child, 'failed', ({ error }) => resolve({ ok: false, reason: error }))
    void ended.then((ending) =>
      resolve(fail('configuration', `A worker ended ${ending} before it was ready.`)),
    )
  })
}

/** The metrics of a worker, as the primary gets them. */
interface WorkerMetrics {
  /** Its current metrics, or the last ones if it does not respond in time. */
  ask(): Promise<readonly MetricFamily[]>
  /** The metrics that it sent last. */
  last(): readonly MetricFamily[]
}

/** How long a worker may take to respond: a busy one must not delay the metrics of the others. */
const maxResponseMs = 1_000

function createWorkerMetrics(
  child: ChildProcess,
  collect: () => Promise<readonly MetricFamily[]>,
): WorkerMetrics {
  const waiting = new Map<number, () => void>()
  let last: readonly MetricFamily[] = []
  let isReady = false
  let newest = 0
  onMessage(child, 'ready', () => (isReady = true))
  onMessage(child, 'collect', ({ id }) => {
    void collect().then((metrics) => send(child, { kind: 'collected', id, metrics }))
  })
  onMessage(child, 'metrics', ({ id, metrics }) => {
    last = metrics
    waiting.get(id)?.()
  })
  return {
    last: () => last,
    ask: () =>
      new Promise((resolve) => {
        const id = ++newest
        const done = (): void => {
          clearTimeout(timer)
          waiting.delete(id)
          resolve(last)
        }
        const timer = setTimeout(done, maxResponseMs)
        if (!isReady) return done()
        waiting.set(id, done)
        send(child, { kind: 'count', id })
      }),
  }
}

function send(child: ChildProcess, message: PrimaryMessage): void {
  child.send(message, ignore)
}

function onMessage<Kind extends WorkerMessage['kind']>(
  child: ChildProcess,
  kind: Kind,
  listener: (message: Extract<WorkerMessage, { kind: Kind }>) => void,
): void {
  child.on('message', (message) => {
    // A module of the user may send messages of its own.
    const candidate = message as WorkerMessage | null
    if (candidate?.kind === kind) listener(candidate as Extract<WorkerMessage, { kind: Kind }>)
  })
}

function ignore(): void {
  // Sending to a process that has just ended fails; `ended` reports that better.
}
