import { fieldLines, type HeaderList } from './message.js'

/** Converts a header list to a web `Headers` object; repeated lines are kept. */
export function toHeaders(list: HeaderList): Headers {
  const headers = new Headers()
  for (const [name, value] of fieldLines(list)) headers.append(name, value)
  return headers
}

/** The fields of a `Headers` object, which has no members of its own, or of a plain object. */
export function entriesOf<Value>(
  fields: Headers | { readonly [name: string]: Value },
): (readonly [name: string, value: Value | string])[] {
  const { entries } = fields
  return typeof entries === 'function'
    ? [...(fields as Headers).entries()]
    : Object.entries(fields as { readonly [name: string]: Value })
}
