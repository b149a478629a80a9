import type { Http2ServerRequest } from 'node:http2'
import { isHostValue } from '../../../http/host.js'
import {
  deliverBy,
  fieldLines,
  fieldValue,
  toHeaderList,
  type Handler,
  type HeaderList,
  type HttpResponse,
  type Request,
  type TextResponse,
} from '../../../http/message.js'
import { badRequest, hostError } from '../../host-error.js'
import { checkHost } from '../../host-options.js'
import { onceClientGone } from './held-body.js'
import { isHttp2, type Incoming, type Outgoing } from './incoming.js'
import { parsedBody, toBody } from './node-body.js'
import {
  nodeHostShape,
  resolveNodeHostOptions,
  type NodeExchange,
  type NodeHostOptions,
  type NodeHostSettings,
} from './node-host-options.js'
import { serveBeforeLast } from './request-turns.js'
import { send, sendFailure } from './send.js'

/** A listener for `createServer` of node:http, https and http2, and for Connect-style routers. */
export type NodeListener<Raw extends Incoming = Incoming> = (
  incoming: Raw,
  outgoing: Outgoing,
) => void

/**
 * Turns a handler into a request listener, for node:http, https and http2, and for Express and similar
 * routers.
 */
export function toNodeListener<Raw extends Incoming>(
  handler: Handler<Raw>,
  options: NodeHostOptions = {},
): NodeListener<Raw> {
  checkHost('toNodeListener', handler, options, nodeHostShape)
  const settings = resolveNodeHostOptions(options)
  const listen = createListener(handler, settings)
  return (incoming, outgoing) => {
    const exchange = { incoming, outgoing, settings }
    serveBeforeLast(exchange, () => {
      const refused = refuseVersion(incoming)
      if (refused === undefined) listen(incoming, outgoing)
      else send(refused, exchange)
    })
  }
}

/** A listener for our servers, which have checked the version, with resolved options. */
export function createListener<Raw extends Incoming>(
  handler: Handler<Raw>,
  settings: NodeHostSettings,
): NodeListener<Raw> {
  const respond = handler.deliver ?? ((...given) => deliverBy(handler, ...given))
  // No `error` listeners: without one, Node emits no errors on a request or response except for writing
  // after the end, which `send` never does.
  return (incoming, outgoing) => {
    const exchange = { incoming, outgoing, settings }
    const deliver = (response: HttpResponse): void => {
      try {
        send(response, exchange)
      } catch (bug) {
        failed(bug)
      }
    }
    const failed = (bug: unknown): void => sendFailure(bug, exchange)
    try {
      respond(toRequest(incoming, exchange), deliver, failed)
    } catch (bug) {
      failed(bug)
    }
  }
}

/** The request as plain data. The URL is not parsed: that is slow, and throws for `GET http://[`. */
export function toRequest<Raw>(raw: Raw, exchange: NodeExchange): Request<Raw> {
  const { incoming } = exchange
  const { method = 'GET', url = '/', rawHeaders } = incoming
  // Express and similar routers keep the whole target here, and cut their own prefix off `url`.
  const { originalUrl } = incoming as { originalUrl?: unknown }
  const whole = typeof originalUrl === 'string' ? originalUrl : undefined
  const isTwo = isHttp2(incoming)
  // Raw lines: Node's `headers` drop a second Content-Type, which must be refused. Adapters that construct requests, such as
  // those for serverless functions, may leave the raw ones out.
  const headers = isTwo
    ? fromHttp2(incoming)
    : rawHeaders.length > 0
      ? rawHeaders
      : toHeaderList(incoming.headers)
  const parsed = 'body' in incoming ? parsedBody(incoming) : undefined
  return {
    method,
    target: isTwo ? escapeTarget(url) : url,
    originalTarget: isTwo && whole !== undefined ? escapeTarget(whole) : whole,
    headers: parsed === undefined ? headers : withoutBodyHeaders(headers),
    raw,
    body: toBody(exchange, parsed),
    onClientGone: (listener) => onceClientGone(exchange, listener),
  }
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

/**
 * Node decodes an HTTP/2 target as latin1 (in HTTP/1 it rejects everything beyond ASCII): unescaped bytes
 * become percent escapes.
 */
function escapeTarget(url: string): string {
  return url.replaceAll(/[\x80-\xff]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
}

/** A framework that has parsed the body has decoded it and applied limits of its own. */
function withoutBodyHeaders(headers: HeaderList): HeaderList {
  return [...fieldLines(headers)].filter(([name]) => !bodyHeader.test(name)).flat()
}

const bodyHeader = /^content-(?:encoding|length)$/i

/** The refusal of a head that breaks the rules of HTTP/1.1, for all paths. */
export function refuseHead(incoming: Incoming): TextResponse | undefined {
  if (incoming.httpVersionMajor !== 1) return refuseVersion(incoming)
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
  if (incoming.httpVersionMajor === 1 || isHttp2(incoming)) return undefined
  return incoming.httpVersionMajor === 0 ? noVersion : otherVersion
}

const noVersion = badRequest('The request line has no HTTP version.')
const otherVersion = hostError(505, 'HTTP_VERSION_NOT_SUPPORTED', 'This connection uses HTTP/1.1.')
const noHost = badRequest('HTTP/1.1 requests need a Host header.')
const invalidHost = hostError(
  400,
  'INVALID_HOST',
  'The request needs exactly one Host header with a valid host.',
)
