/** A sentence of a specification that explains a status, and where it is. */
export interface Sentence {
  readonly text: string
  readonly url: string
}

/** GraphQL over HTTP, September 2026. The code of the error tells apart what shares a status. */
const graphql: { readonly [statusOrCode: string]: string } = {
  200: 'If the GraphQL result contains the data entry and does not contain the errors entry, then the server SHOULD reply with a 200 status code.',
  294: 'If the GraphQL result contains both the data entry (even if it is null) and the errors entry, then the server SHOULD reply with a 294 status code.',
  400: 'If the JSON body of the request could not be parsed, status code 400 SHOULD be used.',
  401: 'If the client is not permitted to issue the GraphQL request, then the server SHOULD reply with 401, 403, or a similar appropriate status code.',
  422: 'If the request is not a well-formed GraphQL-over-HTTP request, status code 422 SHOULD be used.',
  429: 'A server MAY forbid individual requests by a client to any endpoint for any reason, for example to require authentication or payment; when doing so it SHOULD use the relevant 4xx or 5xx status code.',
  503: 'For example, if the server is not able to execute requests at this time due to maintenance or load-shedding, then status code 503 SHOULD be used.',
  GRAPHQL_PARSE_FAILED:
    'If the GraphQL document in the request cannot be parsed, status code 400 SHOULD be used.',
  GRAPHQL_VALIDATION_FAILED:
    'If the request does not pass GraphQL validation, status code 422 SHOULD be used.',
  OPERATION_RESOLUTION_FAILURE:
    'If the operation to execute cannot be unambiguously determined, status code 422 SHOULD be used.',
}

/** HTTP Semantics (RFC 9110), and Additional HTTP Status Codes (RFC 6585). */
const http: { readonly [status: number]: readonly [url: string, text: string] } = {
  200: [
    'rfc9110#name-200-ok',
    'The 200 (OK) status code indicates that the request has succeeded.',
  ],
  201: [
    'rfc9110#name-201-created',
    'The 201 (Created) status code indicates that the request has been fulfilled and has resulted in one or more new resources being created.',
  ],
  401: [
    'rfc9110#name-401-unauthorized',
    'The 401 (Unauthorized) status code indicates that the request has not been applied because it lacks valid authentication credentials for the target resource.',
  ],
  403: [
    'rfc9110#name-403-forbidden',
    'The 403 (Forbidden) status code indicates that the server understood the request but refuses to fulfill it.',
  ],
  404: [
    'rfc9110#name-404-not-found',
    'The 404 (Not Found) status code indicates that the origin server did not find a current representation for the target resource or is not willing to disclose that one exists.',
  ],
  422: [
    'rfc9110#name-422-unprocessable-content',
    'The 422 (Unprocessable Content) status code indicates that the server understands the content type of the request content (…), and the syntax of the request content is correct, but it was unable to process the contained instructions.',
  ],
  429: [
    'rfc6585#section-4',
    'The 429 status code indicates that the user has sent too many requests in a given amount of time ("rate limiting").',
  ],
}

/** The sentence for a response, if there is one here. */
export function sentenceOf(path: string, status: number, body: string): Sentence | undefined {
  if (path === '/graphql') {
    const [, code = ''] = /"code":\s*"(\w+)"/.exec(body) ?? []
    const text = (status >= 400 ? graphql[code] : undefined) ?? graphql[status]
    const url = 'https://http-spec.graphql.org/September2026/#sec-Status-Codes'
    return text === undefined ? undefined : { text, url }
  }
  const [place, text] = http[status] ?? []
  if (place === undefined || text === undefined) return undefined
  return { text, url: `https://www.rfc-editor.org/rfc/${place}` }
}
