import type { GraphQLFormattedError } from 'graphql'
import type { JsonObject } from '../base/json.js'
import { toHeaderList, type RequestHead } from '../http/message.js'
import type { SocketOperations } from '../websocket/operations.js'

/** An operation for an endpoint of the same process. */
export interface InProcessRequest<Raw = unknown, Principal = unknown> {
  readonly query?: string | undefined
  readonly variables?: { readonly [name: string]: unknown } | undefined
  readonly operationName?: string | undefined
  readonly extensions?: { readonly [name: string]: unknown } | undefined
  /** The id of a stored document, in place of `query`. */
  readonly documentId?: string | undefined
  /** Takes the place of what `authenticate` returns, which is not called. */
  readonly principal?: Principal | undefined
  /** The headers of the request, for hooks. Default: none. */
  readonly headers?: Headers | { readonly [name: string]: string } | undefined
  /** `head.raw`, for hooks. Default: undefined. */
  readonly raw?: Raw | undefined
  /** Cancels the operation, which then throws the reason. */
  readonly signal?: AbortSignal | undefined
}

/** The response to an operation, as a client would have it. */
export interface InProcessResult<Data = unknown> {
  readonly data?: Data | null
  readonly errors?: readonly GraphQLFormattedError[]
  readonly extensions?: JsonObject
}

/** What `createEndpoint` returns. */
interface EndpointInProcess<Principal> {
  readonly operations: SocketOperations
  readonly '~principal'?: (principal: Principal) => void
}

/**
 * Executes an operation of an endpoint without HTTP: limits and hooks are those of requests, and refusals are errors of the
 * result. Of a subscription it is the first event. If you name `Data`, name the type of the principal, too.
 */
export async function executeInProcess<Data = unknown, Principal = never>(
  endpoint: EndpointInProcess<Principal>,
  request: InProcessRequest<unknown, NoInfer<Principal>>,
): Promise<InProcessResult<Data>> {
  for await (const result of subscribeInProcess<Data, Principal>(endpoint, request)) return result
  return { data: null }
}

/** The results of an operation without HTTP: the events of a subscription, or the only result. Ending the loop ends it. */
export function subscribeInProcess<Data = unknown, Principal = never>(
  { operations }: EndpointInProcess<Principal>,
  request: InProcessRequest<unknown, NoInfer<Principal>>,
): AsyncGenerator<InProcessResult<Data>, void, undefined> {
  const left = new AbortController()
  const results = play<Data>(operations, request, left.signal)
  const end = results.return.bind(results)
  // The `return` of a generator waits for a `next` that may wait for ever.
  results.return = (value) => {
    left.abort()
    return end(value)
  }
  return results
}

async function* play<Data>(
  operations: SocketOperations,
  { principal, signal, headers = {}, raw, ...params }: InProcessRequest,
  left: AbortSignal,
): AsyncGenerator<InProcessResult<Data>, void, undefined> {
  signal?.throwIfAborted()
  const results: InProcessResult<Data>[] = []
  let isOver = false
  let wake: (() => void) | undefined
  const take = (result: InProcessResult<Data> | undefined, isLast: boolean): void => {
    if (result !== undefined) results.push(result)
    isOver = isLast
    wake?.()
  }
  const head: RequestHead = {
    method: 'POST',
    target: '/',
    headers: toHeaderList(headers),
    raw,
  }
  // Copied through JSON, as it would arrive over HTTP.
  const payload: unknown = JSON.parse(JSON.stringify(params))
  const running = operations.start({ head, principal, isInProcess: true }, payload, {
    next(text) {
      take(JSON.parse(text) as InProcessResult<Data>, false)
      // The next event is made when this one is taken.
      return false
    },
    complete: () => take(undefined, true),
    error: (errors) => take({ errors: JSON.parse(errors) as GraphQLFormattedError[] }, true),
  })
  const stop = (): void => {
    running.stop(signal?.aborted ? 'client-gone' : 'client-complete')
    wake?.()
  }
  signal?.addEventListener('abort', stop)
  left.addEventListener('abort', stop)
  try {
    while (!left.aborted) {
      signal?.throwIfAborted()
      const result = results.shift()
      if (result !== undefined) {
        yield result
        running.resume()
      } else if (isOver) return
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}
