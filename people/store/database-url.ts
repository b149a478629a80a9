/** Whether a text names a database of PostgreSQL; otherwise it is that of SQLite. */
export function isPostgresUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text)
}

/** What names a database. */
export const advice =
  'expected the path of a file, :memory:, or postgres://USER:PASSWORD@HOST:PORT/DATABASE, where these ' +
  'characters in a password are escaped: @ is %40, / is %2F, : is %3A, ? is %3F, # is %23, % is %25. ' +
  'Write a file whose name begins like a URL as ./NAME'

/** Why a text does not name a database; undefined if it does. Never repeats the text, which may contain a password. */
export function faultOfDatabase(text: string): string | undefined {
  if (text === '') return 'it has no name'
  if (text === ':memory:') return undefined
  if (isPostgresUrl(text)) {
    if (parse(text) === undefined) return 'its URL cannot be parsed'
    return hasLateAt(text) ? 'its URL has an @ after the host' : undefined
  }
  // URLs of other databases, without slashes or in quotation marks, and keywords of libpq: a text with a
  // password must not become the name of a file.
  const isUrl = /^[^a-z]?[a-z][a-z\d+.-]+:/i.test(text) || mayHoldPassword(text)
  return isUrl ? 'this is neither a path nor a URL of PostgreSQL' : undefined
}

/**
 * Whether a text looks like a URL or the words of libpq, so that there may be a password in it: it is not
 * shown, wherever it was put by mistake, and does not become the name of a file.
 */
export function mayHoldPassword(text: string): boolean {
  const path = text.replace(/^[a-z]:(?=[\\/])/i, '') // a drive of Windows
  return path.includes('://') || /:.*@/s.test(path) || /\bpassword\s*=/i.test(path)
}

/**
 * Whether the URL of a server has an @ after its host, as one has whose password is not escaped: of
 * `redis://me:half@of/it@host` a parser takes `of` for the host, and messages name it.
 */
export function hasLateAt(url: string): boolean {
  return /^[^:]*:\/\/[^/?#]*[/?#].*@/s.test(url)
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
