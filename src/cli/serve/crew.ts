import { setTimeout as pause } from 'node:timers/promises'
import type { Outcome } from '../../index.js'
import type { CliError } from '../cli-error.js'
import { createDeathLog } from './death-log.js'
import type { Member, Ready } from './fork-worker.js'

/** How a crew is made. */
export interface CrewSettings {
  readonly size: number
  /** Whether a start that fails waits for a change of the files instead of being tried again. */
  readonly watches: boolean
  readonly fork: () => Member
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
  #stopping = false
  #firstStart: Promise<unknown> = Promise.resolve()
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
    this.#changedAgain = true
    this.#renewing ??= this.#renewWhileChanged()
    return this.#renewing
  }

  /** Lets every worker answer what it has, and resolves when all have ended. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const member of this.#alive) void member.drain()
    await Promise.all([...this.#alive].map(({ ended }) => ended))
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
      for (const member of members) void member.drain()
      return outcome
    }
    const before = this.#serving
    this.#serving = new Set(members)
    for (const member of members) this.#replaceAtDeath(member)
    await Promise.all([...before].map((member) => member.drain()))
    return ready
  }

  #fork(): Member {
    const member = this.#settings.fork()
    this.#alive.add(member)
    void member.ended.then(() => this.#alive.delete(member))
    return member
  }

  #replaceAtDeath(member: Member): void {
    void member.ended.then((how) => this.#replace(member, how))
  }

  async #replace(member: Member, how: string): Promise<void> {
    const { size, watches, report } = this.#settings
    if (this.#stopping || !this.#serving.delete(member)) return
    const wait = this.#recordDeath()
    if (wait === undefined) {
      this.#giveUp()
      return
    }
    report(`a worker ended ${how}, starting another`)
    await pause(wait)
    if (this.#stopping || this.#serving.size >= size) return
    const next = this.#fork()
    const outcome = await next.started
    if (this.#stopping) return
    if (!outcome.ok) report(outcome.reason.message)
    if (!outcome.ok && watches) return
    if (this.#serving.size >= size) {
      void next.drain()
      return
    }
    // One that failed has ended, or is about to: it counts as the next death.
    this.#serving.add(next)
    this.#replaceAtDeath(next)
  }
}
