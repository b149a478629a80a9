import type { OperationDefinitionNode } from 'graphql'
import {
  wantsBody,
  type AwaitableResponse,
  type Handler,
  type HttpResponse,
  type Options,
  type Reply,
  type RequestHead,
  type ResultInfo,
  type StreamEnd,
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
  /** Those of the errors in the response, each once. */
  readonly codes: readonly string[]
}

/** A GraphQL request that has its response or its stream, over whichever transport. */
export interface OperationRecord {
  readonly head: RequestHead
  readonly result: ResultInfo
}

/** A stream that has ended, for the log and the metrics. */
export interface StreamRecord {
  readonly head: RequestHead
  readonly end: StreamEnd
}

export interface Observer {
  begun(): void
  /** A stream has ended, long after its response began. */
  streamEnded(record: StreamRecord): void
  ended(record: RequestRecord): void
  operationEnded(record: OperationRecord): void
  /** The handler gave no response, since the host refused the body. */
  dropped(): void
}

export interface Observation<Raw> {
  /** Adds hooks to the options that record the operation of each request, handshakes, and the end of each stream. */
  readonly options: <Given extends Options<Raw>>(options: Given) => Given
  readonly handler: (handler: Handler<Raw>) => Handler<Raw>
}

/** Feeds both the log and the metrics. */
export function observeRequests<Raw>(observer: Observer): Observation<Raw> {
  const operations = new WeakMap<RequestHead, OperationDefinitionNode>()
  const codes = new WeakMap<RequestHead, ReadonlySet<string>>()
  const reportEnd = (head: RequestHead, response: HttpResponse, duration: number): void => {
    const found = codes.get(head) ?? codeOfRefusal(response)
    observer.ended({ head, response, duration, operation: operations.get(head), codes: [...found] })
  }
  return {
    options: (options) => ({
      ...options,
      onResult(request, result) {
        const { operation, head } = request
        if (operation !== undefined) operations.set(head, operation)
        // The operations of a batch have one head.
        codes.set(head, new Set([...(codes.get(head) ?? []), ...result.errorCodes]))
        observer.operationEnded({ head, result })
        return options.onResult?.(request, result)
      },
      onStreamEnd(end, request) {
        observer.streamEnded({ head: request.head, end })
        return options.onStreamEnd?.(end, request)
      },
      onHandshake(head, response) {
        observer.begun()
        reportEnd(head, response, 0)
        return options.onHandshake?.(head, response)
      },
    }),
    handler: (handler) => (head) => {
      const start = performance.now()
      observer.begun()
      const done = (response: HttpResponse): HttpResponse => {
        const duration = performance.now() - start
        reportEnd(head, response, duration)
        return response
      }
      const missed = (): void => {
        if (!hasLeft(head)) return observer.dropped()
        codes.set(head, cancelled)
        done(unreceived)
      }
      return tellEnd(handler(head), done, head, missed)
    },
  }
}

function tellEnd(
  reply: Reply,
  done: (response: HttpResponse) => HttpResponse,
  head: RequestHead,
  missed: () => void,
): Reply {
  const finish = (response: AwaitableResponse): AwaitableResponse =>
    response instanceof Promise ? response.then(done) : done(response)
  const observed = (response: HttpResponse | WantsBody): HttpResponse | WantsBody => {
    if (!wantsBody(response)) return done(response)
    let hasBody = false
    // Called for every request in the end. Only the host knows of a body that breaks off or exceeds the budget.
    head.onClientGone?.(() => {
      if (!hasBody) missed()
    })
    const proceed =
      <Body>(next: (body: Body) => AwaitableResponse) =>
      (body: Body): AwaitableResponse => {
        hasBody = true
        return finish(next(body))
      }
    const { maxBytes, proceedInChunks } = response
    return {
      maxBytes,
      proceed: proceed(response.proceed),
      proceedInChunks: proceedInChunks && proceed(proceedInChunks),
    }
  }
  return reply instanceof Promise ? reply.then(observed) : observed(reply)
}

/** Whether the client left before its request was whole, as Node's servers say. */
function hasLeft({ raw }: RequestHead): boolean {
  return (raw as { readonly aborted?: boolean } | undefined)?.aborted === true
}

/** As for a client that leaves later. */
const cancelled: ReadonlySet<string> = new Set(['CANCELLED'])
const unreceived: HttpResponse = { status: 499, headers: [], body: '' }

/** What HTTP refused before its parameters were read has no result: its code is in the body. */
function codeOfRefusal({ status, body }: HttpResponse): readonly string[] {
  if (status < 400 || typeof body !== 'string') return []
  const code = /"code":"([A-Z_]{1,64})"/.exec(body)?.[1]
  return code === undefined ? [] : [code]
}
