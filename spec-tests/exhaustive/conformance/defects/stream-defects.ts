import { accept, asPost, both, by, get, header, insteadOf, jsonType, mapOf, params, paramsOf, reply, request, response, status, when, withField, field, type Params, type When } from './around.js'
import type { DefectTable, Layers, Request, Response } from './defect.js'
import { unparsed } from './execution-defects.js'
import { isHttp2 } from '../../../../src/hosts/node/exchange/incoming.js'
import { buffered, endsAtFieldError, hangsAtFailure, held, isFailure, isIncremental, isLast, isParts, isResult, isSse, isSubscriptionParts, json, jsonOf, keepsSource, late, pieces, staysOpen, streams, type, withJson, type Out } from './streams.js'

const http2: When = ({ raw }) => isHttp2(raw)
const document = (given: Request): string => String(mapOf(given)['query'])
const isOf = (text: string): When => (given) => document(given).includes(text)
const ofEvents = (change: (piece: string) => string): Layers => pieces(isSse, change)
const ofComplete = (change: (piece: string) => string): Layers => ofEvents((piece) => (isLast(piece) ? change(piece) : piece))
const ofNext = (change: (piece: string) => string): Layers => ofEvents((piece) => (isResult(piece) ? change(piece) : piece))
const noEvents = accept((value) => value.replaceAll(/text\/event-stream[^,]*,?/g, '') || jsonType)
const complete = 'event: complete\ndata:\n\n'

/** A request error in JSON, where it should be an event. */
const errorsIn = (code: number, test: When = () => true): Layers =>
  when(test, response((made) => {
    const text = isSse(made.headers['content-type'] ?? '', {} as Request) && typeof made.body === 'string' ? made.body : ''
    return isFailure(text) ? reply(code, jsonOf(text)) : undefined
  }))

/** Everybody gets the events of everybody. */
function mixed(): Layers {
  const all = new Set<Out>()
  return streams(isSse, () => ({
    write(piece, out) {
      all.add(out)
      for (const one of all) one.write(piece)
    },
    end(out) { all.delete(out); out.end() },
  }))
}

