import { setTimeout as pause } from 'node:timers/promises'
import type { Outcome } from '../../index.js'
import type { CliError } from '../cli-error.js'
import { createDeathLog } from './death-log.js'
import type { Member, Ready } from './fork-worker.js'
import type { DrainTimes } from './messages.js'
import { sumReports, type StopReport } from './stop-report.js'

/** How a crew is made. */
export interface CrewSettings {
  readonly size: number
  /** Whether a start that fails waits for a change of the files instead of being tried again. */
  readonly watches: boolean
  readonly fork: () => Member
  /** Gives connections to those that it has been told of. */
  readonly rotation: {
    add(member: Member): void
    remove(member: Member): void
  }
  /** How long a worker may take to end whose place another has taken. */
  readonly times: DrainTimes
  readonly report: (text: string) => void
  readonly now: () => number
}

/** The processes that serve: replaced when they die, and all together when the schema changes. */
export class Crew {
  /** Resolves when the workers die so fast that the crew has given up. */
  readonly gaveUp: Promise<void>
  readonly #settings: CrewSettings
  readonly #recordDeath: () => number | undefined
  readonly #alive = new Set<Member>()
  /** Those that take connections; whoever ends without having left it has died. */
  #serving = new Set<Member>()
  #giveUp: () => void = () => {}
  #leaving = false
  #stopping = false
  #firstStart: Promise<unknown> | undefined
  #renewing: Promise<void> | undefined
  #changedAgain = false

  constructor(settings: CrewSettings) {
    this.#settings = settings
    this.#recordDeath = createDeathLog(settings.now)
    this.gaveUp = new Promise((resolve) => {
      this.#giveUp = resolve
    })
  }

  /** Starts the first workers, and gives what one of them says of itself. */
  start(): Promise<Outcome<Ready, CliError>> {
    const started = this.#startAll()
    this.#firstStart = started
    return started
  }

  /** Puts workers with the new schema in the place of the old, which stay when the new one is broken. */
  renew(): Promise<void> {
    // What has not begun to start will read the files as they are then.
    if (this.#firstStart === undefined) return Promise.resolve()
    this.#changedAgain = true
    this.#renewing ??= this.#renewWhileChanged()
    return this.#renewing
  }

  /** Lets the readiness of all workers fail; they serve on. */
  leave(): void {
    this.#leaving = true
    for (const member of this.#alive) member.unready()
  }

  /** Lets every worker answer what it has, and resolves when all have ended. */
  async stop(times: DrainTimes): Promise<StopReport> {
    this.#stopping = true
    return sumReports(await Promise.all([...this.#alive].map((member) => member.drain(times))))
  }

  /** Ends every worker at once. */
  kill(): void {
    for (const member of this.#alive) member.kill()
  }

  async #renewWhileChanged(): Promise<void> {
    const { report } = this.#settings
    await this.#firstStart
    while (this.#changedAgain && !this.#stopping) {
      this.#changedAgain = false
      const outcome = await this.#startAll()
      if (this.#stopping) return
      if (outcome.ok) {
        report(`reloaded ${outcome.value.facts[0]?.[1] ?? ''}`)
      } else {
        report(outcome.reason.message)
        report(this.#serving.size > 0 ? 'still serving the old schema' : 'waiting for a change')
      }
    }
    this.#renewing = undefined
  }

  async #startAll(): Promise<Outcome<Ready, CliError>> {
    // One first: what is wrong with a schema is then told once, and not by each worker.
    const first = this.#fork()
    const ready = await first.started
    if (!ready.ok) return ready
    const members = [first]
    while (members.length < this.#settings.size) members.push(this.#fork())
    for (const { started } of members) {
      const outcome = await started
      if (outcome.ok) continue
      for (const member of members) void this.#retire(member)
      return outcome
    }
    const before = this.#serving
    this.#serving = new Set()
    for (const member of members) this.#welcome(member)
    for (const member of before) void this.#retire(member)
    return ready
  }

  #welcome(member: Member): void {
    this.#serving.add(member)
    if (this.#leaving) member.unready()
    this.#settings.rotation.add(member)
    void member.ended.then((how) => this.#replace(member, `ended ${how}`, this.#recordDeath))
    void member.leaving.then(async () => {
      // A supervisor may tell every process to end: the primary has heard of it too.
      if (this.#leaving || this.#stopping) return
      await this.#replace(member, 'was told to end', () => 0)
      await this.#retire(member)
    })
  }

  async #retire(member: Member): Promise<void> {
    this.#settings.rotation.remove(member)
    const report = await member.drain(this.#settings.times)
    // At the end of everything it is part of the sum.
    if (this.#stopping || report?.cut === 0) return
    const cut = report === undefined ? 'all of its requests' : `${report.cut} of its requests`
    this.#settings.report(`a worker could not end in time, and ${cut} had to be cut`)
  }

  #fork(): Member {
    const member = this.#settings.fork()
    this.#alive.add(member)
    void member.ended.then(() => {
      this.#alive.delete(member)
      this.#settings.rotation.remove(member)
    })
    return member
  }

  async #replace(member: Member, what: string, nextPause: () => number | undefined): Promise<void> {
    const { size, watches, report } = this.#settings
    if (this.#stopping || !this.#serving.delete(member)) return
    const wait = nextPause()
    if (wait === undefined) {
      this.#giveUp()
      return
    }
    report(`a worker ${what}, starting another`)
    await pause(wait)
    if (this.#stopping || this.#serving.size >= size) return
    const next = this.#fork()
    const outcome = await next.started
    if (this.#stopping) return
    if (!outcome.ok) report(outcome.reason.message)
    if (!outcome.ok && watches) return
    if (this.#serving.size >= size) {
      void this.#retire(next)
      return
    }
    // One that failed has ended, or is about to: it counts as the next death.
    this.#welcome(next)
  }
}
