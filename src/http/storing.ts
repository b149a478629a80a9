import { fieldLines, fieldValue, type HeaderList } from './message.js'
import { splitList } from './split-list.js'

/**
 * `Cache-Control` of a response that may depend on the caller: only the client may store it, and must
 * revalidate.
 */
export const forClientOnly = 'private, no-cache'

/** Whether a request has credentials in a header that browsers send by themselves or that RFC 9110 defines. */
export function bringsCredentials(headers: HeaderList): boolean {
  return (
    fieldValue(headers, 'authorization') !== undefined ||
    fieldValue(headers, 'cookie') !== undefined
  )
}

export function forbidsStoring(headers: HeaderList): boolean {
  return hasDirective(fieldValue(headers, 'cache-control'), 'no-store')
}

/** Whether a Cache-Control has a directive; one with an argument, such as `private="x-user"`, says less. */
export function hasDirective(control: string | undefined, name: string): boolean {
  return control !== undefined && splitList(control.toLowerCase(), ',').includes(name)
}

/** Replaces all caching headers by `no-store`. */
export function withoutStoring(headers: HeaderList): HeaderList {
  return [...withoutCaching(headers), 'Cache-Control', 'no-store']
}

export function withoutCaching(headers: HeaderList): HeaderList {
  return [...fieldLines(headers)].filter(([name]) => !isCachingField(name)).flat()
}

/** Whether caches obey a field. */
export function isCachingField(name: string): boolean {
  return cachingField.test(name)
}

/** RFC 9213: targeted fields such as CDN-Cache-Control take precedence over Cache-Control, as X-Accel-Expires does for nginx. */
const cachingField = /^(?:(?:[\w-]+-)?cache-control|surrogate-control|expires|x-accel-expires)$/i
