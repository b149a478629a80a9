import { fieldLines, type HeaderList } from '../../http/message.js'

/** One header field as frameworks set it: several values where it has several lines. */
export type HeaderField = readonly [name: string, value: string | string[]]

/**
 * The header lines of an answer as fields to set on a response of which other code, a middleware say,
 * has set some already. Ours replace those, but `Vary` and `Set-Cookie` hold what both sides said.
 * `current` gives the value that is set, such as `(name) => response.getHeader(name)`.
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
  return Array.from(fields, ([key, { name, lines }]): HeaderField => {
    if (key === 'vary') return [name, unite([...linesOf(current(key)), ...lines])]
    if (key === 'set-cookie') return [name, [...linesOf(current(key)), ...lines]]
    return [name, lines.length === 1 ? (lines[0] as string) : lines]
  })
}

function linesOf(value: unknown): string[] {
  return value === undefined || value === null ? [] : [value].flat().map(String)
}

/** The names of all lines, each once; `*` says everything (RFC 9110 section 12.5.5). */
function unite(lines: readonly string[]): string {
  const names = new Map<string, string>()
  for (const name of lines.flatMap((line) => line.split(','))) {
    const trimmed = name.trim()
    if (trimmed === '*') return '*'
    if (trimmed !== '' && !names.has(trimmed.toLowerCase())) {
      names.set(trimmed.toLowerCase(), trimmed)
    }
  }
  return [...names.values()].join(', ')
}
