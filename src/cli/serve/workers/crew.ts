import { setTimeout as pause } from 'node:timers/promises'
import type { DrainTimes } from '../start/assemble.js'
import type { CrewMember, StartOutcome } from './fork-worker.js'
import type { HandOver } from './hand-over.js'
import { countsOf, mergeSamples, type Samples } from '../metrics/samples.js'
import { exitOfStop, formatStopReport, sumReports, type StopReport } from '../start/stop-report.js'

export interface CrewSettings {
  readonly size: number
  /** Whether, after a failed start, the next attempt waits for a change of the files. */
  readonly watches: boolean
  readonly fork: () => CrewMember
  readonly rotation: Pick<HandOver, 'add' | 'remove' | 'ended'>
  /** How long a worker that was replaced may take to end. */
  readonly times: DrainTimes
  /** How long a worker may start before that is reported, and the next change of the files starts another in its place. */
  readonly patience: number
  readonly report: (text: string) => void
  readonly now: () => number
}

/*
 *     starting --> serving --> leaving
 *         |           |           |
 *         +-----------+-----------+--> retiring
 *
 * starting  It loads the schema. Once it can serve, it waits for those that were started with it, so that two
 *           schemas are served at once for no longer than necessary.
 * serving   It gets connections. If its process ends now, it is replaced.
 * leaving   The process got a signal to end from outside. It serves until it has been replaced.
 * retiring  It gets no more connections, finishes its requests, and ends.
 */
type WorkerState = 'starting' | 'serving' | 'leaving' | 'retiring'

interface Worker {
  readonly member: CrewMember
  state: WorkerState
  end: string
  isSlow: boolean
}

