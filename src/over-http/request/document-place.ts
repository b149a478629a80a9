import { pathOf } from '../../http/target.js'

/** What the path of a request names: a stored document, and perhaps one of its operations. */
export interface DocumentPlace {
  readonly id: string
  readonly operationName: string | undefined
}

/** Ids of these characters can be in a path (https://github.com/graphql/graphql-over-http/pull/305). */
const segments = /^\/([A-Za-z0-9\-._~:]+)(?:\/([A-Za-z_][A-Za-z0-9_]*))?$/

/** Finds the document that a path below that of the endpoint names: `/graphql/<id>/<operationName>`. */
export function findDocumentPlace(target: string, path: string): DocumentPlace | undefined {
  const whole = pathOf(target)
  const base = path.endsWith('/') ? path.slice(0, -1) : path
  if (!whole.startsWith(base)) return undefined
  const match = segments.exec(decodePath(whole.slice(base.length)))
  return match === null ? undefined : { id: match[1] as string, operationName: match[2] }
}

/** Clients may encode the colon of an id. */
function decodePath(path: string): string {
  if (!path.includes('%')) return path
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}
