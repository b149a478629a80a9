import type { OperationDefinitionNode } from 'graphql'
import { deliverBy, toHandler } from '../../../http/message.js'
import type {
  Handler,
  HttpResponse,
  Options,
  RequestHead,
  ResultInfo,
  StreamEnd,
} from '../../../index.js'

/** The events of a server, for the log and the metrics. */
export type ServerEvent =
  | { readonly kind: 'begun' }
  /** An unexpected error gets an id. */
  | { readonly kind: 'masked' }
  | RequestEvent
  /** A GraphQL request has its response or its stream, over whichever transport. */
  | { readonly kind: 'operation'; readonly head: RequestHead; readonly result: ResultInfo }
  /** A stream has ended, long after its response began. */
  | { readonly kind: 'stream'; readonly head: RequestHead; readonly end: StreamEnd }

export interface RequestEvent {
  readonly kind: 'request'
  readonly head: RequestHead
  readonly response: HttpResponse
  /** In milliseconds, from the head of the request to the response. */
  readonly duration: number
  /** Undefined where none was selected. */
  readonly operation: OperationDefinitionNode | undefined
  /** Those of the errors in the response, each once. */
  readonly codes: readonly string[]
}

export type Observer = (event: ServerEvent) => void

export interface Observation<Raw> {
  /** Adds hooks to the options that record operations, handshakes, masked errors, and the ends of streams. */
  readonly options: <Unobserved extends Options<Raw>>(options: Unobserved) => Unobserved
  readonly handler: (handler: Handler<Raw>) => Handler<Raw>
}

export function observeRequests<Raw>(observe: Observer): Observation<Raw> {
  const results = new WeakMap<object, Pick<RequestEvent, 'operation' | 'codes'>>()
  const reportEnd = (head: RequestHead, response: HttpResponse, duration: number): void => {
    const { operation, codes = codeOfRefusal(response) } = results.get(head.raw as object) ?? {}
    observe({ kind: 'request', head, response, duration, operation, codes })
  }
  return {
    options: (options) => ({
      ...options,
      onResult(request, result, context) {
        const { operation, head } = request
        if (result.transport === 'http') {
          const raw = head.raw as object
          // The operations of a batch have one request.
          const before = results.get(raw)
          const codes = new Set([...(before?.codes ?? []), ...result.errorCodes])
          results.set(raw, { operation: operation ?? before?.operation, codes: [...codes] })
        }
        observe({ kind: 'operation', head, result })
        return options.onResult?.(request, result, context)
      },
      onStreamEnd(end, request) {
        observe({ kind: 'stream', head: request.head, end })
        return options.onStreamEnd?.(end, request)
      },
      onHandshake(head, response) {
        observe({ kind: 'begun' })
        reportEnd(head, response, 0)
        return options.onHandshake?.(head, response)
      },
      createId(head) {
        observe({ kind: 'masked' })
        return options.createId?.(head) ?? crypto.randomUUID()
      },
    }),
    handler: (handler) =>
      toHandler((request, done, failed) => {
        const start = performance.now()
        observe({ kind: 'begun' })
        let isOver = false
        const end = (response: HttpResponse): void => {
          if (!isOver) reportEnd(request, response, performance.now() - start)
          isOver = true
        }
        // Most that leave get a response at once. One that leaves while it sends its body gets none.
        request.onClientGone?.(() => queueMicrotask(() => end(unreceived)))
        const answered = (response: HttpResponse): void => {
          end(response)
          done(response)
        }
        deliverBy(handler, request, answered, failed)
      }),
  }
}

const unreceived: HttpResponse = { status: 499, headers: [], body: '' }

/** A request that was refused before its parameters were read has no result: its code is in the body. */
function codeOfRefusal({ status, body }: HttpResponse): readonly string[] {
  if (status === unreceived.status) return ['CANCELLED']
  if (status < 400 || typeof body !== 'string') return []
  const code = /"code":"([A-Z_]{1,64})"/.exec(body)?.[1]
  return code === undefined ? [] : [code]
}
