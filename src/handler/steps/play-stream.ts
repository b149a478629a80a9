import { inThisContext } from '../../base/async-context.js'
import { callApart, inTime, isPromise } from '../../base/promise.js'
import { showValue } from '../../shapes/show-value.js'
import { isTraced, tracingChannel } from '../../graphql/js/tracing.js'
import { reportBug } from '../../options/report.js'
import type { RequestInfo } from '../../options/request-info.js'
import type { Settings } from '../../options/settings.js'
import type { Outlet } from '../../streams/outlet.js'
import type { Program } from '../../streams/program.js'
import type { Pump } from '../../streams/pump.js'
import type { StreamEnd, StreamReport, Streams, StreamWatcher } from '../../streams/streams.js'
import { beginFacts } from '../road/facts.js'

/** The message on `tracing:graphwire:stream:start` and `:asyncEnd`: one object per stream. */
export interface StreamTrace {
  readonly transport: StreamEnd['transport']
  readonly field: string
  readonly operationName: string | undefined
  /** Set when the stream has ended. */
  result?: StreamEnd
}

const channel = tracingChannel('graphwire:stream')

/** A stream, and where it goes. */
interface Playing {
  readonly program: Program
  readonly outlet: Outlet
  readonly transport: StreamEnd['transport']
}

/** Plays the stream of a request: traced, reported when it ends, and ended with its credentials. */
export function playStream(
  { program, outlet, transport }: Playing,
  facts: RequestInfo,
  settings: Settings,
  streams: Streams,
): Pump {
  const watcher = new Watcher(transport, facts, settings)
  watcher.started(program)
  const pump = streams.play(program, outlet, watcher)
  // The credentials of a socket are those of all its streams, and are watched there.
  if (transport !== 'websocket' && pump.state !== 'ended') {
    watcher.unwatch = watchCredentials(facts, settings, streams, () => pump.end('expired'))
  }
  return pump
}

/** Publishes the trace of a stream, and reports its end. */
class Watcher implements StreamWatcher {
  unwatch: () => void = nothing
  readonly #transport: StreamEnd['transport']
  readonly #facts: RequestInfo
  readonly #settings: Settings
  #trace: StreamTrace | undefined

  constructor(transport: StreamEnd['transport'], facts: RequestInfo, settings: Settings) {
    this.#transport = transport
    this.#facts = facts
    this.#settings = settings
  }

  started({ field, operationName }: Program): void {
    if (!isTraced(channel)) return
    this.#trace = { transport: this.#transport, field, operationName }
    channel.start.publish(this.#trace)
  }

  ended(report: StreamReport): void {
    this.unwatch()
    const end: StreamEnd = { ...report, transport: this.#transport }
    if (this.#trace !== undefined) {
      this.#trace.result = end
      channel?.asyncEnd.publish(this.#trace)
    }
    const { onStreamEnd } = this.#settings
    if (onStreamEnd === undefined) return
    callApart(
      () => onStreamEnd(end, this.#facts),
      (bug) => reportBug(this.#settings, bug, this.#facts),
    )
  }
}

function nothing(): void {}

/** Watches the credentials of a caller until the returned function is called. */
export function watchCredentials(
  caller: Pick<RequestInfo, 'head' | 'principal'>,
  settings: Settings,
  streams: Streams,
  expired: () => void,
): () => void {
  const { credentialExpiry, recheck, executionTimeout } = settings
  if (credentialExpiry === undefined && recheck === undefined) return nothing
  const { head, principal } = caller
  const failed = (bug: unknown): void =>
    void reportBug(settings, bug, { ...beginFacts(head, 0), ...caller })
  const check = async (): Promise<boolean> => {
    let isValid: unknown
    try {
      const asked = Promise.resolve(recheck?.(principal, head))
      isValid = await inTime(asked, executionTimeout, 'recheck')
    } catch (bug) {
      // An outage of the store of keys must not end all streams.
      failed(bug)
      return true
    }
    if (typeof isValid !== 'boolean') {
      failed(new TypeError(`recheck: expected true or false, got ${showValue(isValid)}.`))
    }
    return isValid === true
  }
  const expiry = (): number => {
    try {
      const returned: unknown = credentialExpiry?.(principal) ?? Infinity
      // One that rejects must not end the process.
      if (isPromise(returned)) returned.then(undefined, nothing)
      const at = Number(returned)
      if (!Number.isNaN(at)) return at
      throw new TypeError(
        'credentialExpiry: expected a Date, milliseconds since 1970, or undefined.',
      )
    } catch (bug) {
      // Credentials with an unknown expiry are not trusted.
      failed(bug)
      return 0
    }
  }
  return streams.watch({ expiresAt: expiry(), check: recheck && inThisContext(check), expired })
}
