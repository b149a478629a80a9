import type { DocumentNode } from 'graphql'

/** Documents of fewer lines are as they were. */
const leastLines = 200

/**
 * Finds the lines of a long document once. graphql-js finds those before each error anew, by a regular expression: a thousand
 * lines before ten thousand errors took two seconds. The source then is a `String` object, which has all that a string has.
 */
export function indexLines({ loc }: DocumentNode): void {
  if (loc === undefined) return
  const text = loc.source.body
  const ends = [...text.matchAll(lineEnd)]
  if (ends.length < leastLines) return
  const matchAll = (pattern: RegExp): Iterable<RegExpMatchArray> =>
    pattern.source === lineEnd.source ? ends.values() : text.matchAll(pattern)
  // oxlint-disable-next-line no-new-wrappers -- a string has no methods of its own
  loc.source.body = Object.assign(new String(text), { matchAll }) as unknown as string
}

/** As in graphql-js. */
const lineEnd = /\r\n|[\n\r]/g
