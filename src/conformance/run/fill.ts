/** The values of `${name}` in the strings of a case. */
export interface TemplateValues {
  readonly [name: string]: string
}

/** Fills the templates in every string of JSON; an unknown name is a mistake in the fixture. */
export function fill<Value>(value: Value, values: TemplateValues): Value {
  return JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' ? fillText(member, values) : member,
  ) as Value
}

function fillText(text: string, values: TemplateValues): string {
  if (!text.includes('${')) return text
  return text.replaceAll(/\$\{([\w.-]+)\}/g, (_, name: string) => {
    const found = values[name]
    if (found === undefined) throw new Error(`No value for the template \${${name}}.`)
    return found
  })
}
