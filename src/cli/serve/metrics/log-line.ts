import { isStream } from '../../../http/message.js'
import { fieldValue, pathOf, type RequestHead } from '../../../index.js'
import type { ServerEvent } from './observe.js'

/** A line per request, as JSON or for people to read. */
export type LogFormat = 'json' | 'pretty'

/** What a line contains. */
interface LoggedFacts {
  readonly level: 'error' | 'info'
  /** The members of the line as JSON. */
  readonly members: object
  /** The words of the line for people. */
  readonly words: readonly (string | number | undefined)[]
}

/** The log line of an event, if it has one. Never a query, variable, header or response: they may contain secrets. */
export function formatLogLine(
  event: ServerEvent,
  format: LogFormat,
  now: Date,
): string | undefined {
  const facts = factsOf(event)
  if (facts === undefined) return undefined
  const { level, members, words } = facts
  const time = now.toISOString()
  if (format === 'json') return escape(JSON.stringify({ level, time, ...members, msg: event.kind }))
  const shown = [time.slice(11, 23), level, ...words].filter((word) => word !== undefined)
  return escape(shown.join(' '))
}

function factsOf(event: ServerEvent): LoggedFacts | undefined {
  switch (event.kind) {
    case 'begun':
      return undefined
    case 'request':
      return factsOfRequest(event)
    case 'operation':
      // Those of requests are in the lines of their requests.
      return event.result.transport === 'http' ? undefined : factsOfOperation(event)
    case 'stream':
      return factsOfStream(event)
  }
}

type EventOf<Kind extends ServerEvent['kind']> = Extract<ServerEvent, { readonly kind: Kind }>

function factsOfRequest(event: EventOf<'request'>): LoggedFacts {
  const { head, response, duration, operation: node, codes } = event
  const { status, body } = response
  const { method } = head
  const { id, path, operation } = namesOf(head, node?.name?.value)
  const answer = { status, codes: listCodes(codes), ms: toMs(duration) }
  const bytes = isStream(body) ? undefined : Buffer.byteLength(body)
  const type = node?.operation
  return {
    level: levelOf(status),
    members: { id, method, path, operation, type, ...answer, bytes },
    words: [method, path, ...wordsOf(answer, bytes), type, operation, id],
  }
}

/** An operation over a WebSocket, with the status that it would have over HTTP. */
function factsOfOperation({ head, result }: EventOf<'operation'>): LoggedFacts {
  const { status, operationName, operationType: type, duration, size, transport } = result
  const { id, path, operation } = namesOf(head, operationName)
  const answer = { status, codes: listCodes(new Set(result.errorCodes)), ms: toMs(duration) }
  // What a stream sends is in its own line.
  const bytes = size === 0 ? undefined : size
  return {
    level: levelOf(status),
    members: { id, transport, path, operation, type, ...answer, bytes },
    words: [transport, path, ...wordsOf(answer, bytes), type, operation, id],
  }
}

/** A stream that has ended. Its request has a line of its own, from when it began. */
function factsOfStream({ head, end }: EventOf<'stream'>): LoggedFacts {
  const { cause, transport, field, operationName, events, duration } = end
  const { id, operation } = namesOf(head, operationName)
  const ms = Math.round(duration)
  const counts = [`${events} ${events === 1 ? 'event' : 'events'}`, `${ms} ms`]
  return {
    level: cause === 'source-failed' ? 'error' : 'info',
    members: { id, transport, field, operation, cause, events, ms },
    words: [transport, field, cause, ...counts, operation, id],
  }
}

const maxText = 200

function namesOf({ headers, target }: RequestHead, operationName: string | undefined) {
  const id = fieldValue(headers, 'x-request-id')
  return {
    // The id that a proxy has given the request, if it is safe to repeat.
    id: id !== undefined && /^[\w.-]{1,128}$/.test(id) ? id : undefined,
    path: pathOf(target).slice(0, maxText),
    operation: operationName?.slice(0, maxText),
  }
}

interface LoggedResponse {
  readonly status: number
  readonly codes: readonly string[] | undefined
  readonly ms: number
}

function wordsOf({ status, codes, ms }: LoggedResponse, bytes: number | undefined) {
  return [status, codes?.join(), `${ms} ms`, bytes === undefined ? undefined : `${bytes} B`]
}

const maxListedCodes = 8

/** Resolvers may invent codes, so that their number and length are bounded. Undefined without errors. */
function listCodes(codes: Iterable<string>): readonly string[] | undefined {
  const listed = [...codes].slice(0, maxListedCodes).map((code) => code.slice(0, 64))
  return listed.length === 0 ? undefined : listed
}

function levelOf(status: number): 'error' | 'info' {
  return status >= 500 ? 'error' : 'info'
}

function toMs(duration: number): number {
  return Math.round(duration * 100) / 100
}

/** Clients must not be able to forge log lines or control the terminal. */
function escape(line: string): string {
  return line.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}
