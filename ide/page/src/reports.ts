import type { Sentence } from './explain.js'

/** What the page shows about a response, above its result. */
export interface Report {
  /** The status and its reason, or what stands for them. */
  readonly title: string
  readonly tone: 'running' | 'good' | 'partial' | 'bad'
  readonly mediaType: string | undefined
  readonly milliseconds: number
  readonly bytes: number
  /** How many results a stream has brought; undefined for others. */
  readonly results: number | undefined
  /** How it ended, or that it is open. */
  readonly note: string | undefined
  readonly sentence: Sentence | undefined
}

/** What is known of a response, as it becomes known. */
export class RunningReport {
  readonly #reports: Reports
  readonly #startedAt: number
  #known: Omit<Report, 'milliseconds'>

  constructor(
    reports: Reports,
    begin: Pick<Report, 'title' | 'mediaType' | 'results'>,
    startedAt: number = performance.now(),
  ) {
    this.#reports = reports
    this.#startedAt = startedAt
    this.#known = { tone: 'running', bytes: 0, note: undefined, sentence: undefined, ...begin }
    this.show({})
  }

  get known(): Omit<Report, 'milliseconds'> {
    return this.#known
  }

  show(change: Partial<Report>): void {
    this.#known = { ...this.#known, ...change }
    const milliseconds = performance.now() - this.#startedAt
    this.#reports.set({ ...this.#known, milliseconds })
  }
}

/** The reports of tabs; components subscribe to it. */
export class Reports {
  readonly #byTab = new Map<string, Report>()
  readonly #listeners = new Set<() => void>()
  /** The tab that gets the next report: the one in which results are shown. */
  tab = ''

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  of(tab: string): Report | undefined {
    return this.#byTab.get(tab)
  }

  set(report: Report): void {
    this.#byTab.set(this.tab, report)
    for (const listener of this.#listeners) listener()
  }
}
