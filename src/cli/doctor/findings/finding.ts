/** One line of the doctor. */
export interface Finding {
  /** What was looked at, such as `graphql`. */
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** Why it matters; undefined if all is well. */
  readonly why?: string
  /** What to do about it. */
  readonly remedy?: string
}

/** A finding without a complaint. */
export function fine(check: string, found: string): Finding {
  return { check, state: 'ok', found }
}