/** The processes that serve: replaced when they die, and all together when the schema changes. */
export class Crew {
  #giveUp: () => void = () => {}
  /** Resolves when workers have died so often that the crew gives up. */
  readonly gaveUp: Promise<void> = new Promise((resolve) => (this.#giveUp = resolve))
  readonly #settings: CrewSettings
  readonly #recordDeath: () => number | undefined
  /** The workers whose processes run. */
  readonly #workers = new Set<Worker>()
  /** The counts of workers that have ended, so that totals do not go down. */
  #left: Samples = {}
  #isReadinessDown = false
  #isStopping = false
  #started: Promise<StartOutcome> | undefined
  /** Whether the files have changed since the last start. */
  #isStale = false
  #renewing: Promise<void> | undefined

  constructor(settings: CrewSettings) {
    this.#settings = settings
    this.#recordDeath = createDeathLog(settings.now)
  }

  /** Starts the first workers, and returns the facts that the first of them reports. */
  start(): Promise<StartOutcome> {
    return (this.#started = this.#startFirst())
  }

  /** Replaces the workers by new ones with the new schema; the old ones stay if it is broken. */
  renew(): Promise<void> {
    // Workers that have not started yet will read the new files anyway.
    if (this.#started === undefined || this.#isStopping) return Promise.resolve()
    this.#isStale = true
    for (const worker of this.#workers) this.#giveUpIfSlow(worker)
    return (this.#renewing ??= this.#renewWhileStale())
  }

  leave(): void {
    this.#isReadinessDown = true
    for (const { member } of this.#workers) member.unready()
  }

  async collect(): Promise<Samples> {
    await Promise.all(Array.from(this.#workers, ({ member }) => member.measure()))
    // Workers that have ended meanwhile are counted in `#left`; new ones have no counts yet.
    const all = Array.from(this.#workers, ({ member }) => member.metrics)
    return mergeSamples([this.#left, ...all])
  }

  /** Lets every worker finish its requests, and resolves when all have ended. */
  async stop(times: DrainTimes): Promise<StopReport> {
    this.#isStopping = true
    for (const worker of this.#workers) worker.state = 'retiring'
    const reports = Array.from(this.#workers, ({ member }) => member.drain(times))
    return sumReports(await Promise.all(reports))
  }

  kill(): void {
    for (const { member } of this.#workers) member.kill()
  }

  #serving(): readonly Worker[] {
    return [...this.#workers].filter(({ state }) => state === 'serving')
  }

  async #startFirst(): Promise<StartOutcome> {
    let outcome: StartOutcome
    do outcome = await this.#startBatch()
    while (!outcome.ok && this.#isStale && !this.#isStopping)
    return outcome
  }

  async #renewWhileStale(): Promise<void> {
    const { report } = this.#settings
    await this.#started
    while (this.#isStale && !this.#isStopping) {
      const outcome = await this.#startBatch()
      if (this.#isStopping) return
      if (outcome.ok) {
        report(`reloaded ${outcome.value.facts[0]?.[1] ?? ''}`)
      } else {
        report(outcome.reason.message)
        report(this.#serving().length > 0 ? 'still serving the old schema' : 'waiting for a change')
      }
    }
    this.#renewing = undefined
  }

  async #startBatch(): Promise<StartOutcome> {
    this.#isStale = false
    // One first, so that a mistake in the schema is reported once and not by each worker.
    const first = this.#fork()
    const ready = await first.member.started
    if (!ready.ok || this.#isStopping) return ready
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
    const { fork, patience, report } = this.#settings
    const member = fork()
    const worker: Worker = { member, state: 'starting', end: '', isSlow: false }
    this.#workers.add(worker)
    const slow = setTimeout(() => {
      worker.isSlow = true
      report(`a worker is not ready after ${patience} ms: is a module waiting for something?`)
      this.#giveUpIfSlow(worker)
    }, patience).unref()
    void member.started.then(() => clearTimeout(slow))
    void member.ended.then((ending) => {
      worker.end = ending
      this.#workers.delete(worker)
      this.#left = mergeSamples([this.#left, countsOf(member.metrics)])
      this.#settings.rotation.ended(member)
      if (worker.state === 'serving') this.#fill(worker)
    })
    return worker
  }

  /** One that waits for ever must not keep changed files out. */
  #giveUpIfSlow(worker: Worker): void {
    if (worker.state === 'starting' && worker.isSlow && this.#isStale) void this.#retire(worker)
  }

  /** A worker that is ready serves from now on. */
  #welcome(worker: Worker): void {
    if (worker.state !== 'starting') return
    worker.state = 'serving'
    if (!this.#workers.has(worker)) return this.#fill(worker)
    const { member } = worker
    if (this.#isReadinessDown) member.unready()
    this.#settings.rotation.add(member)
    void member.leaving.then(async () => {
      // If a supervisor signals every process, the primary has its signal by now.
      if (this.#isReadinessDown || this.#isStopping) return
      if (worker.state !== 'serving' || !this.#workers.has(worker)) return
      worker.state = 'leaving'
      await this.#replace('got a signal to end', 0)
      await this.#retire(worker)
    })
  }

  async #retire(worker: Worker): Promise<void> {
    if (worker.state === 'retiring' || !this.#workers.has(worker)) return
    worker.state = 'retiring'
    const { member } = worker
    this.#settings.rotation.remove(member)
    const report = await member.drain(this.#settings.times)
    // Requests that are cut while the crew stops are in its own report.
    const sum = sumReports([report])
    if (this.#isStopping || exitOfStop(sum) === 'ok') return
    this.#settings.report(`an old worker ${formatStopReport(sum)}`)
  }

  /** Replaces a worker that was lost. */
  #fill({ end }: Worker): void {
    if (this.#isStopping) return
    const wait = this.#recordDeath()
    if (wait === undefined) this.#giveUp()
    else void this.#replace(`ended ${end}`, wait)
  }

  async #replace(what: string, wait: number): Promise<void> {
    const { size, watches, report } = this.#settings
    const isComplete = (): boolean => this.#serving().length >= size
    report(`a worker ${what}, starting another`)
    await pause(wait)
    if (this.#isStopping || isComplete()) return
    const next = this.#fork()
    const outcome = await next.member.started
    if (this.#isStopping) return
    if (outcome.ok) {
      if (isComplete()) void this.#retire(next)
      else this.#welcome(next)
      return
    }
    report(outcome.reason.message)
    if (watches) return
    // Its end is the next loss: losses that come too fast make the crew give up.
    await next.member.ended
    this.#fill(next)
  }
}

const windowMs = 10_000
const maxDeaths = 5
const firstPauseMs = 100

/** Counts the deaths of workers: returns the pause before the next start, or undefined if they die too fast to go on. */
export function createDeathLog(now: () => number): () => number | undefined {
  let deaths: readonly number[] = []
  return () => {
    const at = now()
    deaths = [...deaths.filter((death) => at - death < windowMs), at]
    if (deaths.length >= maxDeaths) return undefined
    return deaths.length === 1 ? 0 : firstPauseMs * 2 ** (deaths.length - 2)
  }
}
