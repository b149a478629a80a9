/** The values of `${name}` in the strings of a case. */
export interface TemplateValues {
  readonly [name: string]: string
}

/** Fills the templates in every string of a value; an unknown name is a mistake in the fixture. */
export function fill<Value>(value: Value, values: TemplateValues): Value {
  if (typeof value === 'string') return fillText(value, values) as Value
  if (Array.isArray(value)) return value.map((item: unknown) => fill(item, values)) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(
    ([name, member]) => [name, fill(member, values)] as const,
  )
  return Object.fromEntries(entries) as Value
}

function fillText(text: string, values: TemplateValues): string {
  if (!text.includes('${')) return text
  return text.replaceAll(/\$\{([\w.-]+)\}/g, (_, name: string) => {
    const found = values[name]
    if (found === undefined) throw new Error(`No value for the template \${${name}}.`)
    return found
  })
}
