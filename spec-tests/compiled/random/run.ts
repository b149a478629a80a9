import type { TextResult } from '../differential/executors.js'
import { Random, seedOf } from '../../fuzz/random.js'

/** How often values wait, and how often they are at fault. */
export interface Mood {
  readonly waits: number
  readonly faults: number
}

/** What resolvers do in one execution: the same for the same seed, whoever executes and in whatever order. */
export interface RunSettings {
  readonly seed: number
  readonly mood: Mood
  /** The keys whose values are what they should be, whatever the seed says. */
  readonly calm: ReadonlySet<string>
  /** Executes the same operation once more within a resolver. */
  readonly again: (run: Run) => TextResult | Promise<TextResult>
  /** How many executions this one is within. */
  readonly depth: number
}

/** One execution of one operation: the context of its resolvers, and the record of what they saw. */
export class Run {
  readonly settings: RunSettings
  /** Each call of a resolver, and each property read, in order. */
  readonly calls: Call[] = []
  /** What was unusual, by key: what a failure is explained by. */
  readonly oddities = new Map<string, string>()

  constructor(settings: RunSettings) {
    this.settings = settings
  }

  randomFor(key: string): Random {
    return new Random(seedOf(this.settings.seed, key))
  }

  isCalm(key: string): boolean {
    return this.settings.calm.has(key)
  }

  note(key: string, oddity: string): void {
    this.oddities.set(key, oddity)
  }

  record(path: string | undefined, text: string): void {
    this.calls.push({ path, text })
  }

  /** The text of the same operation, executed at once within this execution. */
  executeAgain(): string {
    const { depth, mood, again } = this.settings
    if (depth > 1) return 'deep'
    const inner = new Run({ ...this.settings, mood: { ...mood, waits: 0 }, depth: depth + 1 })
    try {
      const result = again(inner)
      if (!('then' in result)) return `${result.text} ${result.errors.length}`
      result.then(undefined, () => undefined)
      return 'waits'
    } catch (error) {
      return `throws ${String(error)}`
    }
  }
}

/** What was seen of the execution: a call with its path in the response, or a read. */
export interface Call {
  readonly path: string | undefined
  readonly text: string
}
