import { ResponseHeaders, type HeaderRecord } from '../../http/response-headers.js'
import { isPromise } from '../../base/promise.js'

/**
 * Returns the headers that a hook returns, without invalid ones. The operation may already have changed
 * data, so mistakes here are reported and do not turn the response into a failure.
 */
export function askForHeaders(
  source: string,
  ask: () => HeaderRecord | undefined,
  failed: (bug: unknown) => void,
): ResponseHeaders | undefined {
  try {
    const record: unknown = ask()
    return record === undefined ? undefined : collectHeaders(source, record, failed)
  } catch (bug) {
    failed(bug)
    return undefined
  }
}

function collectHeaders(
  source: string,
  record: unknown,
  failed: (bug: unknown) => void,
): ResponseHeaders {
  if (isPromise(record)) {
    void Promise.resolve(record).catch(() => undefined)
    throw new TypeError(`${source}: expected headers, got a promise. The hook must be synchronous.`)
  }
  if (typeof record !== 'object' || record === null || Array.isArray(record)) {
    throw new TypeError(`${source}: expected an object such as { 'X-Name': 'value' }.`)
  }
  const headers = new ResponseHeaders()
  for (const [name, value] of Object.entries(record)) {
    try {
      headers.assign({ [name]: value as HeaderRecord[string] })
    } catch (bug) {
      failed(bug)
    }
  }
  return headers
}
