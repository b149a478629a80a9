import { fieldLines, type HeaderList } from '../../../http/message.js'
import { forClientOnly, hasDirective, isCachingField } from '../../../http/storing.js'
import { uniteVary } from '../../../http/vary.js'

/** One header field as frameworks set it; only `Set-Cookie` has several values, because they cannot be joined. */
export type HeaderField = readonly [name: string, value: string | string[]]

/**
 * The headers of our response, to set on a framework's response that may already have headers, from middleware
 * for example. Ours replace those, but `Vary` and `Set-Cookie` keep the values of both, and
 * a default of ours never weakens a `Cache-Control` of `no-store` or `private`. With a cookie of theirs, nothing of
 * ours lets shared caches store the response.
 * Several lines are joined by commas (RFC 9110 section 5.3): for many fields, Node's HTTP/2 throws for a list,
 * but only when the head is written.
 * `current` returns the value that is set, such as `(name) => response.getHeader(name)`.
 */
export function mergeHeaders(
  headers: HeaderList,
  current: (name: string) => unknown,
): readonly HeaderField[] {
  const fields = new Map<string, { readonly name: string; readonly lines: string[] }>()
  for (const [name, value] of fieldLines(headers)) {
    const key = name.toLowerCase()
    const field = fields.get(key)
    if (field === undefined) fields.set(key, { name, lines: [value] })
    else field.lines.push(value)
  }
  // A response with a cookie of middleware must not be shared, as with one of ours.
  const hasTheirCookie = linesOf(current('set-cookie')).length > 0
  if (hasTheirCookie) {
    for (const key of fields.keys()) {
      if (key !== 'cache-control' && isCachingField(key)) fields.delete(key)
    }
  }
  return Array.from(fields, ([key, { name, lines }]): HeaderField => {
    if (key === 'vary') return [name, uniteVary([...linesOf(current(key)), ...lines])]
    if (key === 'set-cookie') return [name, [...linesOf(current(key)), ...lines]]
    const ours = lines.join(', ')
    if (key !== 'cache-control') return [name, ours]
    const theirs = isDefault(ours) ? linesOf(current(key)).join(', ') : ''
    if (hasDirective(theirs, 'no-store')) return [name, theirs]
    if (hasDirective(theirs, 'private')) return [name, forClientOnly]
    const isOpen = !hasDirective(ours, 'private') && !hasDirective(ours, 'no-store')
    return [name, hasTheirCookie && isOpen ? 'no-store' : ours]
  })
}

function isDefault(value: string): boolean {
  return value === 'no-cache' || value === forClientOnly
}

function linesOf(value: unknown): string[] {
  return value === undefined || value === null ? [] : [value].flat().map(String)
}
