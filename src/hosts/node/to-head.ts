import { fieldLines, type RequestHead } from '../../http/message.js'
import { parsedBody } from './parsed-body.js'
import type { Incoming, Outgoing } from './exchange.js'

/** The head of a Node request as plain data. `rawHeaders` spares Node the object of all headers. */
export function toHead<Raw extends Incoming>(incoming: Raw, outgoing: Outgoing): RequestHead<Raw> {
  const { method = 'GET', url = '/', rawHeaders } = incoming
  return {
    method,
    target: nonAscii.test(url) ? url.replaceAll(nonAsciiCharacters, escape) : url,
    headers: parsedBody(incoming) === undefined ? rawHeaders : withoutBodyHeaders(rawHeaders),
    raw: incoming,
    onClientGone: (listener) => {
      if (outgoing.destroyed) listener()
      else outgoing.once('close', listener)
    },
  }
}

const nonAscii = /[\x80-\xff]/
const nonAsciiCharacters = /[\x80-\xff]/g

/** Node reads a target as latin1: what a client sent unescaped becomes the escapes that it meant. */
function escape(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`
}

/** A framework that has parsed the body has undone its encoding and measured it by limits of its own. */
function withoutBodyHeaders(headers: readonly string[]): readonly string[] {
  return [...fieldLines(headers)].filter(([name]) => !bodyHeader.test(name)).flat()
}

const bodyHeader = /^content-(?:encoding|length)$/i
