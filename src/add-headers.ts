import type { HttpResponse, RequestHead } from './http/message.js'
import { ResponseHeaders, type HeaderRecord } from './http/response-headers.js'
import { isPromise } from './promise.js'
import type { Settings } from './settings.js'

/** Puts headers on any answer, refusals included. */
export type HeaderAdder = (response: HttpResponse, head: RequestHead) => HttpResponse

/** Makes the function that adds the lines of CORS and those of `responseHeaders`; undefined without both. */
export function createHeaderAdder({ cors, responseHeaders }: Settings): HeaderAdder | undefined {
  const { headersFor } = cors
  if (headersFor === undefined && responseHeaders === undefined) return undefined
  return (response, head) => {
    const lines = headersFor?.(head) ?? []
    const shared =
      lines.length === 0 ? response : { ...response, headers: [...response.headers, ...lines] }
    return responseHeaders === undefined
      ? shared
      : withRecord(shared, responseHeaders(shared, head))
  }
}

function withRecord(response: HttpResponse, record: HeaderRecord | undefined): HttpResponse {
  if (record === undefined) return response
  if (isPromise(record)) {
    void Promise.resolve(record).catch(() => undefined)
    throw new TypeError('responseHeaders: expected the headers at once, not by a promise.')
  }
  const headers = new ResponseHeaders()
  headers.assign(record)
  return { ...response, headers: headers.mergeInto(response.headers) }
}
