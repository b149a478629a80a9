import type { TracingChannel } from 'node:diagnostics_channel'
import {
  inThisContext,
  isTraced,
  publishSettled,
  startTrace,
  tracingChannel,
  type Surrounded,
} from '../graphql/js/tracing.js'
import {
  deliverBy,
  headOf,
  toHandler,
  type Handler,
  type HttpResponse,
  type Request,
  type RequestHead,
} from '../http/message.js'
import { WatchedBody } from './watched-body.js'
import type { OperationTrace, RequestFacts, RequestTrace, TraceFacts } from './trace-messages.js'

export const requestChannel: TracingChannel | undefined = tracingChannel('graphwire:request')
const operationChannel = tracingChannel('graphwire:operation')

/**
 * Publishes one trace per request on `graphwire:request`, from its head to its response. Without a subscriber this costs
 * one flag.
 */
export function traceRequests<Raw = unknown>(handler: Handler<Raw>): Handler<Raw> {
  return toHandler((request, done, failed) => {
    const begin = (asked: Request<Raw>, answered: typeof done): void =>
      deliverBy(handler, asked, answered, failed)
    traceRequest(request, begin, () => undefined, done)
  })
}

/** Publishes the trace of one request, whose delivery describes what was found out about it. */
export function traceRequest<Raw>(
  request: Request<Raw>,
  begin: (request: Request<Raw>, done: (response: HttpResponse) => void) => void,
  describe: (message: TraceFacts) => void,
  done: (response: HttpResponse) => void,
): void {
  if (!isTraced(requestChannel)) return begin(request, done)
  const channel = requestChannel
  const message: RequestTrace & TraceFacts = createMessage(headOf(request))
  const body = new WatchedBody(request.body)
  let isOver = false
  // A client that leaves while it sends the body gets no response.
  const stopWatching = request.onClientGone?.(() => {
    if (isOver || !body.isArriving) return
    isOver = true
    describe(message)
    publishSettled(channel, message)
  })
  traceDelivery(
    channel,
    message,
    (answered) => begin({ ...request, body }, answered),
    (response) => {
      // An open stream would keep the request.
      stopWatching?.()
      if (!isOver) {
        describe(message)
        message.result = response
      }
      return !isOver
    },
    done,
  )
}

/** Publishes one trace per operation without a request of its own on `graphwire:operation`. */
export function traceOperation<Reply>(
  head: RequestHead,
  transport: OperationTrace['transport'],
  begin: (done: (reply: Reply) => void) => void,
  describe: (message: OperationTrace & TraceFacts, reply: Reply) => void,
  done: (reply: Reply) => void,
): void {
  if (!isTraced(operationChannel)) return begin(done)
  const message = { ...createMessage(head), transport }
  const note = (reply: Reply): boolean => {
    describe(message, reply)
    return true
  }
  traceDelivery(operationChannel, message, begin, note, done)
}

/** Publishes the events of what is delivered, in the tick of `begin` or later. `note` completes the message. */
function traceDelivery<Value>(
  channel: TracingChannel,
  message: Surrounded,
  begin: (done: (value: Value) => void) => void,
  note: (value: Value) => boolean,
  done: (value: Value) => void,
): void {
  // What is sent, perhaps for hours, is not in the context of the trace.
  const send = inThisContext(done)
  let isLate = false
  let early: { readonly value: Value } | undefined
  startTrace(channel, message, () => {
    begin((value) => {
      const isOpen = note(value)
      if (!isLate) return void (early = { value })
      if (isOpen) publishSettled(channel, message)
      send(value)
    })
    isLate = true
    channel.end.publish(message)
  })
  if (early !== undefined) done(early.value)
}

/** With all facts from the start, so that messages have one hidden class. */
function createMessage(head: RequestHead): RequestTrace & TraceFacts {
  return {
    head,
    target: head.originalTarget ?? head.target,
    route: undefined,
    operationName: undefined,
    operationType: undefined,
    isTrusted: undefined,
    documentId: undefined,
    document: undefined,
    documentCached: undefined,
    cost: undefined,
    execution: undefined,
    errors: undefined,
    hasData: undefined,
  }
}

/** Publishes the trace of a request that had its response at once, such as a handshake. */
export function traceResponse(head: RequestHead, result: HttpResponse, facts: RequestFacts): void {
  if (!isTraced(requestChannel)) return
  const message = createMessage(head)
  const note = (response: HttpResponse): boolean => {
    Object.assign(message, facts, { result: response })
    return true
  }
  traceDelivery<HttpResponse>(
    requestChannel,
    message,
    (done) => done(result),
    note,
    () => undefined,
  )
}
