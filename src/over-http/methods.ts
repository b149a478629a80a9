import type { HeaderList } from '../http/message.js'

/** For the `Allow` header. */
export const allMethods = 'GET, HEAD, POST, QUERY, OPTIONS'
export const methodsWithoutGet = 'POST, QUERY, OPTIONS'
/** RFC 10008: the media type that QUERY accepts. */
export const acceptQuery: HeaderList = ['Accept-Query', 'application/json']
