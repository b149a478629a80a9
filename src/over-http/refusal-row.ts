import { cutText } from '../base/cut-text.js'
import type { HeaderList } from '../http/message.js'
import type { Edition } from './editions.js'
import { formatSeconds } from './format-seconds.js'

export interface RefusalRow<Of> {
  readonly status: number | ((refusal: Of, edition: Edition) => number)
  /** Default: the kind in capitals. */
  readonly code?: string | ((refusal: Of) => string)
  /** What was wrong with the request, and how to fix it. */
  readonly message: string | ((refusal: Of) => string)
  /** Header fields of the response that belong to the status. */
  readonly headers?: (refusal: Of) => HeaderList
  /** Further members of `extensions`. */
  readonly details?: (refusal: Of) => { readonly [name: string]: unknown }
  /** For the list of refusals of the site: when this happens, and what to do about it. */
  readonly doc: readonly [when: string, advice: string]
}

/** A row for each kind of a union; a kind without a row does not compile. */
export type RefusalRows<Union extends { readonly kind: string }> = {
  readonly [Kind in Union['kind']]: RefusalRow<Extract<Union, { readonly kind: Kind }>>
}

/** A refusal with its row filled in, ready to become a GraphQL error or a problem. */
export interface RefusalDetails {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly headers: HeaderList
  readonly details: { readonly [name: string]: unknown } | undefined
}

export function fillRow<Of extends { readonly kind: string }>(
  { status, code = codeOf, message, headers, details }: RefusalRow<Of>,
  refusal: Of,
  edition: Edition,
): RefusalDetails {
  return {
    status: typeof status === 'number' ? status : status(refusal, edition),
    code: typeof code === 'string' ? code : code(refusal),
    message: typeof message === 'string' ? message : message(refusal),
    headers: headers === undefined ? noHeaders : headers(refusal),
    details: details?.(refusal),
  }
}

const noHeaders: HeaderList = []

function codeOf({ kind }: { readonly kind: string }): string {
  return kind.toUpperCase().replaceAll('-', '_')
}

/** The limit and the value that exceeds it. */
export function sizes({ limit, found }: { readonly limit: number; readonly found?: number }): {
  readonly allowed: number
  readonly found?: number
} {
  return found === undefined ? { allowed: limit } : { allowed: limit, found }
}

export function retrySoon(): HeaderList {
  return ['Retry-After', '1']
}

export function retryAfter({ retryAfter: seconds }: { readonly retryAfter: number }): HeaderList {
  return ['Retry-After', formatSeconds(seconds)]
}

export function secondsInWords(seconds: number): string {
  const rounded = formatSeconds(seconds)
  return rounded === '1' ? '1 second' : `${rounded} seconds`
}

/** Quotes and truncates text sent by a client, so that it cannot inflate a response. */
export function quote(text: string): string {
  return JSON.stringify(cutText(text, 100))
}
