import { readLink } from './link.js'
import type { Sample } from './sample-operation.js'

/** How the page sends operations; people change it in the page. */
export interface Transports {
  readonly queries: 'POST' | 'QUERY'
  readonly subscriptions: 'sse' | 'websocket'
}

/** What the server says in the attributes of the body, and the link that led here. */
export interface PageSettings {
  readonly edition: string
  readonly transports: Transports
  readonly storesHeaders: boolean
  readonly examples: readonly Sample[]
  /** The header for credentials, whose value is still missing. */
  readonly credential: { readonly name: string; readonly prefix: string }
  /** What the editors begin with, and what a link to the page brings: it is filled in and not executed. */
  readonly texts: Texts
}

interface Texts {
  readonly defaultQuery: string
  readonly defaultHeaders?: string
  readonly initialQuery?: string
  readonly initialVariables?: string
  readonly initialHeaders?: string
  readonly operationName?: string
}

const command = navigator.platform.startsWith('Mac') ? 'Cmd' : 'Ctrl'
/** What is in the first tab until the schema is known, and above the operation that is made from it. A phone shows it whole. */
export const welcome = `# ${command}-Enter runs this.\n# Ctrl-Space completes.\n\n`
export const welcomeQuery = `${welcome}{\n  __typename\n}\n`

/** Stands for the key in the value of a header. */
const hole = '{key}'

export function readSettings(): PageSettings {
  const { edition = '', query, subscriptions, storeHeaders, ...json } = document.body.dataset
  const link = readLink()
  const headers = parse<{ readonly [name: string]: string }>(json['headers'], {})
  const [name, template] = Object.entries(headers).find(([, value]) => value.includes(hole)) ?? [
    'Authorization',
    `Bearer ${hole}`,
  ]
  const filled = Object.entries({
    ...headers,
    ...(link.key !== undefined && { [name]: template.replace(hole, link.key) }),
  }).filter(([, value]) => !value.includes(hole))
  const text = JSON.stringify(Object.fromEntries(filled), undefined, 2)
  return {
    edition,
    transports: {
      queries: 'POST',
      subscriptions: subscriptions === 'websocket' ? 'websocket' : 'sse',
    },
    storesHeaders: storeHeaders === 'true',
    examples: parse<readonly Example[]>(json['examples'], []).map(toSample),
    credential: { name, prefix: template.slice(0, template.indexOf(hole)) },
    texts: {
      defaultQuery: query ?? welcomeQuery,
      ...(filled.length > 0 && { defaultHeaders: text }),
      ...(link.key !== undefined && { initialHeaders: text }),
      ...link.texts,
    },
  }
}

interface Example {
  readonly title: string
  readonly query: string
  readonly variables?: object
  readonly headers?: object
}

function toSample({ title, query, variables, headers }: Example): Sample {
  return {
    title,
    query,
    ...(variables !== undefined && { variables: JSON.stringify(variables, undefined, 2) }),
    ...(headers !== undefined && { headers: JSON.stringify(headers, undefined, 2) }),
  }
}

function parse<Value>(json: string | undefined, fallback: Value): Value {
  return json === undefined ? fallback : (JSON.parse(json) as Value)
}
