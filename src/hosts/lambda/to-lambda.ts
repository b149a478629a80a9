import {
  isStream,
  type Flow,
  type Handler,
  type HttpResponse,
  type StreamBody,
} from '../../http/message.js'
import { internalError } from '../host-error.js'
import { checkHost, resolveHostOptions, type HostOptions } from '../host-options.js'
import { addressOf, readEvent, type EventHead, type LambdaEvent } from './events.js'
import { toResult, type LambdaResult } from './results.js'

/** What is used of the second argument of a function. */
export interface LambdaContext {
  getRemainingTimeInMillis?(): number
}

/** The runtime's own request, `head.raw`. */
export interface LambdaRequest {
  readonly event: LambdaEvent
  readonly context: LambdaContext | undefined
  /** The client, where the gateway says it. */
  readonly socket: { readonly remoteAddress: string | undefined }
}

export type LambdaFunction = (event: LambdaEvent, context?: LambdaContext) => Promise<LambdaResult>

/** How long a stream may be open if the time limit of the function is unknown, in ms. */
const defaultTime = 3_000

/** The time to end a stream and to return what it has, in ms. */
const endTime = 500

/**
 * Turns a handler into a function of AWS Lambda, for API Gateway (payload 1.0 and 2.0), function URLs and Application Load
 * Balancers, which it recognizes by their events. It rejects only for events that are not HTTP requests.
 */
export function toLambda(
  handler: Handler<LambdaRequest>,
  options: HostOptions = {},
): LambdaFunction {
  checkHost('toLambda', handler, options)
  const { createId, onBug } = resolveHostOptions(options)
  return async (event, context) => {
    const head = readEvent(event)
    try {
      const { method, target, originalTarget, headers } = head
      const raw = { event, context, socket: { remoteAddress: addressOf(event) } }
      const coding = event.isBase64Encoded === true ? 'base64' : 'utf8'
      const body = { read: () => Buffer.from(event.body ?? '', coding) }
      const response = await handler({ method, target, originalTarget, headers, raw, body })
      return await send(head, response, context)
    } catch (bug) {
      const id = createId()
      onBug(bug, { id })
      return send(head, internalError(id), context)
    }
  }
}

async function send(
  { payload, method }: EventHead,
  { status, headers, body }: HttpResponse,
  context: LambdaContext | undefined,
): Promise<LambdaResult> {
  const isHead = method === 'HEAD'
  if (!isStream(body)) {
    const isBodiless = status === 204 || status === 304
    const length = isBodiless ? [] : ['Content-Length', String(Buffer.byteLength(body))]
    return toResult(payload, status, [...headers, ...length], isHead || isBodiless ? '' : body)
  }
  if (isHead) body.discard()
  const left = context?.getRemainingTimeInMillis?.() ?? defaultTime + endTime
  const text = isHead ? '' : await gatherStream(body, left - endTime)
  if (text === undefined) throw new Error('The stream was cut.')
  return toResult(payload, status, headers, text)
}

/** A function returns 6 MiB at most, escapes included. */
const maxLength = 2 * 1024 * 1024

/**
 * The pieces of a stream as one text, since the gateway sends a response only when it is complete. A stream that is
 * still open at the end of the time is ended as on a server that shuts down, so that its clients connect again. A result
 * in parts does not end there: its client sees that the last part is missing. Undefined if it was cut.
 */
function gatherStream(body: StreamBody, time: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = ''
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    let flow: Flow | undefined = undefined
    const finish = (result: string | undefined): void => {
      isOver = true
      clearTimeout(timer)
      resolve(result)
    }
    const stop = (): void => {
      if (!isOver) flow?.shutDown()
      if (isOver) return
      flow?.gone()
      finish(text)
    }
    flow = body.open({
      write(piece) {
        if (isOver) return true
        text += piece
        // The stream waits for `resume`, which is never called.
        if (text.length <= maxLength) return true
        queueMicrotask(stop)
        return false
      },
      end: () => finish(text),
      cut: () => finish(undefined),
    })
    if (!isOver) timer = setTimeout(stop, Math.max(0, time))
  })
}
