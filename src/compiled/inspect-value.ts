const maxItems = 10
const maxDepth = 2

/** Shows a value as graphql-js does in its messages; its own function for that is not public. */
export function inspectValue(value: unknown): string {
  return show(value, [])
}

function show(value: unknown, outer: readonly object[]): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'function':
      return value.name === '' ? '[function]' : `[function ${value.name}]`
    case 'object':
      return value === null ? 'null' : showObject(value, outer)
    default:
      return String(value)
  }
}

function showObject(value: object, outer: readonly object[]): string {
  if (outer.includes(value)) return '[Circular]'
  const within = [...outer, value]
  const { toJSON } = value as { readonly toJSON?: unknown }
  if (typeof toJSON === 'function') {
    const json: unknown = toJSON.call(value)
    if (json !== value) return typeof json === 'string' ? json : show(json, within)
    return showMembers(value, within)
  }
  return Array.isArray(value) ? showItems(value, within) : showMembers(value, within)
}

function showMembers(value: object, within: readonly object[]): string {
  const members = Object.entries(value)
  if (members.length === 0) return '{}'
  if (within.length > maxDepth) return `[${tagOf(value)}]`
  return `{ ${members.map(([name, member]) => `${name}: ${show(member, within)}`).join(', ')} }`
}

function showItems(items: readonly unknown[], within: readonly object[]): string {
  if (items.length === 0) return '[]'
  if (within.length > maxDepth) return '[Array]'
  const shown: string[] = []
  for (let at = 0; at < Math.min(maxItems, items.length); at += 1) {
    shown.push(show(items[at], within))
  }
  const more = items.length - shown.length
  if (more > 0) shown.push(`... ${more} more item${more > 1 ? 's' : ''}`)
  return `[${shown.join(', ')}]`
}

function tagOf(value: object): string {
  const tag = Object.prototype.toString.call(value).slice('[object '.length, -1)
  if (tag !== 'Object' || typeof value.constructor !== 'function') return tag
  const { name } = value.constructor
  return typeof name === 'string' && name !== '' ? name : tag
}
