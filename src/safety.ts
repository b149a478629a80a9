import type { HttpResponse, RequestHead } from './http/message.js'
import { createHeaderAdder } from './add-headers.js'
import type { Settings } from './settings.js'
import { isPromise } from './promise.js'
import type { Encoding } from './response/choose-encoding.js'
import { refuse } from './response/refuse.js'

/** Does the work; what it throws becomes a masked 500. */
export type Safely = <Value>(
  head: RequestHead,
  encoding: Encoding,
  work: () => Value | HttpResponse | Promise<Value | HttpResponse>,
) => Value | HttpResponse | Promise<Value | HttpResponse>

/**
 * Makes the frame of every stage that runs user functions: whatever one throws is reported with an
 * id and answered with a masked 500, and each answer gets the headers of CORS and of the embedder.
 */
export function createSafety(settings: Settings): Safely {
  const { edition, onBug, createId } = settings
  const addHeaders = createHeaderAdder(settings)

  const fail = (bug: unknown, encoding: Encoding): HttpResponse => {
    const id = createId()
    onBug(bug, { id })
    return refuse({ kind: 'internal', id }, encoding, edition)
  }
  const finish = <Value>(
    reply: Value | HttpResponse,
    head: RequestHead,
    encoding: Encoding,
  ): Value | HttpResponse => {
    if (addHeaders === undefined || !isResponse(reply)) return reply
    try {
      return addHeaders(reply, head)
    } catch (bug) {
      return fail(bug, encoding)
    }
  }
  return (head, encoding, work) => {
    try {
      const reply = work()
      if (!isPromise(reply)) return finish(reply, head, encoding)
      return reply.then(
        (late) => finish(late, head, encoding),
        (bug: unknown) => finish(fail(bug, encoding), head, encoding),
      )
    } catch (bug) {
      return finish(fail(bug, encoding), head, encoding)
    }
  }
}

function isResponse(reply: unknown): reply is HttpResponse {
  return 'status' in (reply as object)
}
