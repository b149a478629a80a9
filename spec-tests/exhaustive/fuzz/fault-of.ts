import { fieldValue, type HeaderList } from '../../../src/http/message.js'
import type { Verdict } from '../../fuzz/target.js'

export interface SeenResponse {
  readonly status: number
  readonly headers: HeaderList
  readonly body: string
}

/** What a proper answer depends on. */
export interface AskedBy {
  readonly method?: string
  /** In edition 2025-05 a request error may be a 200. */
  readonly isOld?: boolean
}

/** What is wrong with an answer, whatever was asked: its status, its headers, its body and what it tells. */
export function faultOf(
  answer: SeenResponse,
  allowed: readonly number[],
  { method = 'POST', isOld = false }: AskedBy = {},
): Verdict {
  const { status, headers, body } = answer
  if (!allowed.includes(status))
    return `status: ${status}, allowed are ${allowed.join(', ')}: ${body}`
  const fault = faultOfHeaders(answer) ?? faultOfLength(headers, body, method)
  if (fault !== undefined) return fault
  if (status === 204) return body === '' ? undefined : 'body: a 204 has one'
  if (method === 'HEAD') return body === '' ? undefined : 'body: the answer to HEAD has one'
  const type = fieldValue(headers, 'content-type')
  if (type === page) return faultOfPage(status, body, method)
  if (!type?.startsWith('text/event-stream')) {
    return faultOfBody(status, body, isOld)
  }
  const [, result] = /^:\n\nevent: next\ndata: (.*)\n\nevent: complete\ndata:\n\n$/.exec(body) ?? []
  // Errors come in a stream as well, which is always 200.
  return result === undefined ? `events: ${body}` : faultOfBody(status, result, true)
}

function faultOfHeaders({ status, headers, body }: SeenResponse): Verdict {
  if (fieldValue(headers, 'x-content-type-options') !== 'nosniff') return 'headers: no nosniff'
  if (needsAllow.has(status) && !fieldValue(headers, 'allow')) return 'headers: no Allow'
  if (status === 503 && !fieldValue(headers, 'retry-after')) return 'headers: no Retry-After'
  // RFC 9110 section 8.6: a 204 has no Content-Length.
  if (status === 204) {
    return fieldValue(headers, 'content-length') === undefined
      ? undefined
      : 'headers: a length on 204'
  }
  const isOfHost =
    (body === '' && [400, 405, 408, 417, 431, 505].includes(status)) || codeOfHost.test(body)
  const type = fieldValue(headers, 'content-type') ?? ''
  if (!contentTypes.has(type)) return `headers: the Content-Type is ${type}`
  // Before there is a head to speak of, nothing is negotiated.
  const vary = fieldValue(headers, 'vary')
  if (isOfHost && vary === undefined) return undefined
  if (!vary?.split(/, */).includes('Accept')) return `headers: Vary is ${vary}`
  if (status >= 294 && fieldValue(headers, 'cache-control') !== 'no-store') {
    return 'headers: an answer with errors can be stored'
  }
  const broken = headers.find((text) => /[\r\n\0]/.test(text))
  return broken === undefined ? undefined : `headers: a line breaks: ${JSON.stringify(broken)}`
}

const needsAllow = new Set([204, 405])
/** What browsers get that open the endpoint. */
const page = 'text/html; charset=utf-8'

const contentTypes = new Set([
  'application/graphql-response+json; charset=utf-8',
  'application/json; charset=utf-8',
  'text/event-stream; charset=utf-8',
  page,
])

function faultOfPage(status: number, body: string, method: string): Verdict {
  const isRefused = method === 'GET' && [400, 405, 406, 422].includes(status)
  return isRefused && body.startsWith('<!doctype html>') ? undefined : `page: ${status}, ${body}`
}

function faultOfLength(headers: HeaderList, body: string, method: string): Verdict {
  const length = fieldValue(headers, 'content-length')
  if (length === undefined || method === 'HEAD') return undefined
  const bytes = Buffer.byteLength(body)
  return length === String(bytes) ? undefined : `length: ${length} for ${bytes} bytes`
}

interface ShownError {
  readonly message?: unknown
  readonly locations?: readonly { readonly line?: unknown; readonly column?: unknown }[]
  readonly path?: readonly unknown[]
}

function faultOfBody(status: number, body: string, isOld: boolean): Verdict {
  if (leak.test(body)) return `leak: ${body}`
  let response: { readonly [name: string]: unknown }
  try {
    response = JSON.parse(body) as typeof response
  } catch {
    return `body: no JSON: ${body}`
  }
  if (typeof response !== 'object' || response === null) return `body: no object: ${body}`
  const unknown = Object.keys(response).find((key) => !known.has(key))
  if (unknown !== undefined) return `body: has ${unknown}`
  const { data, errors } = response as { data?: unknown; errors?: readonly ShownError[] }
  if (typeof data !== 'object') {
    if (data !== undefined) return `body: data is ${JSON.stringify(data)}`
    if (status < 400 && !isOld) return 'body: a success without data'
  } else if (status >= 400) return 'body: a refusal with data'
  if (errors === undefined) return status === 200 ? undefined : 'body: errors are missing'
  if (!Array.isArray(errors) || errors.length === 0) return 'body: errors is no list with members'
  return errors.map(faultOfError).find((fault) => fault !== undefined)
}

const known = new Set(['data', 'errors', 'extensions'])

/** What only the inside of a server knows; no generator makes it. */
const leak =
  /\bat (?:Object|async|new|Module|process)\b|node_modules|node:internal|file:\/\/\/|\/dist\/src\//

function faultOfError({ message, locations = [], path = [] }: ShownError): Verdict {
  if (typeof message !== 'string' || message === '') return 'body: an error without a message'
  if (message.length > mostCharacters) return `body: a message of ${message.length} characters`
  const isPlace = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 1
  if (!locations.every(({ line, column }) => isPlace(line) && isPlace(column))) {
    return `body: locations are ${JSON.stringify(locations)}`
  }
  const isStep = (step: unknown): boolean =>
    typeof step === 'string' || (Number.isInteger(step) && Number(step) >= 0)
  return path.every(isStep) ? undefined : `body: a path is ${JSON.stringify(path)}`
}

/** A text of the client's is cut at 100 or 200, and escaped it can be six times as long. */
const mostCharacters = 1500

/** What the host says of a request that never was one, or that it may not wait for. */
const codeOfHost =
  /"code":"(?:BAD_REQUEST|INVALID_HOST|EXPECTATION_FAILED|HTTP_VERSION_NOT_SUPPORTED|HEAD_TOO_LARGE|METHOD_NOT_ALLOWED)"/
