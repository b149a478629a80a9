import { ByteBudget } from '../../src/base/byte-budget.js'
import { UnreadBudget } from '../../src/base/unread-budget.js'
import { failure, success } from '../../src/base/outcome.js'
import type { RequestHead } from '../../src/http/message.js'
import { TurnLines } from '../../src/base/turn-lines.js'
import { Turns } from '../../src/base/turns.js'
import type { SocketOperations } from '../../src/websocket/operations.js'
import type { SessionRules, SocketPort } from '../../src/websocket/socket.js'
import { Session } from '../../src/websocket/session.js'

type Given = Parameters<SocketOperations['start']>

interface Started {
  readonly client: Given[0]
  readonly payload: unknown
  readonly outlet: Given[2]
  readonly stopped: string[]
  resumed: number
  isStream: boolean
}

export class FakePort implements SocketPort {
  readonly log: string[] = []
  unsent = 0

  get bufferedAmount(): number {
    return this.unsent
  }

  send(text: string): void {
    this.log.push(text)
  }

  ping(): void {
    this.log.push('<ping>')
  }

  close(code: number, reason: string): void {
    this.log.push(`<close ${code} ${reason}>`)
  }

  terminate(): void {
    this.log.push('<terminate>')
  }

  take(): string[] {
    return this.log.splice(0)
  }
}

export const rules: SessionRules = {
  maxSockets: 9,
  maxWaitingSockets: 9,
  maxPendingBytes: 9000,
  maxUnreadBytes: 9000,
  connectionInitTimeout: 3000,
  maxStreamsPerSocket: 3,
  messagesPerSecond: 10,
  messageBurst: 50,
  maxUnsent: 1000,
  maxMessageBytes: 5000,
}

const maxPendingBytes = 10_000

const limits = {
  heartbeat: 12_000,
  streamSendTimeout: 30_000,
  maxJsonNesting: 16,
  needsQuery: true,
  clientShare: 50,
}

export interface Faked {
  readonly head?: Partial<RequestHead>
  readonly rules?: Partial<SessionRules>
  readonly authenticate?: SocketOperations['authenticate']
  /** Called in `start`, before it returns. */
  readonly begun?: (started: Started) => void
  /** What still runs of an operation that is stopped. */
  readonly left?: Promise<void>
  /** By default, a turn is never over. */
  readonly turns?: Turns
  readonly lines?: TurnLines<string | object>
  /** By default, no other session shares it. */
  readonly forRun?: ByteBudget
  /** Whose socket it is. */
  readonly owner?: string
}

/** A session with a port and operations that the test controls. */
export function fakeSession({
  head,
  rules: given,
  authenticate,
  begun,
  left,
  turns = new Turns(Infinity, 1),
  lines = new TurnLines(turns),
  forRun = new ByteBudget(maxPendingBytes, limits.clientShare),
  owner,
}: Faked = {}) {
  const port = new FakePort()
  const started: Started[] = []
  const bugs: unknown[] = []
  const events: string[] = []
  const watched = { expired: (): void => undefined, isWatched: false }
  const operations: SocketOperations = {
    limits,
    checkUpgrade: () => undefined,
    clientOf: () => owner,
    opened: () => void events.push('opened'),
    refused: () => void events.push('refused'),
    closed: () => undefined,
    authenticate: authenticate ?? (() => success('someone')),
    watch(_, expired) {
      watched.expired = expired
      watched.isWatched = true
      return () => void (watched.isWatched = false)
    },
    start(client, payload, outlet) {
      const one: Started = { client, payload, outlet, stopped: [], resumed: 0, isStream: true }
      started.push(one)
      begun?.(one)
      return {
        get isStream() {
          return one.isStream
        },
        resume: () => void (one.resumed += 1),
        stop(cause) {
          one.stopped.push(cause)
          return left
        },
      }
    },
    reportBug: (bug) => void bugs.push(bug),
  }
  const full: RequestHead = { method: 'GET', target: '/graphql', headers: [], raw: {}, ...head }
  const shared: ConstructorParameters<typeof Session>[2] = {
    operations,
    rules: { ...rules, ...given },
    pending: new ByteBudget(maxPendingBytes, limits.clientShare),
    forTurn: new ByteBudget(maxPendingBytes, limits.clientShare),
    forRun,
    unread: new UnreadBudget(100_000, 0),
    closing: new ByteBudget(100_000, limits.clientShare),
    turns,
    lines,
    settled: ({ state }) => void events.push(state),
  }
  const session = new Session(full, port, shared, 0)
  const receive = (...texts: readonly string[]): void => {
    for (const text of texts) session.receive(text)
  }
  return { session, receive, port, started, bugs, events, watched, operations }
}

export type FakeSession = ReturnType<typeof fakeSession>

export const init = '{"type":"connection_init"}'
export const ack = '{"type":"connection_ack"}'

export function subscribe(id: string, query = '{a}'): string {
  return JSON.stringify({ id, type: 'subscribe', payload: { query } })
}

export function complete(id: string): string {
  return JSON.stringify({ id, type: 'complete' })
}

export function acknowledged(faked: Faked = {}): FakeSession {
  const fake = fakeSession(faked)
  fake.session.receive(init)
  fake.port.take()
  return fake
}

/** One with operations that run, by these ids. */
export function running(ids: readonly string[], faked: Faked = {}): FakeSession {
  const fake = acknowledged(faked)
  fake.receive(...ids.map((id) => subscribe(id)))
  return fake
}

export const denied = (message: string) => failure({ kind: 'denied', message } as const)
