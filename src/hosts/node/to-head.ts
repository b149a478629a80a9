import type { Http2ServerRequest } from 'node:http2'
import type { HeaderList, RequestHead } from '../../http/message.js'
import { fieldLines } from '../../http/message.js'
import { isHttp2, onceGone, type Incoming, type Outgoing } from './exchange.js'
import { parsedBody } from './parsed-body.js'

/** The request as plain data. Nothing is parsed here: a URL object costs, and dies of `GET http://[`. */
export function toHead<Raw extends Incoming>(incoming: Raw, outgoing: Outgoing): RequestHead<Raw> {
  // A router has cut its own prefix off `url`; what `path` compares is what it has left.
  const { method = 'GET', url = '/' } = incoming
  const headers = headerLines(incoming)
  return {
    method,
    target: isHttp2(incoming) ? url.replaceAll(nonAsciiCharacters, escape) : url,
    headers: parsedBody(incoming) === undefined ? headers : withoutBodyHeaders(headers),
    raw: incoming,
    onClientGone: (listener) => onceGone(incoming, outgoing, listener),
  }
}

/** Raw lines, since Node's `headers` drop the second Content-Type that must be refused. */
function headerLines(incoming: Incoming): HeaderList {
  const { rawHeaders } = incoming
  if (isHttp2(incoming)) return fromHttp2(incoming)
  // Adapters that make up a request, such as those for serverless functions, may leave them out.
  return rawHeaders.length > 0 ? rawHeaders : Object.entries(incoming.headers).flatMap(toLines)
}

/** RFC 9113 section 8.3.1: the host of a request stands in a pseudo-header, and `Host` is made of it. */
function fromHttp2({ rawHeaders, headers }: Http2ServerRequest): HeaderList {
  const lines = rawHeaders.slice(pseudoHeadersEnd(rawHeaders))
  const authority = headers[':authority']
  return authority === undefined || headers.host !== undefined
    ? lines
    : ['host', authority, ...lines]
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
 * Node reads a target of HTTP/2 as latin1 (in HTTP/1 it takes none beyond ASCII): what a client sent
 * unescaped becomes the escapes that it meant.
 */
function escape(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`
}

/** A framework that has parsed the body has undone its encoding and measured it by limits of its own. */
function withoutBodyHeaders(headers: HeaderList): HeaderList {
  return [...fieldLines(headers)].filter(([name]) => !bodyHeader.test(name)).flat()
}

const bodyHeader = /^content-(?:encoding|length)$/i
