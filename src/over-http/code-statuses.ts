/** What a status follows from, if an error that is meant for clients decides it. */
export interface FailureRules {
  /** Statuses of error codes, in addition to the built-in ones. */
  readonly statusOfCode: { readonly [code: string]: number }
  /** The `WWW-Authenticate` of a 401. */
  readonly challenge: string
}

export const usualFailureRules: FailureRules = { statusOfCode: {}, challenge: 'Bearer' }

const usualStatuses: { readonly [code: string]: number } = {
  BAD_USER_INPUT: 422,
  NOT_FOUND: 404,
  CONFLICT: 409,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
}

/** The status of an error code; undefined if it has none. */
export function statusOf(
  code: unknown,
  { statusOfCode }: Pick<FailureRules, 'statusOfCode'>,
): number | undefined {
  if (typeof code !== 'string') return undefined
  for (const statuses of [statusOfCode, usualStatuses]) {
    if (Object.hasOwn(statuses, code)) return statuses[code]
  }
  return undefined
}
