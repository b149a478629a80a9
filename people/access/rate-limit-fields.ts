import { window, type Count } from './limiter.js'

/** Who is counted: the name of the rule, and the one it is applied to. */
export interface Quota {
  /** What clients see of it. */
  readonly policy: string
  readonly identity: string
  readonly limit: number
}

/** The fields of draft-ietf-httpapi-ratelimit-headers-10: what holds, and what is left of it. */
export function formatRateLimit(
  { policy, limit }: Quota,
  { remaining, reset }: Count,
): { readonly 'RateLimit-Policy': string; readonly RateLimit: string } {
  return {
    'RateLimit-Policy': `"${policy}";q=${limit};w=${window}`,
    RateLimit: `"${policy}";r=${remaining};t=${reset}`,
  }
}
