import { deliverBy, fieldValue, toHandler, type Handler } from '../http/message.js'
import { pathOf } from '../http/target.js'
import { createEncodingChooser } from '../over-http/response/choose-encoding.js'
import { defaultEdition, editions } from '../over-http/editions.js'
import { refuse, describeRefusal, toError } from '../over-http/response/respond.js'
import { traceRequests } from './road-handler.js'

/** The handlers of a server by path. */
export interface HandlersByPath<Raw = unknown> {
  readonly [path: string]: Handler<Raw>
}

/**
 * Combines several handlers into one, for any host. The path of a request must match exactly; any other
 * path is 404. Handlers with a `path` option of their own check it too.
 */
export function route<Raw = unknown>(handlers: HandlersByPath<Raw>): Handler<Raw> {
  const byPath = new Map(Object.entries(handlers))
  const [first] = byPath.values()
  if (first === undefined) throw new TypeError('route: expected at least one path with a handler.')
  for (const [path, handler] of byPath) checkEntry(path, handler)
  // This refusal is the same in all editions.
  const edition = editions[defaultEdition]
  const chooseEncoding = createEncodingChooser(edition)
  const refusePath = traceRequests<Raw>(({ target, headers }) => {
    const details = describeRefusal({ kind: 'not-found', path: pathOf(target) }, edition)
    return refuse(details, toError(details), chooseEncoding(fieldValue(headers, 'accept')))
  })
  return toHandler((request, done, failed) => {
    const { method, target } = request
    // `OPTIONS *` is about the whole server (RFC 9110 section 9.3.7).
    const others = method === 'OPTIONS' && target === '*' ? first : refusePath
    const handler = byPath.get(pathOf(target)) ?? others
    deliverBy(handler, request, done, failed)
  })
}

function checkEntry(path: string, handler: unknown): void {
  if (!/^\/[^?#\s]*$/.test(path)) {
    throw new TypeError(
      `route: expected absolute paths without a query, such as "/graphql", got ${JSON.stringify(path)}.`,
    )
  }
  if (typeof handler !== 'function') {
    throw new TypeError(
      `route: expected a handler at ${path}, such as createHandler makes, got ${typeof handler}.`,
    )
  }
}
