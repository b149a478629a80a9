// oxfmt-ignore
import { accept, both, header, jsonType, omit, params, reply, response, status, when, field, type Params } from './around.js'
import type { DefectTable, Layers, Request } from './defect.js'
// oxfmt-ignore
import { buffered, endsAtFieldError, hangsAtFailure, held, isFailure, isIncremental, isLast, isParts, isResult, isSubscriptionParts, json, jsonOf, keepsSource, late, pieces, staysOpen, streams, type, withJson } from './streams.js'
import { document, isOf, ofComplete } from './stream-defects.js'

/** Changes the payloads of incremental delivery; the first is that at 0. */
const payloads = (change: (read: Params, at: number) => Params): Layers =>
  json(isIncremental, () => change)
const lists = (name: string, change: (entry: Params) => Params, skipped = -1): Layers =>
  payloads((read, at) =>
    at > skipped && Array.isArray(read[name])
      ? { ...read, [name]: (read[name] as Params[]).map(change) }
      : read,
  )
const entries = (change: (entry: Params) => Params): Layers => lists('incremental', change)
const updates = (change: (read: Params) => Params): Layers =>
  payloads((read, at) => (at > 0 ? change(read) : read))
const initial = (change: (data: Params) => Params): Layers =>
  payloads((read, at) => (at === 0 ? { ...read, data: change(read['data'] as Params) } : read))
const list = (read: Params, name: string): readonly Params[] =>
  (read[name] ?? []) as readonly Params[]
const items = (change: (all: readonly unknown[]) => readonly unknown[]): Layers =>
  entries((entry) => {
    return Array.isArray(entry['items']) ? { ...entry, items: change(entry['items']) } : entry
  })
const taken = (test: RegExp): Layers =>
  when((given) => test.test(document(given)), { around: () => reply(200, { data: {} }) })
const ofParts = (change: (piece: string) => string): Layers => pieces(isParts, change)
const ofEnd = (change: (piece: string) => string): Layers =>
  ofParts((piece) => (isLast(piece) ? change(piece) : piece))
const asMultipart = accept(() => 'multipart/mixed;incrementalSpec=v0.2')

