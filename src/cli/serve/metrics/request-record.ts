import type { OperationDefinitionNode } from 'graphql'
import {
  wantsBody,
  type Answer,
  type Handler,
  type HttpResponse,
  type Options,
  type Reply,
  type RequestHead,
  type WantsBody,
} from '../../../index.js'

/** A request that was answered, for the log and the metrics. */
export interface RequestRecord {
  readonly head: RequestHead
  readonly response: HttpResponse
  /** In milliseconds, from the head of the request to the response. */
  readonly duration: number
  /** Undefined where none was selected. */
  readonly operation: OperationDefinitionNode | undefined
}

export interface Observer {
  begun(): void
  ended(record: RequestRecord): void
  /** The handler gave no response, since the body did not arrive. */
  dropped(): void
}

export interface Observation<Raw> {
  /** Adds a hook to the options that records the operation of each request. */
  readonly options: <Given extends Options<Raw>>(options: Given) => Given
  readonly handler: (handler: Handler<Raw>) => Handler<Raw>
}

/** Feeds both the log and the metrics. */
export function observeRequests<Raw>(observer: Observer): Observation<Raw> {
  const operations = new WeakMap<RequestHead, OperationDefinitionNode>()
  return {
    options: (options) => ({
      ...options,
      onResult(request, result) {
        if (request.operation !== undefined) operations.set(request.head, request.operation)
        return options.onResult?.(request, result)
      },
    }),
    handler: (handler) => (head) => {
      const start = performance.now()
      observer.begun()
      const done = (response: HttpResponse): HttpResponse => {
        const duration = performance.now() - start
        observer.ended({ head, response, duration, operation: operations.get(head) })
        return response
      }
      return tellEnd(handler(head), done, head, observer)
    },
  }
}

function tellEnd(
  reply: Reply,
  done: (response: HttpResponse) => HttpResponse,
  head: RequestHead,
  observer: Observer,
): Reply {
  const answered = (answer: Answer): Answer =>
    answer instanceof Promise ? answer.then(done) : done(answer)
  const observed = (response: HttpResponse | WantsBody): HttpResponse | WantsBody => {
    if (!wantsBody(response)) return done(response)
    let hasBody = false
    // Called for every request in the end. Only the host knows of a body that breaks off or exceeds the budget.
    head.onClientGone?.(() => {
      if (!hasBody) observer.dropped()
    })
    return {
      maxBytes: response.maxBytes,
      proceed(body) {
        hasBody = true
        return answered(response.proceed(body))
      },
    }
  }
  return reply instanceof Promise ? reply.then(observed) : observed(reply)
}
