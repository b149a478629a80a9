import { fieldsOf, toHeaderList, type HeaderList } from '../http/message.js'
import { forClientOnly, hasDirective, isCachingField } from '../http/storing.js'
import { uniteVary } from '../http/vary.js'

/**
 * A header field to set on a framework's response, or to remove if it has no value. Only `Set-Cookie` has
 * several values, because they cannot be joined.
 */
export type HeaderField = readonly [name: string, value: string | string[] | undefined]

/** The headers that a framework's response has: a `Headers` object, or what `getHeaders()` returns in Node. */
export type CurrentHeaders =
  | Iterable<readonly [name: string, value: string]>
  | { readonly [name: string]: number | string | readonly string[] | undefined }

/**
 * The headers of our response, to set on a framework's response that may already have headers, from middleware for example.
 * Ours replace those, but `Vary` and `Set-Cookie` keep the values of both, and a default of ours never weakens a
 * `Cache-Control` of `no-store` or `private`. If theirs set a cookie, ours cannot let shared caches store the response. If
 * ours have `Cache-Control`, theirs cannot either. Several lines are joined by commas (RFC 9110 section 5.3): for many
 * fields, Node's HTTP/2 throws for a list, but only when the head is written.
 */
export function mergeHeaders(headers: HeaderList, current: CurrentHeaders): readonly HeaderField[] {
  const ours = fieldsOf(headers)
  const theirs = fieldsOf(toHeaderList(current))
  // A response with a cookie of middleware must not be shared, as with one of ours.
  const hasTheirCookie = theirs.has('set-cookie')
  if (hasTheirCookie) {
    for (const key of ours.keys()) {
      if (key !== 'cache-control' && isCachingField(key)) ours.delete(key)
    }
  }
  const fields = Array.from(ours, ([key, { name, lines }]): HeaderField => {
    const their = theirs.get(key)?.lines ?? []
    if (key === 'vary') return [name, uniteVary([...their, ...lines])]
    if (key === 'set-cookie') return [name, [...their, ...lines]]
    const value = lines.join(', ')
    return [name, key === 'cache-control' ? mergeControl(value, their, hasTheirCookie) : value]
  })
  const control = ours.get('cache-control')?.lines.join(', ')
  if (control === undefined) return fields
  const removed = [...theirs]
    .filter(([key, { lines }]) => !ours.has(key) && yieldsTo(control, key, lines))
    .map(([key]): HeaderField => [key, undefined])
  return [...removed, ...fields]
}

/** What to change in a complete response to which a framework adds a cookie: shared caches must not store it. */
export function withoutSharing(current: CurrentHeaders): readonly HeaderField[] {
  return [...fieldsOf(toHeaderList(current))].flatMap(([key, { name, lines }]): HeaderField[] => {
    if (key === 'cache-control') return [[name, mergeControl(lines.join(', '), [], true)]]
    return isCachingField(key) ? [[name, undefined]] : []
  })
}

function mergeControl(
  ours: string,
  theirLines: readonly string[],
  hasTheirCookie: boolean,
): string {
  const theirs = isDefault(ours) ? theirLines.join(', ') : ''
  if (hasDirective(theirs, 'no-store')) return theirs
  if (hasDirective(theirs, 'private')) return forClientOnly
  return hasTheirCookie && !forbidsSharing(ours) ? 'no-store' : ours
}

/**
 * Caches would obey a field such as CDN-Cache-Control instead of our Cache-Control (RFC 9213), unless it is
 * removed. One that is stricter than a default of ours may stay.
 */
function yieldsTo(control: string, key: string, lines: readonly string[]): boolean {
  if (key === 'cache-control' || !isCachingField(key)) return false
  const isStrict = isDefault(control) || forbidsSharing(control)
  return !(isStrict && forbidsSharing(lines.join(', ')))
}

function isDefault(control: string): boolean {
  return control === 'no-cache' || control === forClientOnly
}

function forbidsSharing(control: string): boolean {
  return hasDirective(control, 'no-store') || hasDirective(control, 'private')
}
