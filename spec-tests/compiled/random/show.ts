/** A text of a value that tells what JSON does not: undefined, -0, bigint, prototypes, the order of members. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (Object.is(value, -0)) return '-0'
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map(show).join()}]`
  const members = Object.entries(value).map(([name, member]) => `${name}:${show(member)}`)
  return `${Object.getPrototypeOf(value) === null ? '~' : ''}{${members.join()}}`
}