/** Says too early that nothing follows: one more payload does. */
const early = streams(isIncremental, () => {
  let at = 0
  return {
    write(piece, out) {
      const read = isResult(piece) ? jsonOf(piece) : undefined
      out.write(read ? withJson(piece, { ...read, hasNext: at++ === 0 }) : piece)
      if (read?.['hasNext'] === false) out.write(withJson(piece, { hasNext: false }))
    },
  }
})

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
  'inc-has-next-first': ['hasNext is missing in the first payload.', 'inc.initial inc.legacy.initial inc.sse.initial inc.jsonl.initial', payloads((read, at) => (at === 0 ? omit(read, 'hasNext') : read))],
  'inc-initial-without-data': ['The first payload has none of the fields that are not deferred.', 'inc.initial', initial((data) => ({ ...data, person: {} }))],
  'inc-label-missing': ['pending has no label.', 'inc.pending inc.items', lists('pending', (entry) => omit(entry, 'label'))],
  'inc-path-missing': ['pending has no path.', 'inc.pending inc.initial inc.items', lists('pending', (entry) => omit(entry, 'path'))],
  'inc-id-unknown': ['An entry of incremental has an id that nothing announced.', 'inc.ids-known inc.sse.ids inc.jsonl.ids', entries((entry) => ({ ...entry, id: 'x' }))],
  'inc-id-late': ['A deferred fragment within another is announced behind its data.', 'inc.ids-known', lateIds],
  'inc-ids-repeated': ['All fragments have the same id.', 'inc.ids-known', pieces(isIncremental, (piece) => piece.replaceAll(/"id":"\d+"(?=,"(?:path|label|data|items|subPath)|\})/g, '"id":"0"'))],
  'inc-completed-twice': ['An id is completed twice.', 'inc.ids-known inc.sse.ids inc.jsonl.ids', payloads((read) => ({ ...read, ...(read['completed'] !== undefined && { completed: [...list(read, 'completed'), ...list(read, 'completed')] }) }))],
  'inc-never-completed': ['The last id is never completed.', 'inc.ids-known', payloads((read) => (read['hasNext'] === false ? { ...read, completed: list(read, 'completed').slice(0, -1) } : read))],
  'inc-subpath-missing': ['subPath is left out.', 'inc.subpath', entries((entry) => omit(entry, 'subPath'))],
  'inc-items-reversed': ['Streamed items come in the wrong order.', 'inc.items inc.legacy.items', items((all) => all.toReversed())],
  'inc-items-lost': ['The last streamed item is lost.', 'inc.items inc.legacy.items', items((all) => all.slice(0, -1))],
  'inc-items-first-lost': ['The first payload has one item less.', 'inc.items', initial((data) => (Array.isArray(data['people']) ? { people: (data['people'] as unknown[]).slice(0, -1) } : data))],
  'inc-failed-with-data': ['What fails as a whole is an entry of incremental with data null.', 'inc.failed-completes', payloads((read) => {
    const failed = list(read, 'completed').filter((one) => 'errors' in one)
    return failed.length === 0 ? read : { ...read, incremental: failed.map((one) => ({ ...one, data: null })), completed: failed.map(({ id }) => ({ id })) } })],
  'inc-failed-silent': ['What fails as a whole is completed without errors.', 'inc.failed-completes', lists('completed', (entry) => omit(entry, 'errors'))],
  'inc-field-errors-lost': ['The errors of an entry are left out.', 'inc.field-error', entries((entry) => omit(entry, 'errors'))],
  'inc-has-next-last': ['hasNext is true in the last payload, too.', 'inc.last inc.legacy.last inc.sse.ids inc.jsonl.ids', payloads((read) => ({ ...read, hasNext: true }))],
  'inc-has-next-false': ['hasNext is false in every payload but the first.', 'inc.last', early],
  'inc-data-in-updates': ['Every payload has data.', 'inc.no-data-in-updates', updates((read) => ({ ...read, data: null }))],
  'inc-errors-at-top': ['The errors of an entry are beside it.', 'inc.no-data-in-updates', updates((read) => ({ ...read, errors: list(read, 'incremental').flatMap((entry) => entry['errors'] ?? []) }))],
  'inc-odd-entry': ['Payloads have an entry of their own.', 'inc.ids-known inc.legacy.initial', payloads((read) => ({ ...read, odd: true }))],
  'inc-field-lost': ['A deferred field is lost.', 'inc.last inc.legacy.last inc.sse.ids inc.jsonl.ids', entries((entry) => ({ ...entry, ...(entry['data'] != null && { data: omit(entry['data'] as Params, 'age') }) }))],
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
  'inc-boundary-missing': ['The last boundary is missing.', 'inc.boundary inc.legacy.initial', ofEnd(() => '')],
  'inc-lf-only': ['Lines end with LF.', 'inc.boundary', ofParts((piece) => piece.replaceAll('\r\n', '\n'))],
  'inc-part-without-fields': ['Parts have no Content-Type.', 'inc.boundary', ofParts((piece) => piece.replace(/Content-Type: .*\r\n/, ''))],
  'inc-part-of-text': ['The parts are text/plain.', 'inc.boundary', ofParts((piece) => piece.replace('application/json', 'text/plain'))],
  'inc-part-empty': ['An empty part is behind the last one.', 'inc.boundary', ofEnd((piece) => `\r\n\r\n---${piece}`)],
  'inc-stays-open': ['The response does not end.', 'inc.boundary', staysOpen(isIncremental)],
  'inc-length': ['The response has a Content-Length.', 'inc.boundary', both(header('content-length', (value, made) => (isParts(made.headers['content-type'] ?? '', {} as Request) ? '1000' : value)), payloads((read) => read))],
  'inc-error-status': ['The status is 294 beside errors.', 'inc.status', when(isOf('fail'), status(200, 294))],
  'inc-legacy-path-missing': ['In the older format, an entry has no path.', 'inc.legacy.initial', entries((entry) => omit(entry, 'path'))],
  'inc-legacy-failed-dropped': ['In the older format, what fails as a whole is left out.', 'inc.legacy.failed', payloads((read) => ({ ...read, ...(Array.isArray(read['incremental']) && { incremental: list(read, 'incremental').filter((entry) => entry['data'] !== null) }) }))],
  'inc-sse-complete-missing': ['complete does not follow the last payload.', 'inc.sse.initial', ofComplete(() => '')],
  'inc-jsonl-printed': ['A line of JSON is printed in several.', 'inc.jsonl.initial', pieces((value) => value.includes('jsonl'), (piece) => withJson(piece, jsonOf(piece), 1))],
}

const notSubscribing = (test: RegExp): Layers => accept((value) => value.replace(test, ''))
const bare = (piece: string): string =>
  isResult(piece) ? withJson(piece, jsonOf(piece)['payload']) : piece

/** Another protocol over multipart/mixed than that of Apollo, and so no defect. */
export const otherProtocol: Layers = both(
  type((value) => value.replace(/; subscriptionSpec.*/, '')),
  pieces(isSubscriptionParts, bare),
)

/** What can be wrong with subscriptions in multipart/mixed. */
// oxfmt-ignore
export const multipartDefects: DefectTable = {
  'mps-unquoted-only': ['A quoted subscriptionSpec is not known.', 'mps.accept.quoted', notSubscribing(/; *subscriptionSpec="1.0"/)],
  'mps-quoted-only': ['Only a quoted subscriptionSpec is known.', 'mps.accept mps.accept.first', notSubscribing(/; *subscriptionSpec=1.0/)],
  'mps-json-first': ['The first type in Accept is chosen.', 'mps.accept.first', accept((value) => (value.startsWith(jsonType) ? jsonType : value))],
  'mps-boundary-odd': ['The boundary is not graphql.', 'mps.accept', both(type((value) => value.replace('"graphql"', '"odd"')), ofParts((piece) => piece.replaceAll('--graphql', '--odd')))],
  'mps-boundary-missing': ['The last boundary is missing.', 'mps.boundary', ofEnd(() => '')],
  'mps-part-empty': ['An empty part is in front of the last boundary.', 'mps.parts', ofEnd((piece) => `\r\n\r\n--graphql${piece}`)],
  'mps-part-without-fields': ['Parts have no Content-Type.', 'mps.payload', ofParts((piece) => piece.replace(/Content-Type: .*\r\n/, ''))],
  'mps-payload-once': ['Only the first result is within payload.', 'mps.payload mps.parts', json(isSubscriptionParts, () => (read, at) => (at === 0 ? read : read['payload']))],
  'mps-order-reversed': ['Events come in the wrong order.', 'mps.payload', held(isParts, (results) => results.toReversed())],
  'mps-stays-open': ['The response does not end.', 'mps.end', staysOpen(isParts)],
  'mps-field-error-ends': ['A field error ends the stream.', 'mps.field-error', endsAtFieldError(isParts, '--\r\n')],
  'mps-source-error-hangs': ['A source that fails leaves the stream open.', 'mps.source-error', hangsAtFailure(isParts)],
  'mps-source-error-silent': ['A source that fails ends the stream without errors.', 'mps.source-error', ofParts((piece) => (isFailure(piece) ? '' : piece))],
  'mps-request-error-empty': ['A subscription that is not valid gets an empty stream.', 'mps.request-error', response((made, given) => made.status >= 400 && (field(given, 'accept') ?? '').includes('subscriptionSpec')
    ? { status: 200, headers: { 'content-type': 'multipart/mixed; boundary="graphql"' }, body: '\r\n--graphql--\r\n' } : undefined)],
  'mps-buffered': ['All parts are sent at the end.', 'mps.early', buffered(isParts)],
  'mps-boundary-late': ['The boundary comes in front of the next part.', 'mps.early', late(isParts, '\r\n--graphql')],
  'mps-source-kept': ['A source is kept when the connection is closed.', 'mps.close-returns', keepsSource(isParts)],
  'mps-heartbeat-missing': ['Nothing is sent while a source is silent.', 'mps.heartbeat', ofParts((piece) => (piece.includes('\r\n\r\n{}\r\n') ? '' : piece))],
}
