import { setTimeout as pause } from 'node:timers/promises'
import { follow } from '../../../base/transitions.js'
import type { Outcome } from '../../../index.js'
import type { CliError } from '../../process/cli-error.js'
import {
  createDeathLog,
  crewTransitions,
  workerTransitions,
  type CrewEvent,
  type CrewState,
  type WorkerEvent,
  type WorkerState,
} from './crew-state.js'
import type { Member, Ready } from './fork-worker.js'
import type { DrainTimes } from './messages.js'
import { countsOf, mergeFamilies, type MetricFamily } from '../metrics/metric-family.js'
import { describeCut, sumReports, wasLate, type StopReport } from '../start/stop-report.js'

/** The options of a crew. */
export interface CrewSettings {
  readonly size: number
  /** Whether, after a failed start, the next attempt waits for a change of the files. */
  readonly watches: boolean
  readonly fork: () => Member
  /** Hands out connections to the members that were added. */
  readonly rotation: {
    add(member: Member): void
    remove(member: Member): void
  }
  /** How long a worker that was replaced may take to end. */
  readonly times: DrainTimes
  readonly report: (text: string) => void
  readonly now: () => number
}

/** A worker with its state. */
interface Worker {
  readonly member: Member
  state: WorkerState
  /** How it ended. */
  end: string
}

/**
 * The processes that serve: replaced when they die, and all together when the schema changes. Both lives are
 * tables of crew-state.ts.
 */
