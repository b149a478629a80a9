/** Merges `Vary` values without duplicates; `*` covers everything (RFC 9110 section 12.5.5). */
export function uniteVary(values: readonly string[]): string {
  const names = new Map<string, string>()
  for (const name of values.flatMap((value) => value.split(','))) {
    const trimmed = name.trim()
    if (trimmed === '*') return '*'
    if (trimmed !== '' && !names.has(trimmed.toLowerCase())) {
      names.set(trimmed.toLowerCase(), trimmed)
    }
  }
  return [...names.values()].join(', ')
}
