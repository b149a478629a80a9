// oxfmt-ignore
import { accept, asPost, by, get, header, insteadOf, jsonType, mapOf, omit, reply, response, status, textOf, when, field, type When } from './around.js'
import type { DefectTable, Layers, Request, Response } from './defect.js'
import { unparsed } from './execution-defects.js'
import { isHttp2 } from '../../../../src/hosts/node/exchange/incoming.js'
// oxfmt-ignore
import { buffered, endsAtFieldError, hangsAtFailure, held, isFailure, isLast, isResult, isSse, json, jsonOf, keepsSource, pieces, staysOpen, streams, type, withJson, type Out } from './streams.js'
const http2: When = ({ raw }) => isHttp2(raw)
export const document = (given: Request): string => String(mapOf(given)['query'])
export function isOf(text: string): When {
  return (given) => document(given).includes(text)
}
const ofEvents = (change: (piece: string) => string): Layers => pieces(isSse, change)
export const ofComplete = (change: (piece: string) => string): Layers =>
  ofEvents((piece) => (isLast(piece) ? change(piece) : piece))
const ofNext = (change: (piece: string) => string): Layers =>
  ofEvents((piece) => (isResult(piece) ? change(piece) : piece))
const noEvents = accept((value) => value.replaceAll(/text\/event-stream[^,]*,?/g, '') || jsonType)
const complete = 'event: complete\ndata:\n\n'

/** A request error in JSON, where it should be an event. */
const errorsIn = (code: number, test: When = () => true): Layers =>
  when(
    test,
    response((made, given) => {
      const text = isSse(made.headers['content-type'] ?? '', given) ? textOf(made) : ''
      return isFailure(text) ? reply(code, jsonOf(text)) : undefined
    }),
  )

/** Each stream gets the events of all. */
function mixed(): Layers {
  const all = new Set<Out>()
  return streams(isSse, () => ({
    write(piece, out) {
      all.add(out)
      for (const one of all) one.write(piece)
    },
    end(out) {
      all.delete(out)
      out.end()
    },
  }))
}

