/** RFC 9111 section 1.2.2: larger numbers of seconds are treated as this one. */
const mostSeconds = 2 ** 31

/** Formats `Retry-After`, always as plain digits (RFC 9110 section 10.2.3); one second if unknown. */
export function formatSeconds(seconds: unknown): string {
  const value = typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : 1
  return String(Math.min(mostSeconds, Math.max(0, Math.ceil(value))))
}
