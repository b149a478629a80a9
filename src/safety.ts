import type { HttpResponse, RequestHead } from './http/message.js'
import { createHeaderAdder } from './add-headers.js'
import type { Settings } from './settings.js'
import { isPromise } from './promise.js'
import type { Refusal } from './refusal.js'

/** Does the work; what it throws becomes a masked 500. */
export type Safely<Label> = <Value>(
  head: RequestHead,
  label: Label,
  work: () => Value | HttpResponse | Promise<Value | HttpResponse>,
) => Value | HttpResponse | Promise<Value | HttpResponse>

/**
 * Makes the frame of every stage that runs user functions: whatever one throws is reported with an
 * id and answered with a masked 500, which `refuse` labels, and each answer gets the headers of CORS and of the embedder.
 */
export function createSafety<Label>(
  settings: Settings,
  refuse: (refusal: Refusal, label: Label) => HttpResponse,
): Safely<Label> {
  const { onBug, createId } = settings
  const addHeaders = createHeaderAdder(settings)

  const fail = (bug: unknown, label: Label): HttpResponse => {
    const id = createId()
    onBug(bug, { id })
    return refuse({ kind: 'internal', id }, label)
  }
  const finish = <Value>(
    reply: Value | HttpResponse,
    head: RequestHead,
    label: Label,
  ): Value | HttpResponse => {
    if (addHeaders === undefined || !isResponse(reply)) return reply
    try {
      return addHeaders(reply, head)
    } catch (bug) {
      return fail(bug, label)
    }
  }
  return (head, label, work) => {
    try {
      const reply = work()
      if (!isPromise(reply)) return finish(reply, head, label)
      return reply.then(
        (late) => finish(late, head, label),
        (bug: unknown) => finish(fail(bug, label), head, label),
      )
    } catch (bug) {
      return finish(fail(bug, label), head, label)
    }
  }
}

function isResponse(reply: unknown): reply is HttpResponse {
  return 'status' in (reply as object)
}
