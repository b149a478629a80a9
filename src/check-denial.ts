import type { Denial } from './refusal.js'

/**
 * What an embedder answered to turn a request away, if it is a denial that can be sent. Anything else
 * is a mistake of theirs and throws: nobody is let in by it.
 */
export function checkDenial(answer: unknown, option: string): Denial {
  const denial = (typeof answer === 'object' && answer !== null ? answer : {}) as Partial<Denial>
  const problem = problemOf(denial)
  if (problem === undefined) return denial as Denial
  throw new TypeError(`${option}: ${problem}.`)
}

function problemOf(denial: Partial<Denial>): string | undefined {
  switch (denial.kind) {
    case 'unauthenticated':
      return typeof denial.challenge === 'string' && fieldContent.test(denial.challenge)
        ? undefined
        : 'a 401 needs the value of WWW-Authenticate as its challenge, such as "Bearer"'
    case 'forbidden':
      return undefined
    case 'rate-limited':
    case 'unavailable':
      return Number.isFinite(denial.retryAfter)
        ? undefined
        : 'retryAfter must be a number of seconds'
    case 'denied':
      return problemOfStatus(denial.status)
    case undefined:
      return 'expected undefined, or a denial such as { kind: "forbidden" }'
  }
  return `there is no denial of the kind ${JSON.stringify(denial)}`
}

function problemOfStatus(status: number | undefined): string | undefined {
  if (status === 401) return 'a 401 is { kind: "unauthenticated", challenge }'
  if (Number.isInteger(status) && Number(status) >= 400 && Number(status) <= 599) return undefined
  return `the status of a denial must be 400 to 599, not ${status}`
}

const fieldContent = /^[\t\x20-\x7e\x80-\xff]+$/
