import { cutText } from '../base/cut-text.js'
import type { HeaderList, TextResponse } from './message.js'
import { ResponseHeaders, type HeaderRecord } from './response-headers.js'

/** An error response as of RFC 9457, with a code for programs. */
export interface Problem {
  readonly status: number
  /** Such as 'NOT_FOUND': the same as `extensions.code` of a GraphQL error. */
  readonly code: string
  /** What was wrong with this request, and how to fix it. */
  readonly detail: string
  /** A URI that identifies the kind of problem. Default: 'urn:graphwire:problem:' and the code. */
  readonly type?: string | undefined
  /** The kind of problem in words. Default: the code in words. */
  readonly title?: string | undefined
  /** One entry for each invalid value. */
  readonly errors?: readonly ProblemError[] | undefined
  /** The id under which the server has logged the failure. */
  readonly id?: string | undefined
  readonly headers?: HeaderRecord | undefined
}

/** An invalid value of a request. */
export interface ProblemError {
  readonly detail: string
  /** The place in the body: a JSON pointer as a URI fragment, such as '#/address/city'. */
  readonly pointer?: string | undefined
  /** The name of the parameter, in the path or the query. */
  readonly parameter?: string | undefined
}

/** The default prefix of problem types. */
export const usualProblemBase = 'urn:graphwire:problem:'

/** Makes a problem response, for routes and for your own endpoints beside them. */
export function problem({ status, code, detail, headers, ...more }: Problem): TextResponse {
  const { type = problemType(code, usualProblemBase), title = inWords(code), errors, id } = more
  const body = JSON.stringify({ type, title, status, detail, code, errors, id })
  if (headers === undefined) return { status, headers: problemHeaders, body }
  const added = new ResponseHeaders()
  added.assign(headers)
  return { status, headers: added.mergeInto(problemHeaders), body }
}

export function problemType(code: string, base: string): string {
  return base + code.toLowerCase().replaceAll('_', '-')
}

/** RFC 9457 section 3.1.3: all problems of a type have the same title. */
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

/** A JSON pointer as a URI fragment (RFC 6901 section 6), such as '#/address/city'. */
export function toPointer(path: readonly (string | number)[]): string {
  return `#${path.map((part) => `/${escape(String(part))}`).join('')}`
}

function escape(part: string): string {
  // Names sent by a client can be as long as its body.
  const cut = cutText(part, 100)
  // `encodeURIComponent` throws for a lone surrogate, which has no UTF-8.
  const whole = cut.replaceAll(loneSurrogates, '\ufffd')
  return encodeURIComponent(whole.replaceAll('~', '~0').replaceAll('/', '~1'))
}

const loneSurrogates = /\p{Surrogate}/gu
