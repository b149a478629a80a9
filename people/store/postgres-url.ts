import { hasLateAt } from './may-hold-password.js'

/** Whether a text names a database of PostgreSQL; otherwise it is that of SQLite. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text)
}

/** The form of a URL whose password is recognized as one. */
export const urlAdvice =
  'expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, where these characters in a password are ' +
  'escaped: @ is %40, / is %2F, : is %3A, ? is %3F, # is %23, % is %25'

/** What is wrong with the URL of a server, if anything. It repeats no part that may belong to a password. */
export function faultOfPostgresUrl(text: string): string | undefined {
  if (parse(text) === undefined) return `its URL cannot be parsed; ${urlAdvice}`
  return hasLateAt(text) ? `its URL has an @ after the host; ${urlAdvice}` : undefined
}

/** The place that a URL names, for messages: no user, no password and no parameters but the socket. */
export function placeOf(text: string): string {
  const url = parse(text)
  const folder = url?.searchParams.get('host')
  const host = url?.host === noHost ? '' : url?.host
  return `postgres://${host}${url?.pathname}${folder ? `?host=${folder}` : ''}`
}

const noHost = 'no-host'

/** A user without a host is possible where a parameter names the folder of a unix socket. */
function parse(text: string): URL | undefined {
  for (const url of [text, text.replace('@/', `@${noHost}/`)]) {
    if (URL.canParse(url)) return new URL(url)
  }
  return undefined
}
