import { parseAccept } from '../../http/accept.js'
import { memo } from '../../http/memo.js'
import { fieldLines, fieldValue, type HttpResponse, type RequestHead } from '../../http/message.js'
import { findRange } from '../../http/negotiate.js'
import { hasPath, queryOf } from '../../http/target.js'
import type { Settings } from '../../options/settings.js'
import { responseTypes } from '../../over-http/response-types.js'
import { incrementalTypes } from '../../over-http/response/choose-incremental.js'

/** Answers the requests of browsers that navigate, which bring no credentials. It never leads to an execution. */
export type IdeServer = (head: RequestHead) => HttpResponse | undefined

export function createIdeServer({ ide, path, edition }: Settings): IdeServer | undefined {
  if (ide === undefined) return undefined
  const isForBrowsers = memo(prefersHtml)
  const facts = { edition: edition.name }
  return (head) => {
    const { method, target, headers } = head
    if (method !== 'GET' && method !== 'HEAD') return undefined
    if (path !== undefined && !hasPath(target, path)) return undefined
    const query = queryOf(target)
    const file = query.startsWith(fileQuery)
      ? ide.asset(query.slice(fileQuery.length), head)
      : undefined
    if (file !== undefined) return file
    return isForBrowsers(fieldValue(headers, 'accept')) ? ide.page(head, facts) : undefined
  }
}

/**
 * Where no IDE is, a browser that opens the endpoint gets the status and the headers of its refusal, with a page as the body.
 * A URL with a query is an operation, whose errors are for programs.
 */
export function greetBrowser(head: RequestHead, refused: HttpResponse): HttpResponse {
  const { method, target, headers } = head
  const opens = (method === 'GET' || method === 'HEAD') && queryOf(target) === ''
  if (!opens || !prefersHtml(fieldValue(headers, 'accept'))) return refused
  const kept = [...fieldLines(refused.headers)].filter(([name]) => !/^content-type$/i.test(name))
  const type = ['Content-Type', 'text/html; charset=utf-8']
  return { ...refused, headers: [...kept.flat(), ...type], body: greeting }
}

/** It has nothing to run or to style, and nothing of the request. */
const greeting = `<!doctype html><html lang="en">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>GraphQL</title>
<main><h1>GraphQL</h1>
<p>This is a GraphQL endpoint. Open its URL in a GraphQL client, or send JSON by POST:
<pre>{ "query": "{ __typename }" }</pre>
<p>To get an IDE here, add the package @graphwire/ide to the server.
</main>
`

/** What names a file of the page: a path below that of the endpoint would need a route in each framework. */
const fileQuery = 'ide='

/** All types that a GET of GraphQL can have as its response; those of subscriptions are among those of parts. */
const graphqlTypes = [...responseTypes.map(({ name }) => name), ...incrementalTypes]

/**
 * Whether `Accept` names text/html and prefers it to everything that GraphQL offers: by its weight, and by order where
 * weights are equal, since that is how browsers write what they would rather have. A wildcard alone asks for no page.
 */
function prefersHtml(accept: string | undefined): boolean {
  const ranges = parseAccept(accept) ?? []
  const html = findRange(ranges, 'text', 'html')
  if (html === undefined || html.subtype === '*' || html.quality === 0) return false
  return graphqlTypes.every((name) => {
    const [type = '', subtype = ''] = name.split('/')
    const other = findRange(ranges, type, subtype)
    if (other === undefined || other.quality < html.quality) return true
    return other.quality === html.quality && ranges.indexOf(html) < ranges.indexOf(other)
  })
}
