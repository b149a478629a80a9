/** What a link fills in: `?query=`, as clients send it, or `#query=`, which never reaches a server or its log. */
interface Link {
  readonly texts: {
    readonly initialQuery?: string
    readonly initialVariables?: string
    readonly operationName?: string
  }
  /** A credential, such as that of the page that linked here. */
  readonly key: string | undefined
}

/** Reads the address, and removes the key from it. */
export function readLink(): Link {
  const fragment = new URLSearchParams(location.hash.slice(1))
  const search = new URLSearchParams(location.search)
  const read = (name: string): string | undefined =>
    (fragment.get(name) ?? search.get(name)) || undefined
  const [query, variables, operationName] = [
    read('query'),
    read('variables'),
    read('operationName'),
  ]
  const key = fragment.get('key') ?? undefined
  if (key !== undefined) {
    fragment.delete('key')
    history.replaceState(null, '', `${location.pathname}${location.search}${hashOf(fragment)}`)
  }
  // The same page with another fragment is not loaded again by itself.
  addEventListener('hashchange', () => location.reload())
  return {
    texts: {
      // Without variables in the link, there are none: those that the browser has stored are of another operation.
      ...(query !== undefined && { initialQuery: query, initialVariables: '' }),
      ...(variables !== undefined && { initialVariables: indent(variables) }),
      ...(operationName !== undefined && { operationName }),
    },
    key,
  }
}

/** A link to the page with an operation and its variables, without headers. */
export function toLink(query: string, variables: string): string {
  const fragment = new URLSearchParams({ query, ...(variables.trim() !== '' && { variables }) })
  return `${location.origin}${location.pathname}${hashOf(fragment)}`
}

function hashOf(fragment: URLSearchParams): string {
  return fragment.size === 0 ? '' : `#${fragment}`
}

/** What is not JSON is shown as it is: the editor then marks the mistake. */
function indent(variables: string): string {
  try {
    return JSON.stringify(JSON.parse(variables), undefined, 2)
  } catch {
    return variables
  }
}
