import { fork, type ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../../../base/package-file.js'
import { maxInt32, type Outcome } from '../../../shapes/index.js'
import type { CloseReport } from '../../../hosts/node/index.js'
import type { Plan } from '../flags/plan.js'
import type { Samples } from '../metrics/samples.js'
import type { DrainTimes, Ready } from '../start/assemble.js'
import { nothingToReport } from '../start/stop-report.js'
import type { HandOverReceiver } from './hand-over.js'
import type { CliError } from '../../process/exit.js'

/** What a worker sends to the primary process. */
export type WorkerMessage =
  | (Ready & { readonly kind: 'ready' })
  | { readonly kind: 'failed'; readonly reason: StartFault }
  /** The socket of this number has arrived. */
  | { readonly kind: 'took'; readonly id: number }
  /** It got a signal to end from outside, and waits for permission. */
  | { readonly kind: 'leaving' }
  /** Asks for the metrics of all workers. */
  | { readonly kind: 'collect' }
  /** Its own metrics, on request or as it ends. */
  | { readonly kind: 'metrics'; readonly metrics: Samples }
  /** The last message. */
  | { readonly kind: 'drained'; readonly report: CloseReport }

/** What the primary process sends to a worker. The channel keeps the order. */
export type PrimaryMessage =
  | { readonly kind: 'socket'; readonly id: number }
  | { readonly kind: 'unready' }
  /** Asks for its metrics. */
  | { readonly kind: 'count' }
  /** The metrics of all workers, as it asked. */
  | { readonly kind: 'collected'; readonly metrics: Samples }
  | { readonly kind: 'drain'; readonly times: DrainTimes }

type StartFault = Pick<CliError, 'kind' | 'message'>

/** How the start of a worker went. It is a value, since it comes from another process, and a renewal that fails is only reported. */
export type StartOutcome = Outcome<Ready, StartFault>

/** A worker, as its crew sees it. */
export type CrewMember = Pick<WorkerProcess, keyof WorkerProcess>

/** Receives what a worker tells the primary process. */
interface Primary {
  arrived(member: CrewMember, id: number): void
  collect(): Promise<Samples>
}

/** How long after its deadline a worker that has not ended is killed. */
const marginMs = 2_000

/** How long a worker may take to respond: a busy one must not delay the metrics of the others. */
const maxResponseMs = 1_000

export class WorkerProcess implements HandOverReceiver {
  readonly #child: ChildProcess
  readonly #primary: Primary
  #start: (outcome: StartOutcome) => void = ignore
  readonly started: Promise<StartOutcome> = new Promise((done) => (this.#start = done))
  #leave: () => void = ignore
  /** Resolves when it gets a signal to end from outside. */
  readonly leaving: Promise<void> = new Promise((done) => (this.#leave = done))
  /** Resolves when the process has ended, with the exit code or signal. */
  readonly ended: Promise<string>
  #isReady = false
  #report: CloseReport | undefined
  #draining: Promise<CloseReport | undefined> | undefined
  /** Those that it sent last. */
  metrics: Samples = {}
  #measured: () => void = ignore
  #measuring: Promise<void> | undefined

  constructor(plan: Plan, primary: Primary) {
    const file = fileURLToPath(packageFile('dist/src/cli/serve/workers/worker.js'))
    this.#primary = primary
    this.#child = fork(file, [JSON.stringify(plan)])
    // A module of the user may send messages of its own.
    this.#child.on('message', (message) => this.#on(message as WorkerMessage | null))
    this.ended = untilEnded(this.#child)
    void this.ended.then((ending) => {
      const message = `A worker ended ${ending} before it was ready.`
      this.#start({ ok: false, reason: { kind: 'configuration', message } })
    })
  }

  #on(message: WorkerMessage | null): void {
    switch (message?.kind) {
      case 'ready':
        this.#isReady = true
        return this.#start({ ok: true, value: message })
      case 'failed':
        return this.#start({ ok: false, reason: message.reason })
      case 'took':
        return this.#primary.arrived(this, message.id)
      case 'leaving':
        return this.#leave()
      case 'collect':
        return void this.#primary
          .collect()
          .then((metrics) => this.#send({ kind: 'collected', metrics }))
      case 'metrics':
        this.metrics = message.metrics
        return this.#measured()
      case 'drained':
        this.#report = message.report
        return
      default:
    }
  }

  #send(message: PrimaryMessage): void {
    // Sending to a process that has just ended fails; `ended` reports that better.
    this.#child.send(message, ignore)
  }

  send(id: number, socket: Socket, failed: () => void): void {
    const message: PrimaryMessage = { kind: 'socket', id }
    // A copy stays in this process until the worker has confirmed the socket.
    this.#child.send(message, socket, { keepOpen: true }, (error) => {
      if (error !== null) failed()
    })
  }

  /** Asks it for its metrics, and resolves when it has sent some, or does not respond in time. */
  measure(): Promise<void> {
    return (this.#measuring ??= this.#measure().finally(() => (this.#measuring = undefined)))
  }

  async #measure(): Promise<void> {
    if (!this.#isReady) return
    const measured = new Promise<void>((done) => (this.#measured = done))
    this.#send({ kind: 'count' })
    await Promise.race([measured, pause(maxResponseMs, undefined, { ref: false })])
  }

  /** Makes its readiness fail; it keeps serving. */
  unready(): void {
    this.#send({ kind: 'unready' })
  }

  /** Lets it finish its requests and end; resolves to undefined if it ended without a report. */
  drain(times: DrainTimes): Promise<CloseReport | undefined> {
    return (this.#draining ??= this.#drain(times))
  }

  async #drain(times: DrainTimes): Promise<CloseReport | undefined> {
    if (!this.#isReady) {
      this.kill()
      await this.ended
      return nothingToReport
    }
    this.#send({ kind: 'drain', times })
    const hung = setTimeout(() => this.kill(), Math.min(times.deadline + marginMs, maxInt32))
    await this.ended
    clearTimeout(hung)
    return this.#report
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
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
  // The exit may be noticed before its last messages have been read. No event reports that they have if a socket was still
  // on its way.
  for (let turns = 0; child.connected && turns < maxLastTurns; turns++) await pause(1)
  return ending
}

const maxLastTurns = 100

function ignore(): void {}
