export function elementOf<Kind extends HTMLElement>(
  id: string,
  kind: new (...args: never[]) => Kind,
): Kind {
  const element = document.querySelector(`#${id}`)
  if (element instanceof kind) return element
  throw new TypeError(`The page has no ${kind.name} named ${id}.`)
}

/** A new element with a text, which is never read as HTML. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...content: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  element.className = className
  element.append(...content)
  return element
}

/**
 * The key of a link such as `/#key=gw_...`, which the start prints. Fragments are not sent to servers; it is removed from
 * the address, so that it is in no bookmark or screenshot.
 */
export function takeLinkedKey(): string {
  const key = new URLSearchParams(location.hash.slice(1)).get('key') ?? ''
  if (key !== '') history.replaceState(null, '', location.pathname)
  return key
}

/** A text of JSON with line breaks and indentation; any other text as it is. */
export function formatJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}

/** A person in the events of `/people/changes`. */
export interface Person {
  readonly name: string
  readonly age: number | null
  readonly email: string | null
  readonly address: { readonly [part: string]: string | null } | null
  readonly version: number
}

/** What has changed between two states of a person, such as `age 55 → 36`. */
export function differencesOf(before: Person, after: Person): readonly string[] {
  const [old, now] = [before, after].map(({ address, name, age, email }) => {
    const { street = null, city = null, country = null } = address ?? {}
    return { name, age, email, street, city, country }
  })
  return Object.entries(now ?? {}).flatMap(([part, value]) => {
    const earlier = old?.[part as keyof typeof old] ?? null
    return earlier === value ? [] : [`${part} ${earlier ?? 'none'} → ${value ?? 'none'}`]
  })
}
