import type { HttpResponse, RequestHead } from './http/message.js'
import { ResponseHeaders } from './http/response-headers.js'
import type { Settings } from './options.js'
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
 * id and answered with a masked 500, and the embedder's `responseHeaders` are put on each answer.
 */
export function createSafety(settings: Settings): Safely {
  const { edition, onBug, createId, responseHeaders } = settings

  return (head, encoding, work) => {
    const fail = (bug: unknown): HttpResponse => {
      const id = createId()
      onBug(bug, { id })
      return refuse({ kind: 'internal', id }, encoding, edition)
    }
    const finish = <Value>(reply: Value | HttpResponse): Value | HttpResponse => {
      if (responseHeaders === undefined || !isResponse(reply)) return reply
      try {
        return withRecord(reply, responseHeaders(reply, head))
      } catch (bug) {
        return fail(bug)
      }
    }
    try {
      const reply = work()
      if (!isPromise(reply)) return finish(reply)
      return reply.then(finish, (bug: unknown) => finish(fail(bug)))
    } catch (bug) {
      return finish(fail(bug))
    }
  }
}

function isResponse(reply: unknown): reply is HttpResponse {
  return 'status' in (reply as object)
}

function withRecord(
  response: HttpResponse,
  record: ReturnType<NonNullable<Settings['responseHeaders']>>,
): HttpResponse {
  if (record === undefined) return response
  if (isPromise(record)) {
    void Promise.resolve(record).catch(() => undefined)
    throw new TypeError('responseHeaders: expected the headers at once, not by a promise.')
  }
  const headers = new ResponseHeaders()
  headers.assign(record)
  return { ...response, headers: headers.mergeInto(response.headers) }
}
