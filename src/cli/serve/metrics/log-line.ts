import { isStream } from '../../../http/message.js'
import { fieldValue, pathOf, type RequestHead } from '../../../index.js'
import { toPrintableJson, toPrintableLine } from '../../../conformance/reporters/words/printable.js'
import { countOf } from '../../../base/prose.js'
import { paint, type Screen, type TextStyle } from '../../process/terminal.js'
import type { Observer, ServerEvent } from './observe.js'

/** A line per request, as JSON or for people to read. */
export type LogFormat = 'json' | 'pretty'

/** The members of a line, in the order of the line for people; undefined ones are left out. */
interface LoggedFacts {
  readonly [name: string]: string | number | readonly string[] | undefined
}

export function createLog(
  format: LogFormat | 'off',
  screen: Screen,
  write: (text: string) => void,
): Observer | undefined {
  if (format === 'off') return undefined
  return (event) => {
    const line = formatLogLine(event, format, new Date(), screen)
    if (line !== undefined) write(`${line}\n`)
  }
}

/**
 * The log line of an event, if it has one. Never a query, variable, header or response: they may contain secrets. What is
 * not printable is escaped, so that clients cannot forge lines or control the terminal.
 */
export function formatLogLine(
  event: ServerEvent,
  format: LogFormat,
  now: Date,
  screen: Screen,
): string | undefined {
  const facts = factsOf(event)
  if (facts === undefined) return undefined
  const { status, ms, bytes, ...more } = facts
  const level = Number(status) >= 500 || more['cause'] === 'source-failed' ? 'error' : 'info'
  const time = now.toISOString()
  if (format === 'json') {
    return toPrintableJson(JSON.stringify({ level, time, ...facts, msg: event.kind }))
  }
  const { events } = more
  const counted = typeof events === 'number' ? countOf(events, 'event') : undefined
  const style = Number(status) >= 400 ? 'red' : status === 294 ? 'yellow' : 'green'
  const cells = [
    paint(screen, 'dim', time.slice(11, 23)),
    paint(screen, level === 'error' ? 'red' : undefined, level.padEnd(5)),
    paint(screen, style, String(status ?? '').padEnd(3)),
    paint(screen, 'dim', `${String(ms)} ms`.padStart(9)),
    paint(screen, 'dim', (bytes === undefined ? '' : `${String(bytes)} B`).padStart(8)),
  ]
  const rest: LoggedFacts = { ...more, events: counted }
  for (const [name, value] of Object.entries(rest)) {
    if (value !== undefined) cells.push(paint(screen, styles[name], toPrintableLine(String(value))))
  }
  return cells.join(' ')
}

const styles: { readonly [name: string]: TextStyle } = {
  codes: 'yellow',
  operation: 'bold',
  id: 'dim',
}

function factsOf(event: ServerEvent): LoggedFacts | undefined {
  switch (event.kind) {
    case 'begun':
    case 'masked':
      return undefined
    case 'request': {
      const { head, response, duration, operation: node, codes } = event
      const { status, body } = response
      const { path, ...names } = namesOf(head, node?.name?.value)
      const bytes = isStream(body) ? undefined : Buffer.byteLength(body)
      const answer = { status, codes: listCodes(codes), ms: toMs(duration), bytes }
      return { method: head.method, path, ...answer, type: node?.operation, ...names }
    }
    case 'operation': {
      // Over HTTP, the line of the request has it. Other operations get the status that they would have there.
      const { transport, status, operationName, operationType: type, ...more } = event.result
      if (transport === 'http') return undefined
      const { path, ...names } = namesOf(event.head, operationName)
      const codes = listCodes(new Set(more.errorCodes))
      // The bytes of a stream are in its own line.
      const bytes = more.size === 0 ? undefined : more.size
      return { transport, path, status, codes, ms: toMs(more.duration), bytes, type, ...names }
    }
    case 'stream': {
      // Its request has a line of its own, written when the stream began.
      const { cause, transport, field, operationName, events, duration } = event.end
      const { operation, id } = namesOf(event.head, operationName)
      return { transport, field, cause, events, ms: Math.round(duration), operation, id }
    }
  }
}

const maxText = 200

function namesOf({ headers, target }: RequestHead, operationName: string | undefined) {
  const id = fieldValue(headers, 'x-request-id')
  return {
    path: pathOf(target).slice(0, maxText),
    operation: operationName?.slice(0, maxText),
    // The id that a proxy has given the request, if it is safe to repeat.
    id: id !== undefined && /^[\w.-]{1,128}$/.test(id) ? id : undefined,
  }
}

const maxListedCodes = 8

/** Resolvers may invent codes, so their number and length are bounded. Undefined without errors. */
function listCodes(codes: Iterable<string>): readonly string[] | undefined {
  const listed = [...codes].slice(0, maxListedCodes).map((code) => code.slice(0, 64))
  return listed.length === 0 ? undefined : listed
}

function toMs(duration: number): number {
  return Math.round(duration * 100) / 100
}
