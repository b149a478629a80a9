import { isStream } from '../../../http/message.js'
import { fieldValue, pathOf } from '../../../index.js'
import type { OperationRecord, RequestRecord, StreamRecord } from './request-record.js'

/** A line per request, as JSON or for people to read. */
export type LogFormat = 'json' | 'pretty'

/** The log line of a request. Never a query, variable, header or response: they may contain secrets. */
export function formatLogLine(record: RequestRecord, format: LogFormat, now: Date): string {
  const facts = factsOf(record)
  return format === 'json'
    ? escape(
        JSON.stringify({
          level: facts.level,
          time: now.toISOString(),
          ...facts.request,
          msg: 'request',
        }),
      )
    : escape(pretty(facts, now))
}

/** The log line of a stream that has ended. Its request has a line of its own, from when it began. */
export function formatStreamLine(
  { head, end }: StreamRecord,
  format: LogFormat,
  now: Date,
): string {
  const { cause, transport, field, operationName, events, duration } = end
  const level = cause === 'source-failed' ? 'error' : 'info'
  const id = requestId(head.headers)
  const operation = operationName?.slice(0, maxText)
  const ms = Math.round(duration)
  if (format === 'json') {
    const time = now.toISOString()
    const stream = { id, transport, field, operation, cause, events, ms }
    return escape(JSON.stringify({ level, time, ...stream, msg: 'stream' }))
  }
  const time = now.toISOString().slice(11, 23)
  const counts = [`${events} ${events === 1 ? 'event' : 'events'}`, `${ms} ms`]
  const words = [time, level, transport, field, cause, ...counts, operation, id]
  return escape(joinWords(words))
}

/** The log line of an operation over a WebSocket, with the status that it would have over HTTP. */
export function formatOperationLine(
  { head, result }: OperationRecord,
  format: LogFormat,
  now: Date,
): string {
  const { status, operationName, operationType: type, duration, size, transport } = result
  const codes = listCodes(new Set(result.errorCodes))
  const line = {
    id: requestId(head.headers),
    transport,
    path: pathOf(head.target).slice(0, maxText),
    operation: operationName?.slice(0, maxText),
    type,
    status,
    codes,
    ms: toMs(duration),
    // What a stream sends is in its own line.
    bytes: size === 0 ? undefined : size,
  }
  const level = levelOf(status)
  if (format === 'json') {
    return escape(JSON.stringify({ level, time: now.toISOString(), ...line, msg: 'operation' }))
  }
  const { id, path, operation, ms, bytes } = line
  const time = now.toISOString().slice(11, 23)
  const sent = bytes === undefined ? undefined : `${bytes} B`
  const outcome = [status, codes?.join(), `${ms} ms`, sent, type, operation]
  return escape(joinWords([time, level, transport, path, ...outcome, id]))
}

function factsOf({ head, response, duration, operation, codes }: RequestRecord) {
  const { status, body } = response
  return {
    level: levelOf(status),
    request: {
      id: requestId(head.headers),
      method: head.method,
      path: pathOf(head.target).slice(0, maxText),
      operation: operation?.name?.value.slice(0, maxText),
      type: operation?.operation,
      status,
      codes: listCodes(codes),
      ms: toMs(duration),
      bytes: isStream(body) ? undefined : Buffer.byteLength(body),
    },
  } as const
}

const maxText = 200

/** Resolvers may invent codes, so that their number and length are bounded. Undefined without errors. */
function listCodes(codes: Iterable<string>): readonly string[] | undefined {
  const listed = [...codes].slice(0, maxListedCodes).map((code) => code.slice(0, 64))
  return listed.length === 0 ? undefined : listed
}

const maxListedCodes = 8

function levelOf(status: number): 'error' | 'info' {
  return status >= 500 ? 'error' : 'info'
}

function toMs(duration: number): number {
  return Math.round(duration * 100) / 100
}

function joinWords(words: readonly (string | number | undefined)[]): string {
  return words.filter((word) => word !== undefined).join(' ')
}

/** The id that a proxy has given the request, if it is safe to repeat. */
function requestId(headers: RequestRecord['head']['headers']): string | undefined {
  const id = fieldValue(headers, 'x-request-id')
  return id !== undefined && /^[\w.-]{1,128}$/.test(id) ? id : undefined
}

function pretty({ level, request }: ReturnType<typeof factsOf>, now: Date): string {
  const { id, method, path, operation, type, status, codes, ms, bytes } = request
  const time = now.toISOString().slice(11, 23)
  const words = [
    time,
    level,
    method,
    path,
    status,
    codes?.join(),
    `${ms} ms`,
    bytes === undefined ? undefined : `${bytes} B`,
    type,
    operation,
    id,
  ]
  return joinWords(words)
}

/** Clients must not be able to forge log lines or control the terminal. */
function escape(line: string): string {
  return line.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}
