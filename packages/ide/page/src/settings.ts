/** How the page sends operations; people change it in the page. */
export interface Transports {
  readonly queries: 'POST' | 'QUERY'
  readonly subscriptions: 'sse' | 'websocket'
}

/** What the server says in the attributes of the body, and the URL in its query. */
export interface PageSettings {
  readonly edition: string
  readonly transports: Transports
  readonly storesHeaders: boolean
  /** What the editors begin with, and what a link to the page brings: it is filled in and not executed. */
  readonly texts: Texts
}

interface Texts {
  readonly defaultQuery: string
  readonly defaultHeaders?: string
  readonly initialQuery?: string
  readonly initialVariables?: string
  readonly operationName?: string
}

const welcome = `# Ctrl-Enter (on a Mac, Cmd-Enter) runs the operation. Ctrl-Space suggests names.
# Above each result you see its status, and the sentence of the specification that says so.

{
  __typename
}
`

export function readSettings(): PageSettings {
  const { edition = '', query, headers, subscriptions, storeHeaders } = document.body.dataset
  const url = new URLSearchParams(location.search)
  return {
    edition,
    transports: {
      queries: 'POST',
      subscriptions: subscriptions === 'websocket' ? 'websocket' : 'sse',
    },
    storesHeaders: storeHeaders === 'true',
    texts: {
      defaultQuery: query ?? welcome,
      ...(headers !== undefined && { defaultHeaders: headers }),
      ...filledIn('initialQuery', url.get('query')),
      ...filledIn('initialVariables', indent(url.get('variables'))),
      ...filledIn('operationName', url.get('operationName')),
    },
  }
}

function filledIn<Name extends string>(
  name: Name,
  value: string | null,
): { [name in Name]?: string } {
  return value === null || value === '' ? {} : ({ [name]: value } as { [name in Name]: string })
}

/** What is not JSON is shown as it is: the editor then marks the mistake. */
function indent(variables: string | null): string | null {
  try {
    return JSON.stringify(JSON.parse(variables ?? ''), undefined, 2)
  } catch {
    return variables
  }
}
