import { STATUS_CODES } from 'node:http'
import { reasonPhrases } from '../../hosts/reason-phrase.js'

/** A status in words. */
interface StatusRow {
  readonly meaning: string
  readonly advice: string
  /** Of the edition and of HTTP; each edition shows those that it has. */
  readonly statements: readonly string[]
}

/** The statuses of which the codes of errors do not say everything: they have none, or several. */
export const statusRows: { readonly [status: string]: StatusRow } = {
  101: {
    meaning: 'The handshake succeeded: the connection is a WebSocket from now on.',
    advice: 'Speak graphql-transport-ws: send connection_init first.',
    statements: [],
  },
  200: {
    meaning: 'The operation ran without errors, or the response is a stream.',
    advice: 'Read `data`. In a stream, each event has its own `errors`.',
    statements: ['SC-4', 'SC-3', 'LJ-2'],
  },
  201: {
    meaning: 'A route has made a resource.',
    advice: '`Location` names it.',
    statements: [],
  },
  202: {
    meaning: 'A route has taken the request, and works on it later.',
    advice: 'Ask again as the API describes it.',
    statements: [],
  },
  204: {
    meaning: 'A route has nothing to return, or OPTIONS was answered.',
    advice: 'Expect no body. `Allow` lists the methods.',
    statements: ['R9110-15.3.5', 'R9110-9.3.7'],
  },
  294: {
    meaning: 'The operation ran, and at least one field failed: the body has `data` and `errors`.',
    advice:
      'Read both. It is a success for HTTP: proxies and `fetch` treat it as any 2xx. A field that failed is null.',
    statements: ['SC-5', 'SC-3', 'CL-11'],
  },
  304: {
    meaning: 'The client has this version of the resource already.',
    advice: 'Use the stored response.',
    statements: ['R9110-15.4.5', 'R9110-13.1.2b'],
  },
  400: {
    meaning: 'The request cannot be read: its bytes, its JSON or its GraphQL syntax is broken.',
    advice: 'Correct the request; sending the same one again gives the same response.',
    statements: ['SC-14', 'SC-16', 'SC-17', 'LJ-5', 'R9112-3.2b', 'R9112-2.2c'],
  },
  401: {
    meaning: 'The request has no credential, or an invalid one.',
    advice: 'Send the credential that `WWW-Authenticate` asks for.',
    statements: ['SC-20', 'URL-5', 'R9110-15.5.2'],
  },
  403: {
    meaning: 'The server knows who asks, or from which site, and does not allow it.',
    advice: 'Another credential, or another origin, may be allowed.',
    statements: ['SC-20', 'URL-4', 'URL-5'],
  },
  404: {
    meaning: 'Nothing is served at this path, or the resource of a route does not exist.',
    advice: 'Check the path of the endpoint. An unknown field is not a 404 but a 422.',
    statements: ['URL-1'],
  },
  405: {
    meaning: 'The method is not served here, or it is a safe one and the operation is a mutation.',
    advice: 'Use POST, or another method of `Allow`.',
    statements: ['SC-8', 'GET-7', 'GET-8', 'R9110-15.5.6'],
  },
  406: {
    meaning:
      '`Accept` allows none of the media types that the response could have. Nothing was executed.',
    advice: 'Send `Accept: application/graphql-response+json, application/json;q=0.9`.',
    statements: ['SC-10', 'BD-6', 'BD-8', 'CL-4'],
  },
  409: {
    meaning: 'The request contradicts itself, or the state of the resource.',
    advice: 'Read the resource, then send a request that fits it.',
    statements: [],
  },
  413: {
    meaning: 'The body, or the document in it, is larger than the server takes.',
    advice: 'Send less at once; put long values in variables.',
    statements: ['SC-13'],
  },
  415: {
    meaning: 'The server cannot read the body: its type, its charset or its compression.',
    advice: 'Send `Content-Type: application/json`, uncompressed.',
    statements: ['SC-9', 'PO-1', 'PO-3', 'CL-8'],
  },
  422: {
    meaning:
      'The request can be read, and GraphQL refuses it before any resolver runs: a parameter, the document, the operation or its variables do not fit.',
    advice: 'Correct what `errors` names; the same request never succeeds.',
    statements: ['SC-15', 'SC-17', 'SC-18', 'SC-19', 'SC-6'],
  },
  500: {
    meaning: 'A bug of the server, or of a function that it was given. Clients see only an id.',
    advice: 'Look in the log of the server for the `id` of the error.',
    statements: ['SC-7', 'SC-1'],
  },
  503: {
    meaning: 'The server cannot do it now: it is overloaded, shutting down, or took too long.',
    advice: 'Try again after `Retry-After`. If it took too long, ask for less at once.',
    statements: ['SC-22'],
  },
}

/** A status with its phrase, as on the status line. */
export function titleOfStatus(status: number | string): string {
  return `${status} ${reasonPhrases[Number(status)] ?? STATUS_CODES[status]}`
}
