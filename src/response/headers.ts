import type { HeaderList } from '../http/message.js'
import type { ResponseType } from './editions.js'

/** The headers of an answer by its type; made once, since most answers need nothing else. */
export function baseHeaders(type: ResponseType, storable: boolean): HeaderList {
  return (storable ? storableHeaders : unstorableHeaders)[type]
}

const storableHeaders: { readonly [type in ResponseType]: HeaderList } = {
  'application/graphql-response+json': headersOf('application/graphql-response+json'),
  'application/json': headersOf('application/json'),
}

const unstorableHeaders: { readonly [type in ResponseType]: HeaderList } = {
  'application/graphql-response+json': headersOf(
    'application/graphql-response+json',
    'Cache-Control',
    'no-store',
  ),
  'application/json': headersOf('application/json', 'Cache-Control', 'no-store'),
}

/** Frozen, since all answers share it. */
function headersOf(type: ResponseType, ...more: readonly string[]): HeaderList {
  const contentType = ['Content-Type', `${type}; charset=utf-8`]
  const others = ['Vary', 'Accept', 'X-Content-Type-Options', 'nosniff']
  return Object.freeze([...contentType, ...others, ...more])
}
