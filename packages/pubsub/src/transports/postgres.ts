import {
  aFunction,
  checkOptions,
  inTime,
  milliseconds,
  objectOf,
  required,
  resolveNumbers,
  shapesOf,
  wholeNumberFrom,
  type NumbersOf,
  type Resolved,
} from 'graphwire/base'
import { type PostgresClient, discard } from './postgres-client.js'
import { quoteChannel, readNotification, toChannel, toPayload } from './postgres-names.js'
import type { Transport, Link, Receiver } from './transport.js'
import { maxAnswerMs, Presence } from './presence.js'

export interface PostgresOptions extends NumbersOf<typeof postgresRows> {
  /** Makes a connected client of `pg`, such as `() => pool.connect()`, at the start and after each loss. It is used for nothing else. */
  readonly connect: () => Promise<PostgresClient>
}

/** The numbers of the transport. To add one, add a row. */
export const postgresRows = {
  /** The longest pause between attempts to reconnect to PostgreSQL, in milliseconds. The first one is 100 ms; each further one is twice as long. At most 300,000. Default: 5,000. */
  // Reason: instances that lost a database should not keep it from starting.
  maxRetryDelay: milliseconds(5000, {
    least: 100,
    most: 300_000,
  }),
}

const postgresShape = objectOf<PostgresOptions>('{ connect: () => pool.connect() }', {
  connect: required(aFunction),
  ...shapesOf(postgresRows, wholeNumberFrom),
})

/**
 * A transport over LISTEN and NOTIFY of PostgreSQL. Events are small: about 8,000 bytes as JSON, so publish ids. A trigger may
 * publish too: `pg_notify('person.changed', '{"id":1}')`.
 */
export function postgresTransport(options: PostgresOptions): Transport {
  checkOptions('postgresTransport', options, postgresShape)
  const settings = { ...options, ...resolveNumbers(postgresRows, options) }
  return (receiver) => new PostgresLink(settings, receiver)
}

interface ChannelBatch {
  readonly channels: Set<string>
  readonly sent: Promise<void>
}

type LinkSettings = PostgresOptions & Resolved<typeof postgresRows>

const firstRetryDelay = 100

/** How often to ask whether the connection lives: while it only listens, nothing else would show that. */
const beatMs = 30_000

/** Listens and notifies over one connection, and makes another when it is lost. */
class PostgresLink implements Link {
  readonly #settings: LinkSettings
  readonly #receiver: Receiver
  readonly #presence: Presence
  /** The names that are listened to by their channel: several long ones may share it. */
  readonly #names = new Map<string, Set<string>>()
  /** Settles with the first attempt to connect, then with the last query. */
  #last: Promise<void>
  /** What goes out in one query, at its turn. */
  #batch: ChannelBatch | undefined
  #client: PostgresClient | undefined
  #retryDelay = firstRetryDelay
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #beat: ReturnType<typeof setInterval>
  #isClosed = false

  constructor(settings: LinkSettings, receiver: Receiver) {
    this.#settings = settings
    this.#receiver = receiver
    this.#presence = new Presence('PostgreSQL', receiver)
    this.#last = this.#connect()
    this.#beat = setInterval(() => void this.#query(() => 'select 1').catch(() => {}), beatMs)
    this.#beat.unref?.()
  }

  async publish(name: string, text: string): Promise<void> {
    const payload = toPayload(name, text)
    await this.#query(() => 'select pg_notify($1, $2)', [toChannel(name), payload])
  }

  async listen(name: string): Promise<void> {
    const channel = toChannel(name)
    this.#names.set(channel, (this.#names.get(channel) ?? new Set()).add(name))
    await this.#update(channel)
  }

  async unlisten(name: string): Promise<void> {
    const channel = toChannel(name)
    const names = this.#names.get(channel)
    names?.delete(name)
    if (names === undefined || names.size > 0) return
    this.#names.delete(channel)
    // Another connection would listen to nothing.
    if (this.#client !== undefined) await this.#update(channel)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    clearInterval(this.#beat)
    this.#leave()
  }

  /**
   * Listens to a channel, or no longer, as its names want it by then. One query for all that change until its turn:
   * subscribers that come and go fast would otherwise keep publishers waiting.
   */
  async #update(channel: string): Promise<void> {
    const { channels, sent } = (this.#batch ??= this.#startBatch())
    channels.add(channel)
    try {
      await sent
    } catch (cause) {
      if (channels.size === 1 || !isAnswer(cause)) throw cause
      // Another one may be at fault.
      await this.#query(() => this.#commandFor(channel))
    }
  }

  #startBatch(): ChannelBatch {
    const channels = new Set<string>()
    const sent = this.#query(() => {
      this.#batch = undefined
      return Array.from(channels, (channel) => this.#commandFor(channel)).join('; ')
    })
    return { channels, sent }
  }

  #commandFor(channel: string): string {
    return `${this.#names.has(channel) ? 'listen' : 'unlisten'} ${quoteChannel(channel)}`
  }

  /** Queries follow one another, as `pg` wants it. One that was rejected because of an outage is not sent after it. */
  async #query(toText: () => string, values?: unknown[]): Promise<void> {
    await this.#presence.send(() => {
      const wanted = this.#client
      const query = this.#last.then(async () => {
        const client = this.#client
        if (client === undefined || (wanted !== undefined && client !== wanted)) {
          throw new Error('The connection was lost.')
        }
        const answer = client.query(toText(), values)
        await inTime(answer, maxAnswerMs, 'PostgreSQL').catch((cause: unknown) => {
          if (!isAnswer(cause) && client === this.#client) this.#onLost(cause)
          throw cause
        })
      })
      this.#last = query.catch(() => {})
      return query
    })
  }

  async #connect(): Promise<void> {
    try {
      const client = await this.#settings.connect()
      if (this.#isClosed) return discard(client)
      client.on('notification', this.#onNotification)
      client.on('error', this.#onLost)
      client.on('end', this.#onLost)
      this.#client = client
      this.#retryDelay = firstRetryDelay
      this.#presence.regained()
    } catch (cause) {
      this.#retry(cause)
    }
  }

  #retry(cause: unknown): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => void this.#connect(), this.#retryDelay)
    this.#timer.unref?.()
    this.#retryDelay = Math.min(this.#retryDelay * 2, this.#settings.maxRetryDelay)
    this.#presence.lost(cause)
  }

  #leave(): void {
    const client = this.#client
    if (client === undefined) return
    this.#client = undefined
    this.#batch = undefined
    client.off('notification', this.#onNotification)
    client.off('error', this.#onLost)
    client.off('end', this.#onLost)
    discard(client)
  }

  readonly #onLost = (cause?: unknown): void => {
    this.#leave()
    this.#retry(cause ?? new Error('The connection was closed.'))
  }

  readonly #onNotification = (notification: unknown): void => {
    const { channel, payload = '' } = notification as { channel: string; payload?: string }
    const found = readNotification(channel, payload)
    if (found !== undefined) this.#receiver.text(found.name, found.text)
  }
}

/** Whether the server has refused a command, and did not end the session (57P01 ...), which `pg` reports only later. */
function isAnswer(failure: unknown): boolean {
  const { severity, code } = failure as { readonly severity?: unknown; readonly code?: unknown }
  return severity !== undefined && !String(code).startsWith('57P')
}
