export interface Target {
  readonly url: string
  readonly origin: string
  readonly protocol: 'http:' | 'https:'
  readonly hostname: string
  readonly port: number
  /** As the Host field has it. */
  readonly host: string
  readonly path: string
  /** The query of the URL with its question mark, or empty. */
  readonly search: string
  /** Whether an untrusted certificate is accepted. */
  readonly insecure: boolean
}

/** The parameters of a GraphQL request: a second one makes any GET ambiguous. */
const parameters = new Set(['query', 'variables', 'operationName', 'extensions'])

/** Parses a URL; throws a TypeError that says what is wrong with it. */
export function toTarget(url: string, insecure = false): Target {
  if (!URL.canParse(url)) throw new TypeError(`Not a URL: ${JSON.stringify(url)}.`)
  const parsed = new URL(url)
  const { origin, protocol, hostname, port, host, pathname, search, searchParams } = parsed
  if (parsed.username !== '' || parsed.password !== '') {
    // The message must not contain them either.
    throw new TypeError(
      'The URL has credentials, which the report would publish: use --header "Authorization: Basic ..." instead.',
    )
  }
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new TypeError(`Not an http or https URL: ${JSON.stringify(url)}.`)
  }
  const own = [...searchParams.keys()].find((name) => parameters.has(name))
  if (own !== undefined) {
    throw new TypeError(
      `The URL has the parameter ${own}, which the requests of the suite set themselves. Remove it.`,
    )
  }
  return {
    url,
    origin,
    protocol,
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    host,
    path: pathname,
    search,
    insecure,
  }
}

/** The request target of a request to the target: its path, and the query of both. */
export function requestTarget(target: Target, suffix: string, query: string): string {
  const queries = [target.search.slice(1), query].filter((part) => part !== '')
  return target.path + suffix + (queries.length === 0 ? '' : `?${queries.join('&')}`)
}