export class Crew {
  #giveUp: () => void = () => {}
  /** Resolves when workers have died so often that the crew gives up. */
  readonly gaveUp: Promise<void> = new Promise((resolve) => (this.#giveUp = resolve))
  #state: CrewState = 'unstarted'
  readonly #settings: CrewSettings
  readonly #recordDeath: () => number | undefined
  /** The members whose processes run. */
  readonly #workers = new Set<Worker>()
  /** The counts of workers that have ended, since counts must not go down. */
  #left: readonly MetricFamily[] = []
  #isReadinessDown = false
  #started: Promise<Outcome<Ready, CliError>> | undefined
  #renewing: Promise<void> | undefined

  constructor(settings: CrewSettings) {
    this.#settings = settings
    this.#recordDeath = createDeathLog(settings.now)
  }

  get state(): CrewState {
    return this.#state
  }

  /** The state of a worker whose process runs. */
  stateOf(member: Member): WorkerState | undefined {
    return [...this.#workers].find((worker) => worker.member === member)?.state
  }

  /** Starts the first workers, and returns the facts that the first of them reports. */
  start(): Promise<Outcome<Ready, CliError>> {
    this.#on('start')
    return (this.#started = this.#startAll())
  }

  /** Replaces the workers by new ones with the new schema; the old ones stay if it is broken. */
  renew(): Promise<void> {
    this.#on('change')
    // Workers that have not started yet will read the new files anyway.
    if (this.#state === 'unstarted' || this.#state === 'stopping') return Promise.resolve()
    return (this.#renewing ??= this.#renewWhileStale())
  }

  /** Makes the readiness of all workers fail; they keep serving. */
  leave(): void {
    this.#isReadinessDown = true
    for (const { member } of this.#workers) member.unready()
  }

  /** The metrics of all workers as one. */
  async collect(): Promise<readonly MetricFamily[]> {
    await Promise.all(Array.from(this.#workers, ({ member }) => member.metrics.ask()))
    // Without those that have ended meanwhile, whose counts are in `#left`; those that are new have none.
    const all = Array.from(this.#workers, ({ member }) => member.metrics.last())
    return mergeFamilies([this.#left, ...all])
  }

  /** Makes all workers read their certificate again. */
  renewCertificate(): void {
    for (const { member } of this.#workers) member.renewCertificate()
  }

  /** Lets every worker finish its requests, and resolves when all have ended. */
  async stop(times: DrainTimes): Promise<StopReport> {
    this.#on('stop')
    const reports = Array.from(this.#workers, (worker) => {
      this.#happen(worker, 'retire')
      return worker.member.drain(times)
    })
    return sumReports(await Promise.all(reports))
  }

  /** Ends every worker at once. */
  kill(): void {
    for (const { member } of this.#workers) member.kill()
  }

  #on(event: CrewEvent): void {
    this.#state = follow(crewTransitions, this.#state, event)
  }

  /** Applies an event to a worker; false if its state stays the same. */
  #happen(worker: Worker, event: WorkerEvent): boolean {
    const before = worker.state
    worker.state = follow(workerTransitions, before, event)
    return worker.state !== before
  }

  #serving(): readonly Worker[] {
    return [...this.#workers].filter(({ state }) => state === 'serving')
  }

  async #renewWhileStale(): Promise<void> {
    const { report } = this.#settings
    await this.#started
    while (this.#state === 'renewing') {
      const outcome = await this.#startAll()
      if (isStopping(this.#state)) return
      if (outcome.ok) {
        report(`reloaded ${outcome.value.facts[0]?.[1] ?? ''}`)
      } else {
        report(outcome.reason.message)
        report(this.#serving().length > 0 ? 'still serving the old schema' : 'waiting for a change')
      }
    }
    this.#renewing = undefined
  }

  async #startAll(): Promise<Outcome<Ready, CliError>> {
    const outcome = await this.#startBatch()
    this.#on('settled')
    return outcome
  }

  async #startBatch(): Promise<Outcome<Ready, CliError>> {
    // One first, so that a mistake in the schema is reported once and not by each worker.
    const first = this.#fork()
    const ready = await first.member.started
    if (!ready.ok || isStopping(this.#state)) return ready
    const batch = [first]
    while (batch.length < this.#settings.size) batch.push(this.#fork())
    for (const { member } of batch) {
      const outcome = await member.started
      if (outcome.ok) continue
      for (const worker of batch) void this.#retire(worker)
      return outcome
    }
    const before = this.#serving()
    for (const worker of batch) this.#welcome(worker)
    for (const worker of before) void this.#retire(worker)
    return ready
  }

  #fork(): Worker {
    const member = this.#settings.fork()
    const worker: Worker = { member, state: 'starting', end: '' }
    this.#workers.add(worker)
    void member.started.then(({ ok }) => this.#happen(worker, ok ? 'ready' : 'failed'))
    void member.ended.then((ending) => {
      worker.end = ending
      this.#workers.delete(worker)
      this.#left = mergeFamilies([this.#left, countsOf(member.metrics.last())])
      this.#settings.rotation.remove(member)
      this.#happen(worker, 'ended')
      if (worker.state === 'lost') this.#fill(worker)
    })
    return worker
  }

  #welcome(worker: Worker): void {
    this.#happen(worker, 'welcome')
    if (worker.state === 'lost') this.#fill(worker)
    if (worker.state !== 'serving') return
    const { member } = worker
    if (this.#isReadinessDown) member.unready()
    this.#settings.rotation.add(member)
    void member.leaving.then(async () => {
      // A supervisor that signals every process has also signalled the primary.
      if (this.#isReadinessDown || isStopping(this.#state)) return
      if (!this.#happen(worker, 'leave')) return
      await this.#replace('was told to end', 0)
      await this.#retire(worker)
    })
  }

  async #retire(worker: Worker): Promise<void> {
    if (!this.#happen(worker, 'retire')) return
    const { member } = worker
    this.#settings.rotation.remove(member)
    const report = await member.drain(this.#settings.times)
    // Requests that are cut while the crew stops are in its own report.
    if (isStopping(this.#state) || !wasLate(report)) return
    this.#settings.report(`a worker did not end in time; aborted: ${describeCut(report)}`)
  }

  /** Replaces a worker that was lost. */
  #fill({ end }: Worker): void {
    if (isStopping(this.#state)) return
    const wait = this.#recordDeath()
    if (wait === undefined) this.#giveUp()
    else void this.#replace(`ended ${end}`, wait)
  }

  async #replace(what: string, wait: number): Promise<void> {
    const { size, watches, report } = this.#settings
    const isComplete = (): boolean => this.#serving().length >= size
    report(`a worker ${what}, starting another`)
    await pause(wait)
    if (isStopping(this.#state) || isComplete()) return
    const next = this.#fork()
    const outcome = await next.member.started
    if (isStopping(this.#state)) return
    if (!outcome.ok) report(outcome.reason.message)
    if (!outcome.ok && watches) return
    if (isComplete()) void this.#retire(next)
    else this.#welcome(next)
  }
}

/** A function, since TypeScript would assume that the state is the same after an `await`. */
function isStopping(state: CrewState): boolean {
  return state === 'stopping'
}
