import type { Has } from './defects.js'
import type { Response } from './message.js'
import type { Format } from './negotiate.js'
import { misformat } from './misformat.js'
import type { Outcome } from './run-request.js'

/** The methods that are served. */
export const allow = 'GET, HEAD, POST, OPTIONS'

/** Makes the response of a GraphQL result. */
export function formatResult(
  { status, result, ...rest }: Outcome,
  format: Format,
  has: Has,
): Response {
  const isGood = status < 300
  const chosen = legacyStatus(status, format, has)
  // Whoever accepts application/json only gets that label on 2xx alone.
  const asJson =
    format === 'json' &&
    (isGood || chosen < 300 || has('legacy-4xx-labelled-json')) &&
    !has('legacy-2xx-labelled-graphql')
  const isJson = asJson !== has('media-types-swapped')
  const type = isJson ? 'application/json' : 'application/graphql-response+json'
  return {
    status: chosen,
    headers: {
      ...(has('content-type-missing') ? {} : { 'content-type': label(type, has) }),
      ...(has('vary-missing') ? {} : { vary: 'Accept' }),
      ...(rest.allow && !has('allow-missing-on-get-mutation') && { allow }),
    },
    body: (has('byte-order-mark') ? '\uFEFF' : '') + JSON.stringify(misformat(result, has)),
  }
}

function label(type: string, has: Has): string {
  if (has('content-type-is-text')) return 'text/plain; charset=utf-8'
  return has('charset-missing') ? type : `${type}; charset=utf-8`
}

function legacyStatus(status: number, format: Format, has: Has): number {
  if (format !== 'json') return status
  return status >= 400 && has('legacy-request-errors-200') ? 200 : status
}
