import type { HeaderList, HttpResponse } from '../http/message.js'
import { ResponseHeaders, type HeaderRecord } from '../http/response-headers.js'

/** What an answer says that is no success: RFC 9457, with a code for programs. */
export interface Problem {
  readonly status: number
  /** Such as 'NOT_FOUND': the same that `extensions.code` of a GraphQL error says. */
  readonly code: string
  /** What was wrong this time, and what would be right. */
  readonly detail: string
  /** A URI that stands for the kind of problem. Default: 'urn:graphwire:problem:' and the code. */
  readonly type?: string | undefined
  /** The kind of problem in words. Default: the code in words. */
  readonly title?: string | undefined
  /** One entry for each value that was wrong. */
  readonly errors?: readonly ProblemError[] | undefined
  /** The id under which the server has written down what happened. */
  readonly id?: string | undefined
  readonly headers?: HeaderRecord | undefined
}

/** What was wrong with one value of a request. */
export interface ProblemError {
  readonly detail: string
  /** Where it stands in the body: a JSON pointer as a URI fragment, such as '#/address/city'. */
  readonly pointer?: string | undefined
  /** Which parameter of the path or the query it is. */
  readonly parameter?: string | undefined
}

/** The base of types where no other is given. */
export const usualProblemBase = 'urn:graphwire:problem:'

/** Makes the answer that tells a problem, for routes and for whatever an embedder serves beside them. */
export function problem({ status, code, detail, headers, ...more }: Problem): HttpResponse {
  const { type = problemType(code, usualProblemBase), title = inWords(code), errors, id } = more
  const body = JSON.stringify({ type, title, status, detail, code, errors, id })
  if (headers === undefined) return { status, headers: problemHeaders, body }
  const added = new ResponseHeaders()
  added.assign(headers)
  return { status, headers: added.mergeInto(problemHeaders), body }
}

/** The URI of a kind of problem. */
export function problemType(code: string, base: string): string {
  return base + code.toLowerCase().replaceAll('_', '-')
}

/** RFC 9457 section 3.1.3: the title is the same for every problem of a type. */
function inWords(code: string): string {
  const words = code.toLowerCase().replaceAll('_', ' ').replaceAll(abbreviations, toUpperCase)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const abbreviations = /\b(?:json|uri|utf)\b/g

function toUpperCase(word: string): string {
  return word.toUpperCase()
}

const problemHeaders: HeaderList = Object.freeze([
  'Content-Type',
  'application/problem+json',
  'Cache-Control',
  'no-store',
  'X-Content-Type-Options',
  'nosniff',
])
