import { hasLateAt } from './may-hold-password.js'

/** Whether a text names a database of PostgreSQL; otherwise it is that of SQLite. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text)
}

/** The modes that the driver knows; it would take any other for `require`. */
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

/** The form of a URL whose password is recognized as one. */
export const urlAdvice =
  'expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, where these characters in a password are ' +
  'escaped: @ is %40, / is %2F, : is %3A, ? is %3F, # is %23, % is %25'

/**
 * What is wrong with the URL of a server, if anything. It repeats no part that may belong to a password.
 */
export function faultOfPostgresUrl(text: string): string | undefined {
  const url = parse(text)
  if (url === undefined) return `its URL cannot be parsed; ${urlAdvice}`
  if (hasLateAt(text)) return `its URL has an @ after the host; ${urlAdvice}`
  const port = url.searchParams.get('port')
  if (port !== null && !/^[1-9]\d{0,4}$/.test(port)) {
    return 'the parameter "port" of its URL must be a number from 1 to 65535'
  }
  const mode = url.searchParams.get('sslmode')
  if (mode !== null && !sslModes.includes(mode)) {
    return `the parameter "sslmode" of its URL must be one of ${sslModes.join(', ')}`
  }
  return undefined
}

/** The place that a URL names, for messages: no user, no password and no parameters but the socket. */
export function placeOf(text: string): string {
  const url = parse(text)
  if (url === undefined) return 'PostgreSQL'
  const folder = url.searchParams.get('host')
  const host = url.host === noHost ? '' : url.host
  return `postgres://${host}${url.pathname}${folder === null ? '' : `?host=${folder}`}`
}

const noHost = 'no-host'

/** A user without a host is possible where a parameter names the folder of a unix socket. */
function parse(text: string): URL | undefined {
  for (const url of [text, text.replace('@/', `@${noHost}/`)]) {
    if (URL.canParse(url)) return new URL(url)
  }
  return undefined
}
