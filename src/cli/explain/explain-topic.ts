import { STATUS_CODES } from 'node:http'
import { suggest } from '../../shapes/index.js'
import { reasonPhrases } from '../../hosts/reason-phrase.js'
import { listCodes, type CodeRow } from './codes.js'
import type { Statements } from '../../conformance/suite/statements.js'
import { findRules, type Rule } from './rules.js'

/** What a status means, what to do, and statements of the editions and of HTTP, of which each edition shows its own. */
type StatusRow = readonly [meaning: string, advice: string, statements: readonly string[]]

/** The statuses that need more than the page of an error code: they have no code, or several. */
// oxfmt-ignore
export const statusRows: { readonly [status: string]: StatusRow } = {
  101: ['The handshake succeeded: the connection is a WebSocket from now on.', 'Speak graphql-transport-ws: send connection_init first.', []],
  200: [
    'The operation ran without errors, or the response is a stream.',
    'Read `data`. In a stream, each event has its own `errors`.',
    ['SC-4', 'SC-3', 'LJ-2'],
  ],
  201: ['A route has created a resource.', '`Location` names it.', []],
  202: ['A route has accepted the request, and processes it later.', 'Get the result as the API describes it.', []],
  204: ['A route has nothing to return, or OPTIONS was answered.', 'Expect no body. `Allow` lists the methods.', ['R9110-15.3.5', 'R9110-9.3.7']],
  294: [
    'The operation ran, and at least one field failed: the body has `data` and `errors`.',
    'Read both. It is a success for HTTP: proxies and `fetch` treat it as any 2xx. A field that failed is null.',
    ['SC-5', 'SC-3', 'CL-11'],
  ],
  304: ['The client has this version of the resource already.', 'Use the stored response.', ['R9110-15.4.5', 'R9110-13.1.2b']],
  400: [
    'The request cannot be read: its bytes, its JSON or its GraphQL syntax is broken.',
    'Correct the request; sending the same one again gives the same response.',
    ['SC-14', 'SC-16', 'SC-17', 'LJ-5', 'R9112-3.2b', 'R9112-2.2c'],
  ],
  401: ['The request has no credential, or an invalid one.', 'Send the credential that `WWW-Authenticate` asks for.', ['SC-20', 'URL-5', 'R9110-15.5.2']],
  403: [
    'The credential does not permit the request, or its origin is not allowed.',
    'Another credential, or another origin, may be allowed.',
    ['SC-20', 'URL-4', 'URL-5'],
  ],
  404: [
    'Nothing is served at this path, or the resource of a route does not exist.',
    'Check the path of the endpoint. An unknown field is not a 404 but a 422.',
    ['URL-1'],
  ],
  405: [
    'The method is not served here, or it is a safe one and the operation is a mutation.',
    'Use POST, or another method of `Allow`.',
    ['SC-8', 'GET-7', 'GET-8', 'R9110-15.5.6'],
  ],
  406: [
    '`Accept` allows none of the media types that the response could have. Nothing was executed.',
    'Send `Accept: application/graphql-response+json, application/json;q=0.9`.',
    ['SC-10', 'BD-8', 'BD-6', 'CL-4'],
  ],
  409: ['The request contradicts itself, or the state of the resource.', 'Read the resource, then send a request that fits it.', []],
  413: ['The body, or the document in it, is larger than the server takes.', 'Send less at once; put long values in variables.', ['SC-13']],
  415: [
    'The server cannot read the body: its type, its charset or its compression.',
    'Send `Content-Type: application/json`, uncompressed.',
    ['SC-9', 'PO-3', 'PO-1', 'CL-8'],
  ],
  422: [
    'The request can be read, and GraphQL refuses it before any resolver runs: a parameter, the document, the operation or its variables do not fit.',
    'Correct what `errors` names; the same request never succeeds.',
    ['SC-15', 'SC-17', 'SC-18', 'SC-19', 'SC-6'],
  ],
  500: [
    'A bug of the server, or of a function that it was given. Clients see only an id.',
    'Look in the log of the server for the `id` of the error.',
    ['SC-7', 'SC-1'],
  ],
  503: [
    'The server cannot do it now: it is overloaded, shutting down, or took too long.',
    'Try again after `Retry-After`. If it took too long, ask for less at once.',
    ['SC-22'],
  ],
}

/** A status with its phrase, as on the status line. */
export function titleOfStatus(status: number | string): string {
  return `${status} ${reasonPhrases[Number(status)] ?? STATUS_CODES[status]}`
}

/** A status or a code in words, as `explain --json` prints it. */
export interface ExplainedTopic {
  /** The status and its phrase, or the code. */
  readonly title: string
  /** Undefined if the reasons say it. */
  readonly meaning?: string | undefined
  readonly advice?: string | undefined
  /** The reasons for which it is sent. */
  readonly reasons: readonly CodeRow[]
  readonly rules: readonly Rule[]
}

/** The page of a status; undefined if the engine never sends it. */
export function explainStatus(status: number, statements: Statements): ExplainedTopic | undefined {
  const reasons = listCodes().filter((one) => one.status === status)
  const [meaning, advice] = statusRows[status] ?? []
  if (meaning === undefined && reasons.length === 0) return undefined
  const title = titleOfStatus(status)
  const rules = findRules(statements, statementsOf(status))
  return { title, meaning, advice, reasons, rules }
}

/** The page of a code; undefined if there is none of that name, in whichever case. */
export function explainCode(name: string, statements: Statements): ExplainedTopic | undefined {
  const code = name.toUpperCase().replaceAll('-', '_')
  const reasons = listCodes().filter((one) => one.code === code)
  if (reasons.length === 0) return undefined
  const own = reasons.flatMap((reason) => reason.statements)
  const cited = own.length > 0 ? own : reasons.flatMap(({ status }) => statementsOf(status))
  return { title: code, reasons, rules: findRules(statements, [...new Set(cited)]) }
}

export function statementsOf(status: number | undefined): readonly string[] {
  const [, , own] = statusRows[status ?? 0] ?? []
  if (own !== undefined || status === undefined) return own ?? []
  const ofCodes = listCodes().flatMap((one) => (one.status === status ? one.statements : []))
  return [...new Set(ofCodes)]
}

export function listStatuses(): readonly string[] {
  const ofCodes = listCodes().flatMap(({ status }) => (status === undefined ? [] : String(status)))
  return [...new Set([...Object.keys(statusRows), ...ofCodes])].toSorted()
}

export function suggestTopic(name: string): string {
  const codes = listCodes().map(({ code }) => code)
  return suggest(name.toUpperCase(), [...new Set(codes), ...listStatuses()])
}
