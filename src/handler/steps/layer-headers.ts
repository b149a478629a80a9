import { isPromise } from '../../base/promise.js'
import { fieldValue, type HeaderList } from '../../http/message.js'
import { overlayHeaders } from '../../http/overlay-headers.js'
import { ResponseHeaders, type HeaderRecord } from '../../http/response-headers.js'
import { forbidsStoring, withoutCaching, withoutStoring } from '../../http/storing.js'

/**
 * Adds the headers set by resolvers to a response. A resolver knows its field, not the whole response: it
 * cannot make a response cacheable that has errors, is that of a mutation, or sets a cookie.
 */
export function withResolverHeaders(base: HeaderList, set: ResponseHeaders): HeaderList {
  if (set.has('set-cookie')) return withoutStoring(set.mergeInto(base))
  return forbidsStoring(base)
    ? overlayHeaders(base, withoutCaching(set.toLines()))
    : set.mergeInto(base)
}

/** Adds the headers of a route, which may also decide about caching, except for responses that set a cookie. */
export function withRouteHeaders(base: HeaderList, set: ResponseHeaders): HeaderList {
  if (set.has('set-cookie')) return withoutStoring(set.mergeInto(base))
  return fieldValue(base, 'set-cookie') === undefined
    ? decide(base, set)
    : overlayHeaders(base, withoutCaching(set.toLines()))
}

/**
 * Adds the headers of `responseHeaders`, which sees all headers so far. It can make even a response with a
 * cookie cacheable, if it sets Cache-Control explicitly.
 */
export function withHookHeaders(base: HeaderList, set: ResponseHeaders): HeaderList {
  const merged = decide(base, set)
  return set.has('set-cookie') && !set.has('cache-control') ? withoutStoring(merged) : merged
}

/**
 * Adds the headers of `onResult`. It does not see the cookies of earlier layers, so it cannot make a
 * response cacheable that has one.
 */
export function withResultHeaders(base: HeaderList, set: ResponseHeaders): HeaderList {
  if (fieldValue(base, 'set-cookie') === undefined) return withHookHeaders(base, set)
  const lines = set.toLines()
  const merged = overlayHeaders(base, withoutCaching(lines))
  return set.has('set-cookie') || forbidsStoring(lines) ? withoutStoring(merged) : merged
}

/** A layer that sets Cache-Control decides alone: fields such as CDN-Cache-Control of earlier layers would override it. */
function decide(base: HeaderList, set: ResponseHeaders): HeaderList {
  return set.mergeInto(set.has('cache-control') ? withoutCaching(base) : base)
}

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
