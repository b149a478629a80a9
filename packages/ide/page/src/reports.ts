import type { Sentence, Situation } from './explain.js'
import type { Field, SentRequest } from './request.js'
import { toneOf, type Result, type ResultTone } from './results.js'

/** What the page shows about a response, above its result. */
export interface Report {
  /** The status and its reason, or what stands for them. */
  readonly title: string
  readonly tone: 'running' | 'neutral' | ResultTone
  /** Tells operations apart, too. */
  readonly startedAt: number
  /** Undefined until a response has begun. */
  readonly mediaType: string | undefined
  /** Undefined if nothing was sent. */
  readonly milliseconds: number | undefined
  readonly bytes: number
  /** How many results a stream has brought; undefined for others. */
  readonly results: number | undefined
  /** How many of these have errors. */
  readonly withErrors: number
  /** How it ended, or that it is open. */
  readonly note: string | undefined
  readonly sentence: Sentence | undefined
  /** What the steps are told by; undefined without a status. */
  readonly situation: Situation | undefined
  /** Undefined if nothing was sent, or over a WebSocket. */
  readonly request: SentRequest | undefined
  /** Of the response. */
  readonly headers: readonly Field[]
  readonly events: readonly TimedEvent[]
}

/** Something that happened while an operation ran. */
export interface TimedEvent {
  /** From 1 in each operation. */
  readonly number: number
  /** Milliseconds since the operation was sent. */
  readonly at: number
  readonly name: string
  readonly text: string
}

/** A stream may be endless: the oldest events are dropped. */
const maxEvents = 500

/** A longer text is cut: the result shows it whole. */
const maxText = 20_000

const nothing: Omit<Report, 'title' | 'tone' | 'startedAt'> = {
  mediaType: undefined,
  milliseconds: undefined,
  bytes: 0,
  results: undefined,
  withErrors: 0,
  note: undefined,
  sentence: undefined,
  situation: undefined,
  request: undefined,
  headers: [],
  events: [],
}

/** What is known of a response, as it becomes known. */
export class RunningReport {
  readonly #reports: Reports
  #known: Report

  constructor(reports: Reports, request?: SentRequest) {
    this.#reports = reports
    const startedAt = performance.now()
    this.#known = {
      ...nothing,
      title: 'Waiting for the response',
      tone: 'running',
      startedAt,
      request,
    }
  }

  get known(): Report {
    return this.#known
  }

  show(change: Partial<Report>): void {
    const milliseconds = performance.now() - this.#known.startedAt
    this.#known = { ...this.#known, milliseconds, ...change }
    this.#reports.set(this.#known)
  }

  event(name: string, text: string): void {
    const { events } = this.#known
    const at = performance.now() - this.#known.startedAt
    const number = (events.at(-1)?.number ?? 0) + 1
    const event = { number, at, name, text: text.slice(0, maxText) }
    this.show({ events: [...events.slice(1 - maxEvents), event] })
  }

  add(bytes: number): void {
    this.show({ bytes: this.#known.bytes + bytes })
  }

  /** The whole body of a response has arrived; not called for streams. */
  whole(bytes: number, result: Result | undefined): void {
    const { tone } = this.#known
    this.show({ bytes, tone: tone === 'good' ? toneOf(result) : tone })
    this.event('body', `${bytes} bytes`)
  }

  /** A stream has brought another result. */
  result(result: Result): void {
    const { results = 0, withErrors, tone } = this.#known
    const isGood = toneOf(result) === 'good'
    this.show({
      results: results + 1,
      withErrors: isGood ? withErrors : withErrors + 1,
      tone: isGood ? tone : toneOf(result),
    })
  }

  stopped(): void {
    const isRunning = this.#known.tone === 'running'
    this.show(isRunning ? { title: 'Stopped', tone: 'neutral' } : { note: 'stopped' })
    this.event('stopped', '')
  }

  /** What went wrong is shown as the result: a page is told no more than that. */
  failed(title: string): void {
    const isRunning = this.#known.tone === 'running'
    this.show(isRunning ? { title, tone: 'bad' } : { tone: 'bad', note: 'broken off' })
    this.event(isRunning ? 'failed' : 'broken off', isRunning ? title : '')
  }
}

/** The reports of tabs; components subscribe to it. */
export class Reports {
  readonly #byTab = new Map<string, Report>()
  readonly #listeners = new Set<() => void>()
  /** The tab that gets the next report: the one in which results are shown. */
  tab = ''
  /** How many operations were sent. */
  sent = 0
  /** Whether the schema could not be read, but perhaps can with another header, or later. */
  mayReadSchemaLater = false

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

  /** A report of something else than a response. */
  say(title: string, tone: Report['tone']): void {
    this.set({ ...nothing, title, tone, startedAt: performance.now() })
  }
}
