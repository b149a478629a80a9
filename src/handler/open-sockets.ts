import { callApart } from '../base/promise.js'
import type { HttpResponse, RequestHead } from '../http/message.js'
import { hasPath } from '../http/target.js'
import { reportBug } from '../options/report.js'
import type { Settings } from '../options/settings.js'
import { beginFacts } from './road/facts.js'
import { traceResponse } from './trace-request.js'

/** The response to a handshake that opens a socket, as far as all runtimes know it. */
const switchingProtocols: HttpResponse = { status: 101, headers: [], body: '' }

/** The sockets of an endpoint, over all its hosts: how many are open, and how their handshakes were answered. */
export class OpenSockets {
  #size = 0
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  get size(): number {
    return this.#size
  }

  opened(head: RequestHead): void {
    this.#size += 1
    this.#report(head, switchingProtocols)
  }

  closed(): void {
    this.#size -= 1
  }

  refused(head: RequestHead, response: HttpResponse): void {
    this.#report(head, response)
  }

  #report(head: RequestHead, response: HttpResponse): void {
    const { path } = this.#settings
    const route = path !== undefined && hasPath(head.target, path) ? path : undefined
    traceResponse(head, response, { route })
    const { onHandshake } = this.#settings
    if (onHandshake === undefined) return
    const failed = (bug: unknown): void => void reportBug(this.#settings, bug, beginFacts(head, 0))
    callApart(() => onHandshake(head, response), failed)
  }
}
