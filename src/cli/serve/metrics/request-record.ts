import type { OperationDefinitionNode } from 'graphql'
import { WatchedBody } from '../../../handler/watched-body.js'
import { deliverBy, toHandler } from '../../../http/message.js'
import type {
  Handler,
  HttpResponse,
  Options,
  RequestHead,
  ResultInfo,
  StreamEnd,
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
}

export interface Observation<Raw> {
  /** Adds hooks to the options that record the operation of each request, handshakes, and the end of each stream. */
  readonly options: <Given extends Options<Raw>>(options: Given) => Given
  readonly handler: (handler: Handler<Raw>) => Handler<Raw>
}

/** Feeds both the log and the metrics. */
export function observeRequests<Raw>(observer: Observer): Observation<Raw> {
  const operations = new WeakMap<object, OperationDefinitionNode>()
  const codes = new WeakMap<object, ReadonlySet<string>>()
  const reportEnd = (head: RequestHead, response: HttpResponse, duration: number): void => {
    const raw = head.raw as object
    const found = codes.get(raw) ?? codeOfRefusal(response)
    observer.ended({ head, response, duration, operation: operations.get(raw), codes: [...found] })
  }
  const note = (
    raw: object,
    operation: OperationDefinitionNode | undefined,
    found: readonly string[],
  ): void => {
    if (operation !== undefined) operations.set(raw, operation)
    // The operations of a batch have one request.
    codes.set(raw, new Set([...(codes.get(raw) ?? []), ...found]))
  }
  return {
    options: (options) => ({
      ...options,
      onResult(request, result) {
        const { operation, head } = request
        if (result.transport === 'http') note(head.raw as object, operation, result.errorCodes)
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
    handler: (handler) =>
      toHandler((request, done, failed) => {
        const start = performance.now()
        observer.begun()
        const body = new WatchedBody(request.body)
        // A client that leaves while it sends its body gets no response.
        request.onClientGone?.(() => {
          if (!body.isArriving) return
          codes.set(request.raw as object, cancelled)
          reportEnd(request, unreceived, performance.now() - start)
        })
        const answered = (response: HttpResponse): void => {
          reportEnd(request, response, performance.now() - start)
          done(response)
        }
        deliverBy(handler, { ...request, body }, answered, failed)
      }),
  }
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
