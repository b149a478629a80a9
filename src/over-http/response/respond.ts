import type { GraphQLFormattedError, OperationTypeNode } from 'graphql'
import type { RequestError } from '../../graphql/errors/request-error.js'
import { tooLong } from '../../graphql/errors/too-long.js'
import type { Whole } from '../../graphql/execute/result.js'
import type { TextResponse } from '../../http/message.js'
import type { Edition } from '../editions.js'
import type { Encoding } from './choose-encoding.js'
import { eventStreamHeaders, wholeEventStream } from './event-stream.js'
import { incrementalHeaders, wholeInParts } from './incremental-parts.js'
import { fillRow, type RefusalRow, type RefusalDetails } from '../refusal-row.js'
import { partialStatus, type Caching, type ResponseType } from '../response-types.js'
import { allow } from '../methods.js'
import { refusals, type Refusal } from '../refusals.js'

/** The response to an operation that was executed. */
export function respond(
  result: Whole,
  errors: readonly GraphQLFormattedError[],
  caching: Caching,
  encoding: Encoding,
  edition: Edition,
): TextResponse {
  const body = encode(result, errors)
  if (encoding.single === 'event-stream') return inEventStream(body)
  const { single, incremental } = encoding
  if (single === undefined && incremental !== undefined) {
    return {
      status: 200,
      headers: incrementalHeaders(incremental),
      body: wholeInParts(body, incremental),
    }
  }
  const { success } = encoding
  return {
    // Errors next to `data` (even null) are a partial success.
    status: result.errors.length === 0 ? 200 : partialStatus(success, edition),
    headers: success.headers[caching],
    body,
  }
}

/** A stream is 200 whatever it carries: the protocol sends errors as a result. */
function inEventStream(result: string): TextResponse {
  return { status: 200, headers: eventStreamHeaders, body: wholeEventStream(result) }
}

/** The response to a request error: errors without `data`. */
export function reject(
  error: RequestError,
  errors: readonly GraphQLFormattedError[],
  operation: OperationTypeNode | undefined,
  encoding: Encoding,
  edition: Edition,
): TextResponse {
  const body = encodeErrors(errors)
  if (wantsEventStream(encoding, operation)) return inEventStream(body)
  const status = rejectionStatus(error, errors, encoding.success, edition)
  const type = status < 300 ? encoding.success : encoding.failure
  return { status, headers: type.headers['no-store'], body }
}

/** The status of a request error. It is the server's fault if the resolver of a subscription has a bug. */
export function rejectionStatus(
  { kind }: RequestError,
  errors: readonly GraphQLFormattedError[],
  { rules }: ResponseType,
  { name }: Edition,
): number {
  const status = rules[name].requestError[kind]
  const isBug = errors.some(({ extensions }) => extensions?.['code'] === 'INTERNAL_SERVER_ERROR')
  return kind === 'source' && isBug && status !== 200 ? 500 : status
}

/** Whether request errors are sent in a stream: for an operation of an unknown kind, if JSON is not accepted. */
function wantsEventStream(
  { single, events }: Encoding,
  operation: OperationTypeNode | undefined,
): boolean {
  return operation === 'subscription' ? events === 'event-stream' : single === 'event-stream'
}

export function encodeErrors(errors: readonly GraphQLFormattedError[]): string {
  return JSON.stringify({ errors })
}

/** GraphQL specification, section 7.1: errors come first if there are any. */
export function encode(result: Whole, errors: readonly GraphQLFormattedError[]): string {
  if (result.kind === 'written') {
    const { body } = result
    if (errors.length === 0) return body
    return `{"errors":${JSON.stringify(errors)},${body.slice(1)}`
  }
  const { data, extensions } = result
  if (errors.length > 0) return JSON.stringify({ errors, data, extensions })
  if (extensions !== undefined) return JSON.stringify({ data, extensions })
  // Wrapping the data in an object would cost a quarter of a small response.
  return `{"data":${JSON.stringify(data)}}`
}

export function describeRefusal(refusal: Refusal, edition: Edition): RefusalDetails {
  return fillRow(refusals[refusal.kind] as RefusalRow<Refusal>, refusal, edition)
}

/** The response to a refused request: a small GraphQL response, so that clients can show it. */
export function refuse(
  { status, headers }: RefusalDetails,
  error: GraphQLFormattedError,
  { failure }: Encoding,
): TextResponse {
  const body = encodeErrors([error])
  return {
    status,
    headers: [...failure.headers['no-store'], ...headers],
    body,
  }
}

export function toError({ message, code, details }: RefusalDetails): GraphQLFormattedError {
  return { message, extensions: { code, ...details } }
}

export function describeMethods(methods: readonly string[]): TextResponse {
  return {
    status: 204,
    headers: [...allow(methods), 'X-Content-Type-Options', 'nosniff'],
    body: '',
  }
}

/** Throws if a response is longer than `maxResponseBytes`, which is a bug of the schema. */
export function checkLength(
  body: string,
  operationName: string | undefined,
  { maxResponseBytes: most }: { readonly maxResponseBytes: number },
): void {
  // A character has at most three bytes of UTF-8: they are counted only if the text is long enough.
  if (body.length * 3 <= most) return
  if (body.length > most || new TextEncoder().encode(body).byteLength > most) {
    throw tooLong(operationName, most)
  }
}
