import type { Http2ServerRequest } from 'node:http2'
import {
  type HeaderList,
  type Body,
  type Request,
  fieldLines,
  fieldValue,
  type TextResponse,
} from '../../../http/message.js'
import { isHttp2, onceGone, type Incoming, type Outgoing } from './incoming.js'
import { parsedBody } from './node-body.js'
import { isHostValue } from '../../../http/host.js'
import { badRequest, hostError } from '../../host-error.js'

/** The request as plain data. The URL is not parsed: that is slow, and throws for `GET http://[`. */
export function toRequest<Raw extends Incoming>(
  incoming: Raw,
  outgoing: Outgoing,
  body?: Body,
): Request<Raw> {
  // Routers cut their own prefix off `url`; the option `path` is compared with the rest.
  const { method = 'GET', url = '/' } = incoming
  const headers = headerLines(incoming)
  const { originalUrl } = incoming as { originalUrl?: unknown }
  return {
    method,
    target: targetOf(incoming, url),
    // Express and similar routers keep the whole target here.
    originalTarget: typeof originalUrl === 'string' ? targetOf(incoming, originalUrl) : undefined,
    headers: parsedBody(incoming) === undefined ? headers : withoutBodyHeaders(headers),
    raw: incoming,
    body,
    onClientGone: (listener) => onceGone(incoming, outgoing, listener),
  }
}

function targetOf(incoming: Incoming, url: string): string {
  return isHttp2(incoming) ? url.replaceAll(nonAsciiCharacters, escape) : url
}

/** Raw lines: Node's `headers` drop a second Content-Type, which must be refused. */
function headerLines(incoming: Incoming): HeaderList {
  const { rawHeaders } = incoming
  if (isHttp2(incoming)) return fromHttp2(incoming)
  // Adapters that construct requests, such as those for serverless functions, may leave them out.
  return rawHeaders.length > 0 ? rawHeaders : Object.entries(incoming.headers).flatMap(toLines)
}

/**
 * RFC 9113 section 8.3.1: the host of a request is in a pseudo-header, from which `Host` is derived. A `Host` that
 * names another one is kept, and a request with both is refused, since code that reads only one would be misled.
 */
function fromHttp2({ rawHeaders, headers }: Http2ServerRequest): HeaderList {
  const lines = withOneCookie(rawHeaders.slice(pseudoHeadersEnd(rawHeaders)))
  const { ':authority': authority, ':scheme': scheme } = headers
  if (!authority) return lines
  const own = normalized(authority, scheme)
  const others = [...fieldLines(lines)].filter(
    ([name, value]) => name !== 'host' || normalized(value, scheme) !== own,
  )
  return ['host', authority, ...others.flat()]
}

/** RFC 3986 section 6.2: capitals and the usual port of the scheme name the same host. */
function normalized(host: string, scheme: string | undefined): string {
  return host.toLowerCase().replace(scheme === 'https' ? /:(?:443)?$/ : /:(?:80)?$/, '')
}

/** RFC 9113 section 8.2.3: clients may send a field for each cookie, but code that reads cookies expects one. */
function withOneCookie(lines: HeaderList): HeaderList {
  if (lines.indexOf('cookie') === lines.lastIndexOf('cookie')) return lines
  const fields = [...fieldLines(lines)]
  const first = fields.findIndex(([name]) => name === 'cookie')
  const value = fieldValue(lines, 'cookie') ?? ''
  return fields.flatMap((field, at) => {
    if (field[0] !== 'cookie') return field
    return at === first ? ['cookie', value] : []
  })
}

function pseudoHeadersEnd(rawHeaders: HeaderList): number {
  const first = rawHeaders.findIndex((name, at) => at % 2 === 0 && !name.startsWith(':'))
  return first < 0 ? rawHeaders.length : first
}

function toLines([name, values = []]: [string, string | readonly string[] | undefined]): string[] {
  return [values].flat().flatMap((value) => [name, value])
}

const nonAsciiCharacters = /[\x80-\xff]/g

/**
 * Node decodes an HTTP/2 target as latin1 (in HTTP/1 it rejects everything beyond ASCII): unescaped bytes
 * become percent escapes.
 */
function escape(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`
}

/** A framework that has parsed the body has decoded it and applied limits of its own. */
function withoutBodyHeaders(headers: HeaderList): HeaderList {
  return [...fieldLines(headers)].filter(([name]) => !bodyHeader.test(name)).flat()
}

const bodyHeader = /^content-(?:encoding|length)$/i

/** The refusal of a head that breaks the rules of HTTP/1.1, for all paths. */
export function refuseHead(incoming: Incoming): TextResponse | undefined {
  const refused = refuseVersion(incoming)
  if (refused !== undefined) return refused
  // RFC 9112 section 3.2. Two lines are joined by a comma, which no valid value has; Node's `headers`
  // drop the second.
  const host = fieldValue(incoming.rawHeaders, 'host')
  // HTTP/1.0 may leave it out.
  if (host === undefined) return incoming.httpVersionMinor === 0 ? undefined : noHost
  return isHostValue(host) ? undefined : invalidHost
}

/**
 * The refusal of a request line without a version, which Node treats as HTTP/0.9 (RFC 9112 section 3.2
 * requires a 400), or with the version of a protocol that the connection does not use.
 */
export function refuseVersion(incoming: Incoming): TextResponse | undefined {
  if (isHttp2(incoming) || incoming.httpVersionMajor === 1) return undefined
  return incoming.httpVersionMajor === 0 ? noVersion : otherVersion
}

const noVersion = badRequest('The request line has no HTTP version.')
const otherVersion = hostError(505, 'This connection uses HTTP/1.1.', {
  code: 'HTTP_VERSION_NOT_SUPPORTED',
})
const noHost = badRequest('HTTP/1.1 requests need a Host header.')
const invalidHost = hostError(400, 'The request needs exactly one Host header with a valid host.', {
  code: 'INVALID_HOST',
})

/** HTTP/1.0 has no chunked coding: a request that uses it has invalid framing, and nothing may follow it (RFC 9112 section 6.1). */
export function closeBehindFaultyFraming(incoming: Incoming, outgoing: Outgoing): void {
  if (incoming.httpVersionMinor !== 0 || isHttp2(incoming) || !('shouldKeepAlive' in outgoing)) {
    return
  }
  if (fieldValue(incoming.rawHeaders, 'transfer-encoding') !== undefined) {
    outgoing.shouldKeepAlive = false
  }
}
