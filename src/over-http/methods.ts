import type { HeaderList } from '../http/message.js'

/** RFC 10008: the media type that QUERY accepts. */
export const acceptQuery: HeaderList = ['Accept-Query', 'application/json']

/** The methods of an endpoint beside OPTIONS. */
export function endpointMethods(get: boolean): readonly string[] {
  return get ? ['GET', 'HEAD', 'POST', 'QUERY'] : ['POST', 'QUERY']
}

/** The header fields that name the methods of a resource. */
export function allow(methods: readonly string[]): HeaderList {
  const query = methods.includes('QUERY') ? acceptQuery : []
  return ['Allow', [...methods, 'OPTIONS'].join(', '), ...query]
}