/** What can be wrong with a stream of events. */
// oxfmt-ignore
export const sseDefects: DefectTable = {
  'sse-type-odd': ['The media type is text/x-event-stream.', 'sse.type', type((value) => value.replace('text/event', 'text/x-event'))],
  'sse-errors-in-json': ['A request error is 200 in JSON, whatever Accept says.', 'sse.type.error sse.error.validation', errorsIn(200)],
  'sse-complete-missing': ['complete never comes.', 'sse.query sse.countdown', ofComplete(() => '')],
  'sse-complete-without-data': ['complete has no data field.', 'sse.query.keys', ofComplete((piece) => piece.replace('data:\n', ''))],
  'sse-blank-line-missing': ['The last event has no blank line after it.', 'sse.syntax', ofComplete((piece) => piece.slice(0, -1))],
  'sse-retry-in-words': ['retry is not a number.', 'sse.syntax', ofEvents((piece) => piece.replace(/^:\n/, 'retry: soon\n'))],
  'sse-latin1': ['The stream is in ISO 8859-1.', 'sse.utf8', response(({ body }) => (typeof body === 'string' ? { body: Buffer.from(body, 'latin1') } : undefined))],
  'sse-raw-line-breaks': ['The JSON is printed in several lines, without data in front of each.', 'sse.query', ofNext((piece) => withJson(piece, jsonOf(piece), 2))],
  'sse-294': ['A field error makes the status 294.', 'sse.field-error.status', response(({ body }) => (typeof body === 'string' && body.includes('"errors":') ? { status: 294 } : undefined))],
  'sse-errors-4xx': ['A request error is 4xx in JSON.', 'sse.error.validation sse.error.operation sse.error.variables', errorsIn(422)],
  'sse-syntax-4xx': ['A document that cannot be parsed gets 400.', 'sse.error.syntax', errorsIn(400, unparsed)],
  'sse-refused-alone': ['A refused subscription gets complete alone.', 'sse.error.refused', when(isOf('subscription'), ofNext((piece) => (isFailure(piece) ? '' : piece)))],
  'sse-data-wrapped': ['The data of next is { id, payload }.', 'sse.query.keys', ofNext((piece) => withJson(piece, { id: '1', payload: jsonOf(piece) }))],
  'sse-result-twice': ['The result of a query comes twice.', 'sse.query', ofNext((piece) => piece + piece)],
  'sse-event-unnamed': ['Events have no name.', 'sse.query', ofNext((piece) => piece.replace('event: next\n', ''))],
  'sse-stays-open': ['The response does not end behind complete.', 'sse.query.ends', staysOpen(isSse)],
  'sse-get-refused': ['Only POST gets a stream.', 'sse.get sse.get-subscription', when(get, noEvents)],
  'sse-query-method-refused': ['QUERY gets JSON.', 'sse.query-method', when(by('QUERY'), noEvents)],
  'sse-mutation-refused': ['A mutation gets no stream.', 'sse.mutation', when(isOf('mutation'), noEvents)],
  'sse-mutation-by-get': ['A mutation by GET is executed.', 'sse.mutation-by-get', when(get, insteadOf(405, asPost))],
  'sse-buffered': ['All events are sent at the end.', 'sse.early', buffered(isSse)],
  'sse-order-reversed': ['Events come in the wrong order.', 'sse.countdown', held(isSse, (results) => results.toReversed())],
  'sse-last-event-lost': ['The last event is lost.', 'sse.countdown', held(isSse, (results) => (results.length > 1 ? results.slice(0, -1) : results))],
  'sse-one-more-result': ['complete is behind one more result.', 'sse.no-events', ofComplete((piece) => `event: next\ndata: {"data":null}\n\n${piece}`)],
  'sse-counter-stale': ['Only the first event of a source is sent.', 'sse.counter', streams(isSse, () => {
    let count = 0
    return { write: (piece, out) => { if (!isResult(piece) || count++ === 0) out.write(piece) } } })],
  'sse-source-kept': ['A source is kept when the connection is closed.', 'sse.close-returns', keepsSource(isSse)],
  'sse-source-kept-waiting': ['A source that waits is closed only behind its next event.', 'sse.close-returns.waiting', keepsSource(isSse)],
  'sse-field-error-ends': ['A field error ends the stream.', 'sse.field-error', endsAtFieldError(isSse, complete)],
  'sse-field-errors-dropped': ['Results lose their errors.', 'sse.field-error sse.field-error.status', ofNext((piece) => withJson(piece, omit(jsonOf(piece), 'errors')))],
  'sse-source-error-hangs': ['A source that fails leaves the stream open.', 'sse.source-error', hangsAtFailure(isSse)],
  'sse-source-error-first': ['A source that fails takes its last event along.', 'sse.source-error', held(isSse, (results) => results.filter((piece, at) => isFailure(piece) || !isFailure(results[at + 1] ?? '')))],
  'sse-streams-mixed': ['A stream gets the events of another one.', 'sse.parallel', mixed],
  'sse-length': ['A stream has a Content-Length.', 'sse.headers', when(isOf('subscription'), header('content-length', () => '1000000'))],
  'sse-headers-missing': ['Nothing says that a stream is not to be stored or buffered.', 'sse.headers', response(({ headers }) => ({ headers: { 'content-type': headers['content-type'] } }))],
  'sse-q-ignored': ['text/event-stream is chosen, whatever its q.', 'sse.accept.q sse.accept.both-is-json', accept((value) => (/event-stream(?!;q=0(?:$|,))/.test(value) ? 'text/event-stream' : value))],
  'sse-last-choice': ['text/event-stream is chosen only if nothing else is accepted.', 'sse.accept.q-stream', accept((value) => (/json/.test(value) ? value.replaceAll(/text\/event-stream[^,]*,?/g, '') : value))],
  'sse-zero-accepted': ['text/event-stream is sent although it has q=0.', 'sse.accept.zero', accept((value) => (/event-stream; *q=0(?:$|,)/.test(value) ? 'text/event-stream' : value))],
  'sse-case-sensitive': ['Accept is compared with regard to case.', 'sse.accept.upper-case', accept((value) => (/[A-Z]/.test(value) ? 'none/none' : value))],
  'sse-unasked': ['A subscription is streamed, whatever Accept says.', 'sse.accept.none-406 sse.accept.json-only', when(isOf('subscription'), accept(() => 'text/event-stream'))],
  'sse-h2-in-json': ['A query gets JSON over HTTP/2.', 'sse.h2', when(http2, noEvents)],
  'sse-h2-buffered': ['All events are sent at the end over HTTP/2.', 'sse.h2.early', when(http2, buffered(isSse))],
  'sse-h2-source-kept': ['A source is kept when its stream of HTTP/2 is cancelled.', 'sse.h2.close-returns', when(http2, keepsSource(isSse))],
  'sse-heartbeat-missing': ['Nothing is sent while a source is silent.', 'sse.heartbeat', streams(isSse, () => {
    let isBegun = false
    return { write: (piece, out) => { if (!isBegun || !piece.startsWith(':')) out.write(piece); isBegun = true } } })],
}

const tokenField = 'x-graphql-event-stream-token'
const hasToken: When = (given) => field(given, tokenField) !== undefined

/** What can be wrong with the single connection mode. */
// oxfmt-ignore
export const singleDefects: DefectTable = {
  'single-reserved-200': ['A reservation is 200.', 'sse-single.reserve', status(201, 200)],
  'single-type-odd': ['The media type of a reserved stream is text/x-event-stream.', 'sse-single.stream', type((value) => value.replace('text/event', 'text/x-event'))],
  'single-status-200': ['An operation is accepted with 200.', 'sse-single.query', status(202, 200)],
  'single-data-bare': ['Results come without the id of their operation.', 'sse-single.query sse-single.two', when(hasToken, ofEvents((piece) => (piece.includes('{') ? withJson(piece, jsonOf(piece)['payload'] ?? {}) : piece)))],
  'single-ids-mixed': ['All results have the id of the first operation.', 'sse-single.two', when(hasToken, json(isSse, () => { let id: unknown; return (read) => { id ??= read['id']; return { ...read, id } } }))],
  'single-token-shared': ['Several streams can have one token.', 'sse-single.second', status(409, 200)],
  'single-token-ignored': ['Operations are accepted with any token.', 'sse-single.token', status(404, 202)],
  'single-source-kept': ['DELETE ends no source.', 'sse-single.delete', when(by('DELETE'), { around: (): Response => ({ status: 200, headers: {}, body: '' }) })],
}
