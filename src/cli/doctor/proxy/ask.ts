import {
  fieldOf,
  type Exchange,
  type FieldLine,
  type WireResponse,
} from '../../../conformance/wire/exchange.js'

/** What is asked of a server, and how. */
export interface UrlPlan {
  readonly url: string
  /** A query with a field that fails. */
  readonly partial: string | undefined
  readonly headers: readonly FieldLine[]
  readonly balancerIdle: number | undefined
  readonly insecure: boolean
  readonly timeout: number
}

/** Sends one request to the target. */
export type Ask = (question: Question) => Promise<Answer>

/** A request of the doctor; a POST with JSON unless it says otherwise. */
interface Question {
  readonly method?: 'POST' | 'GET' | 'QUERY'
  readonly headers?: readonly FieldLine[]
  readonly json: { readonly query: string; readonly extensions?: object }
}

/** What came of it. */
export interface Answer {
  readonly response: WireResponse | undefined
  /** Why there is no response. */
  readonly failure: string
  /** Whether the body is a result of GraphQL, and not the page of a proxy. */
  readonly isGraphQL: boolean
  readonly exchange: Exchange
}

/** The tokens of a field, in lower case. */
export function tokensOf(response: WireResponse, name: string): readonly string[] {
  return (fieldOf(response, name) ?? '')
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
}
