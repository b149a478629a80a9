import type { Attributes, Histogram } from '@opentelemetry/api'
import type { FollowedTrace, Follower } from 'graphwire'
import type { RequestHead } from 'graphwire/http'
import { knownMethod, schemeOf } from './attributes.js'

/** The duration of a request, and its labels. */
export class Measured implements Follower {
  readonly #method: string
  readonly #scheme: string | undefined
  readonly #duration: Histogram | undefined
  readonly #startedAt: number

  constructor(head: RequestHead, duration: Histogram | undefined) {
    this.#method = knownMethod(head.method)
    this.#scheme = schemeOf(head)
    this.#duration = duration
    this.#startedAt = duration === undefined ? 0 : performance.now()
  }

  end({ route, result }: FollowedTrace): void {
    if (this.#duration === undefined) return
    const scheme = this.#scheme
    const status = result?.status
    const errorType = errorTypeOf(status)
    // The SDK makes a key of all labels for each value, also of those that are undefined.
    const labels: Attributes = { 'http.request.method': this.#method }
    if (scheme !== undefined) labels['url.scheme'] = scheme
    if (route !== undefined) labels['http.route'] = route
    if (status !== undefined) labels['http.response.status_code'] = status
    if (errorType !== undefined) labels['error.type'] = errorType
    this.#duration.record((performance.now() - this.#startedAt) / 1000, labels)
  }
}

/** Without a status the client has gone. */
export function errorTypeOf(status: number | undefined): string | undefined {
  if (status === undefined) return 'client_gone'
  return status >= 500 ? String(status) : undefined
}