/** What can be wrong with a stream of events. */
// oxfmt-ignore
export const sseDefects: DefectTable = {
  'sse-type-odd': ['The media type is text/x-event-stream.', 'sse.type', type((value) => value.replace('text/event', 'text/x-event'))],
  'sse-errors-in-json': ['A request error is 200 in JSON, whatever Accept says.', 'sse.type.error sse.error.validation', errorsIn(200)],
  'sse-complete-missing': ['complete never comes.', 'sse.query sse.countdown', ofComplete(() => '')],
  'sse-complete-without-data': ['complete has no data field.', 'sse.complete-data', ofComplete((piece) => piece.replace('data:\n', ''))],
  'sse-blank-line-missing': ['The last event has no blank line behind it.', 'sse.syntax', ofComplete((piece) => piece.slice(0, -1))],
  'sse-retry-in-words': ['retry is not a number.', 'sse.syntax', ofEvents((piece) => piece.replace(/^:\n/, 'retry: soon\n'))],
  'sse-latin1': ['The stream is in ISO 8859-1.', 'sse.utf8', response(({ body }) => (typeof body === 'string' ? { body: Buffer.from(body, 'latin1') } : undefined))],
  'sse-raw-line-breaks': ['The JSON is printed in several lines, without data in front of each.', 'sse.query', ofNext((piece) => withJson(piece, jsonOf(piece), 2))],
  'sse-294': ['A field error makes the status 294.', 'sse.field-error.status', response(({ body }) => (String(body).includes('"errors":') ? { status: 294 } : undefined))],
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
  'sse-field-errors-dropped': ['Results lose their errors.', 'sse.field-error sse.field-error.status', ofNext((piece) => { const { errors: _, ...rest } = jsonOf(piece); return withJson(piece, rest) })],
  'sse-source-error-hangs': ['A source that fails leaves the stream open.', 'sse.source-error', hangsAtFailure(isSse)],
  'sse-source-error-first': ['A source that fails takes its last event along.', 'sse.source-error', held(isSse, (results) => results.filter((piece, at) => isFailure(piece) || !isFailure(results[at + 1] ?? '')))],
  'sse-streams-mixed': ['A stream gets the events of another one.', 'sse.parallel', mixed],
  'sse-length': ['A stream has a Content-Length.', 'sse.no-length', when(isOf('subscription'), header('content-length', () => '1000000'))],
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

/** Changes the payloads of incremental delivery; the first is that at 0. */
const payloads = (change: (read: Params, at: number) => Params): Layers => json(isIncremental, () => change)
const lists = (name: string, change: (entry: Params) => Params, skipped = -1): Layers =>
  payloads((read, at) => (at > skipped && Array.isArray(read[name]) ? { ...read, [name]: (read[name] as Params[]).map(change) } : read))
const entries = (change: (entry: Params) => Params): Layers => lists('incremental', change)
const without = (entry: Params, name: string): Params => Object.fromEntries(Object.entries(entry).filter(([one]) => one !== name))
const updates = (change: (read: Params) => Params): Layers => payloads((read, at) => (at > 0 ? change(read) : read))
const initial = (change: (data: Params) => Params): Layers => payloads((read, at) => (at === 0 ? { ...read, data: change(read['data'] as Params) } : read))
const list = (read: Params, name: string): readonly Params[] => (read[name] ?? []) as readonly Params[]
const items = (change: (all: readonly unknown[]) => readonly unknown[]): Layers => entries((entry) => (Array.isArray(entry['items']) ? { ...entry, items: change(entry['items'] as unknown[]) } : entry))
const taken = (test: RegExp): Layers => when((given) => test.test(document(given)), { around: () => reply(200, { data: {} }) })
const ofParts = (change: (piece: string) => string): Layers => pieces(isParts, change)
const ofEnd = (change: (piece: string) => string): Layers => ofParts((piece) => (isLast(piece) ? change(piece) : piece))
const asMultipart = accept(() => 'multipart/mixed;incrementalSpec=v0.2')

/** Announces fragments behind their data. */
const lateIds = json(isIncremental, () => {
  let before: readonly Params[] = []
  return (read, at) => {
    if (at === 0) return read
    const pending = before
    before = list(read, 'pending')
    return { ...read, pending }
  }
})

/** What can be wrong with incremental delivery. */
// oxfmt-ignore
export const incrementalDefects: DefectTable = {
  'inc-has-next-first': ['hasNext is missing in the first payload.', 'inc.initial inc.legacy.initial inc.sse.initial inc.jsonl.initial', payloads((read, at) => (at === 0 ? without(read, 'hasNext') : read))],
  'inc-initial-without-data': ['The first payload has none of the fields that are not deferred.', 'inc.initial.data inc.data', initial((data) => ({ ...data, person: {} }))],
  'inc-label-missing': ['pending has no label.', 'inc.pending inc.items.path', lists('pending', (entry) => without(entry, 'label'))],
  'inc-path-missing': ['pending has no path.', 'inc.pending inc.data inc.items.path', lists('pending', (entry) => without(entry, 'path'))],
  'inc-id-unknown': ['An entry of incremental has an id that nothing announced.', 'inc.ids-known inc.sse.ids inc.jsonl.ids', entries((entry) => ({ ...entry, id: 'x' }))],
  'inc-id-late': ['A deferred fragment within another is announced behind its data.', 'inc.ids-known', lateIds],
  'inc-ids-repeated': ['All fragments have the same id.', 'inc.ids-unique', pieces(isIncremental, (piece) => piece.replaceAll(/"id":"\d+"(?=,"(?:path|label|data|items|subPath)|\})/g, '"id":"0"'))],
  'inc-completed-twice': ['An id is completed twice.', 'inc.ids-once inc.sse.ids inc.jsonl.ids', payloads((read) => ({ ...read, ...(read['completed'] !== undefined && { completed: [...list(read, 'completed'), ...list(read, 'completed')] }) }))],
  'inc-never-completed': ['The last id is never completed.', 'inc.ids-once', payloads((read) => (read['hasNext'] === false ? { ...read, completed: list(read, 'completed').slice(0, -1) } : read))],
  'inc-subpath-missing': ['subPath is left out.', 'inc.subpath', entries((entry) => without(entry, 'subPath'))],
  'inc-items-reversed': ['Streamed items come in the wrong order.', 'inc.items inc.legacy.items', items((all) => all.toReversed())],
  'inc-items-lost': ['The last streamed item is lost.', 'inc.items inc.legacy.items', items((all) => all.slice(0, -1))],
  'inc-items-first-lost': ['The first payload has one item less.', 'inc.items.initial', initial((data) => (Array.isArray(data['people']) ? { people: (data['people'] as unknown[]).slice(0, -1) } : data))],
  'inc-failed-with-data': ['What fails as a whole is an entry of incremental with data null.', 'inc.failed-completes', payloads((read) => {
    const failed = list(read, 'completed').filter((one) => 'errors' in one)
    return failed.length === 0 ? read : { ...read, incremental: failed.map((one) => ({ ...one, data: null })), completed: failed.map(({ id }) => ({ id })) } })],
  'inc-failed-silent': ['What fails as a whole is completed without errors.', 'inc.failed-completes', lists('completed', (entry) => without(entry, 'errors'))],
  'inc-field-errors-lost': ['The errors of an entry are left out.', 'inc.field-error', entries((entry) => without(entry, 'errors'))],
  'inc-has-next-last': ['hasNext is true in the last payload, too.', 'inc.last inc.legacy.last inc.sse.last inc.jsonl.last', payloads((read) => ({ ...read, hasNext: true }))],
  'inc-has-next-false': ['hasNext is false in every payload but the first.', 'inc.last', updates((read) => ({ ...read, hasNext: false }))],
  'inc-data-in-updates': ['Every payload has data.', 'inc.no-data-in-updates', updates((read) => ({ ...read, data: null }))],
  'inc-errors-at-top': ['The errors of an entry are beside it.', 'inc.no-data-in-updates', updates((read) => ({ ...read, errors: list(read, 'incremental').flatMap((entry) => entry['errors'] ?? []) }))],
  'inc-odd-entry': ['Payloads have an entry of their own.', 'inc.keys inc.legacy.no-ids', payloads((read) => ({ ...read, odd: true }))],
  'inc-field-lost': ['A deferred field is lost.', 'inc.same-data inc.legacy.same-data inc.sse.same-data inc.jsonl.same-data', entries((entry) => ({ ...entry, ...(entry['data'] != null && { data: without(entry['data'] as Params, 'age') }) }))],
  'inc-buffered': ['All payloads are sent at the end.', 'inc.early inc.sse.early inc.jsonl.early', buffered(isIncremental)],
  'inc-boundary-late': ['The boundary comes in front of the next part.', 'inc.part-early', late(isParts, '\r\n---')],
  'inc-if-ignored': ['if: false is deferred.', 'inc.if-false inc.if-variable', params(({ query, variables }) => ({ query: String(query).replace(/if: (?:false|\$d)/, 'if: true').replace(/^query \(.*?\) /, ''), ...(variables != null && { variables: {} }) }))],
  'inc-if-variable-ignored': ['The variable of if is not read.', 'inc.if-variable', params((read) => ({ ...read, variables: { d: true } }))],
  'inc-unasked': ['A deferred query is incremental, whatever Accept says.', 'inc.not-accepted', when(isOf('@defer'), asMultipart)],
  'inc-labels-repeated': ['Labels need not be unique.', 'inc.label.unique', taken(/label: "(\w+)".*label: "\1"/s)],
  'inc-label-variable': ['A label may be a variable.', 'inc.label.variable', taken(/label: \$/)],
  'inc-mutation-root': ['The root of a mutation may be deferred.', 'inc.mutation-root', taken(/^mutation.*@defer/s)],
  'inc-subscription-root': ['The root of a subscription may be deferred.', 'inc.subscription', taken(/^subscription.*@defer/s)],
  'inc-stream-anywhere': ['Any field may be streamed.', 'inc.stream-on-object', taken(/person\(id: "\d"\) @stream/)],
  'inc-boundary-missing': ['The last boundary is missing.', 'inc.boundary inc.legacy.boundary', ofEnd(() => '')],
  'inc-lf-only': ['Lines end with LF.', 'inc.boundary', ofParts((piece) => piece.replaceAll('\r\n', '\n'))],
  'inc-part-without-fields': ['Parts have no Content-Type.', 'inc.part-type', ofParts((piece) => piece.replace(/Content-Type: .*\r\n/, ''))],
  'inc-part-of-text': ['The parts are text/plain.', 'inc.part-type', ofParts((piece) => piece.replace('application/json', 'text/plain'))],
  'inc-part-empty': ['An empty part is behind the last one.', 'inc.part-json', ofEnd((piece) => `\r\n\r\n---${piece}`)],
  'inc-stays-open': ['The response does not end.', 'inc.ends', staysOpen(isIncremental)],
  'inc-length': ['The response has a Content-Length.', 'inc.chunked', both(header('content-length', (value, made) => (isParts(made.headers['content-type'] ?? '', {} as Request) ? '1000' : value)), payloads((read) => read))],
  'inc-error-status': ['The status is 294 beside errors.', 'inc.status', when(isOf('fail'), status(200, 294))],
  'inc-legacy-path-missing': ['In the older format, an entry has no path.', 'inc.legacy.data', entries((entry) => without(entry, 'path'))],
  'inc-legacy-failed-dropped': ['In the older format, what fails as a whole is left out.', 'inc.legacy.failed', payloads((read) => ({ ...read, ...(Array.isArray(read['incremental']) && { incremental: list(read, 'incremental').filter((entry) => entry['data'] !== null) }) }))],
  'inc-sse-complete-missing': ['complete does not follow the last payload.', 'inc.sse.complete', ofComplete(() => '')],
  'inc-jsonl-printed': ['A line of JSON is printed in several.', 'inc.jsonl.lines', pieces((value) => value.includes('jsonl'), (piece) => withJson(piece, jsonOf(piece), 1))],
}

const notSubscribing = (test: RegExp): Layers => accept((value) => value.replace(test, ''))
const bare = (piece: string): string => (isResult(piece) ? withJson(piece, jsonOf(piece)['payload']) : piece)

/** Another protocol over multipart/mixed than that of Apollo, and so no defect. */
export const otherProtocol: Layers = both(type((value) => value.replace(/; subscriptionSpec.*/, '')), pieces(isSubscriptionParts, bare))

/** What can be wrong with subscriptions in multipart/mixed. */
// oxfmt-ignore
export const multipartDefects: DefectTable = {
  'mps-unquoted-only': ['A quoted subscriptionSpec is not known.', 'mps.accept.quoted', notSubscribing(/; *subscriptionSpec="1.0"/)],
  'mps-quoted-only': ['Only a quoted subscriptionSpec is known.', 'mps.accept mps.accept.first', notSubscribing(/; *subscriptionSpec=1.0/)],
  'mps-json-first': ['The first type in Accept is chosen.', 'mps.accept.first', accept((value) => (value.startsWith(jsonType) ? jsonType : value))],
  'mps-boundary-odd': ['The boundary is not graphql.', 'mps.boundary-name', both(type((value) => value.replace('"graphql"', '"odd"')), ofParts((piece) => piece.replaceAll('--graphql', '--odd')))],
  'mps-boundary-missing': ['The last boundary is missing.', 'mps.boundary', ofEnd(() => '')],
  'mps-part-empty': ['An empty part is in front of the last boundary.', 'mps.parts', ofEnd((piece) => `\r\n\r\n--graphql${piece}`)],
  'mps-part-without-fields': ['Parts have no Content-Type.', 'mps.part-type', ofParts((piece) => piece.replace(/Content-Type: .*\r\n/, ''))],
  'mps-payload-once': ['Only the first result is within payload.', 'mps.payload mps.parts', json(isSubscriptionParts, () => (read, at) => (at === 0 ? read : read['payload']))],
  'mps-order-reversed': ['Events come in the wrong order.', 'mps.payload', held(isParts, (results) => results.toReversed())],
  'mps-stays-open': ['The response does not end.', 'mps.end', staysOpen(isParts)],
  'mps-field-error-ends': ['A field error ends the stream.', 'mps.field-error', endsAtFieldError(isParts, '--\r\n')],
  'mps-source-error-hangs': ['A source that fails leaves the stream open.', 'mps.source-error', hangsAtFailure(isParts)],
  'mps-source-error-silent': ['A source that fails ends the stream without errors.', 'mps.source-error', ofParts((piece) => (isFailure(piece) ? '' : piece))],
  'mps-request-error-empty': ['A subscription that is not valid gets an empty stream.', 'mps.request-error', response((made, given) => made.status >= 400 && (field(given, 'accept') ?? '').includes('subscriptionSpec')
    ? { status: 200, headers: { 'content-type': 'multipart/mixed; boundary="graphql"' }, body: '\r\n--graphql--\r\n' } : undefined)],
  'mps-buffered': ['All parts are sent at the end.', 'mps.early', buffered(isParts)],
  'mps-boundary-late': ['The boundary comes in front of the next part.', 'mps.part-early', late(isParts, '\r\n--graphql')],
  'mps-source-kept': ['A source is kept when the connection is closed.', 'mps.close-returns', keepsSource(isParts)],
  'mps-heartbeat-missing': ['Nothing is sent while a source is silent.', 'mps.heartbeat', ofParts((piece) => (piece.includes('\r\n\r\n{}\r\n') ? '' : piece))],
}
