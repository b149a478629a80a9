import { createHash } from 'node:crypto'
// oxfmt-ignore
import { asPost, both, by, field, get, header, ownField, request, response, status, textOf, when, withField, without, type When } from './around.js'
import type { DefectTable, Layers } from './defect.js'
import { server } from './http-defects.js'

const late = 'Fri, 31 Dec 2099 23:59:59 GMT'
const hash = (text: string): string =>
  `"${createHash('sha256').update(text).digest('hex').slice(0, 16)}"`
const noneMatch = (change: (value: string) => string | undefined): Layers =>
  ownField('if-none-match', change)
const since = (given: Parameters<When>[0]): string | undefined => field(given, 'if-modified-since')
function has(name: string): When {
  return (given) => field(given, name) !== undefined
}
const notModified = (test: When): Layers => when(test, status(200, 304))
const anyTag = /^(?:W\/)?"[^"]*"$/

/** A header that a 304 lacks, although the 200 has it. */
const not304 = (name: string, value?: string): Layers =>
  header(name, (own, made) => (made.status === 304 ? undefined : (value ?? own)))
/** The same for HEAD. */
const notHead = (name: string, value?: string): Layers =>
  header(name, (own, _, { method }) => (method === 'HEAD' ? undefined : (value ?? own)))

/** A tag of the URL alone. */
const stale = (prefix: string): Layers =>
  response(({ status: code, headers }, given) => {
    const etag = `${prefix}${hash(given.target)}`
    const isKnown = code === 200 && field(given, 'if-none-match') === etag
    return { status: isKnown ? 304 : code, headers: { ...headers, etag: headers['etag'] && etag } }
  })

/** Defects in validators, preconditions and lifetimes. */
// oxfmt-ignore
export const cachingDefects: DefectTable = {
  'vary-missing': ['A response that can be cached has no Vary.', 'caching.vary.accept caching.vary.error', both(without('vary'), without('cache-control'))],
  'vary-form': ['Vary is no list of names.', 'caching.vary.form', header('vary', (value) => `${value}; Origin`)],
  'etag-unquoted': ['ETag has no quotes.', 'caching.etag.form', header('etag', (value) => value?.replaceAll('"', ''))],
  'etag-stale': ['ETag remains although the content changes.', 'caching.etag.changes', stale('')],
  'etag-weak-stale': ['A weak ETag remains although the content changes.', 'caching.etag.changes-weak', stale('W/')],
  'etag-any-type': ['Both media types have one ETag.', 'caching.etag.other-type', header('etag', (value, made) => value && hash(textOf(made)))],
  'none-match-ignored': ['If-None-Match is ignored.', 'caching.none-match.tag caching.none-match.list caching.none-match.weak caching.none-match.head caching.none-match.beside-date', noneMatch(() => undefined)],
  'none-match-whole': ['If-None-Match is one tag, not a list.', 'caching.none-match.list', noneMatch((value) => (value.includes(',') ? undefined : value))],
  'none-match-commas': ['A comma inside a tag ends it.', 'caching.none-match.list', noneMatch((value) => (value.split(/, */).every((tag) => anyTag.test(tag)) ? value : undefined))],
  'none-match-one-line': ['Only the first If-None-Match line is read.', 'caching.none-match.list',
    request((given) => withField(given, 'if-none-match', given.headers[given.headers.findIndex((name) => /^if-none-match$/i.test(name)) + 1]))],
  'none-match-strong': ['If-None-Match is compared strongly.', 'caching.none-match.weak', noneMatch((value) => value.replaceAll(/W\/"[^"]*"/g, '"none"'))],
  'none-match-head': ['HEAD ignores If-None-Match.', 'caching.none-match.head', when(by('HEAD'), noneMatch(() => undefined))],
  'none-match-always': ['Any If-None-Match matches.', 'caching.none-match.unknown caching.modified-since.beside-none-match', noneMatch(() => '*')],
  'none-match-query': ['QUERY with If-None-Match is 304.', 'caching.none-match.query', notModified((given) => by('QUERY')(given) && has('if-none-match')(given))],
  'none-match-post': ['POST with If-None-Match is 304.', 'caching.none-match.post', notModified((given) => by('POST')(given) && has('if-none-match')(given))],
  'star-ignored': ['If-None-Match: * is ignored.', 'caching.none-match.star caching.none-match.star-head', noneMatch((value) => (value === '*' ? undefined : value))],
  '304-error': ['An error is 304 for If-None-Match: *.', 'caching.none-match.error caching.none-match.mutation', when((given) => get(given) && field(given, 'if-none-match') === '*', status([400, 405, 422], 304))],
  '304-content': ['A 304 has content.', 'caching.304.no-content', server((bytes) => bytes.replace(/^HTTP\/1\.1 304 .*?\r\n\r\n/s, '$&{"data":null}'))],
  '304-content-closed': ['A 304 has content, and closes the connection.', 'caching.304.no-content', { wire: ({ end }) => ({ server: (bytes) => bytes.replace(/^HTTP\/1\.1 304 .*?\r\n\r\n/s, (found) => (setTimeout(end, 1), `${found}{"data":null}`)) }) }],
  '304-new-etag': ['A 304 has another ETag than its 200.', 'caching.none-match.tag', header('etag', (value, made) => (made.status === 304 ? '"new"' : value))],
  '304-etag': ['A 304 has no ETag.', 'caching.304.etag', not304('etag')],
  '304-vary': ['A 304 has no Vary.', 'caching.304.vary', not304('vary')],
  '304-cache-control': ['A 304 has no Cache-Control, although its 200 has one.', 'caching.304.cache-control', not304('cache-control', 'private, max-age=0')],
  '304-date': ['A 304 has no Date.', 'caching.304.date', server((bytes) => (bytes.startsWith('HTTP/1.1 304 ') ? bytes.replace(/^date: .*\r\n/im, '') : bytes))],
  '304-expires': ['A 304 has no Expires, although its 200 has one.', 'caching.304.expires', not304('expires', 'Wed, 01 Jan 2020 00:00:00 GMT')],
  'modified-since': ['If-Modified-Since is compared without a Last-Modified.', 'caching.modified-since.no-date', notModified((given) => get(given) && since(given) === late && !has('if-none-match')(given))],
  'modified-since-word': ['If-Modified-Since need not be a date.', 'caching.modified-since.no-such-date', notModified((given) => since(given) === 'tomorrow')],
  'modified-since-first': ['If-Modified-Since wins over If-None-Match.', 'caching.modified-since.beside-none-match', notModified((given) => get(given) && since(given) === late)],
  'modified-since-too': ['If-Modified-Since has to match as well as If-None-Match.', 'caching.none-match.beside-date', when((given) => Date.parse(since(given) ?? late) < Date.now(), noneMatch(() => undefined))],
  'modified-since-post': ['POST with If-Modified-Since is 304.', 'caching.modified-since.post', notModified((given) => by('POST')(given) && has('if-modified-since')(given))],
  'head-etag': ['HEAD has no ETag.', 'caching.head.etag', notHead('etag')],
  'head-vary': ['HEAD has no Vary.', 'caching.head.vary', notHead('vary')],
  'head-content-type': ['HEAD has no Content-Type.', 'caching.head.content-type', notHead('content-type')],
  'head-cache-control': ['HEAD has no Cache-Control, although GET has one.', 'caching.head.cache-control', notHead('cache-control', 'private, max-age=0')],
  'max-age-quoted': ['max-age is quoted.', 'caching.max-age.form', header('cache-control', () => 'private, max-age="0"')],
  'expires-form': ['Expires is no date of HTTP.', 'caching.dates.form', header('expires', () => '2020-01-01T00:00:00Z')],
  'fresh-everything': ['Every response may be kept for ten minutes.', 'caching.error.fresh caching.field-error.fresh caching.post.fresh caching.mutation.fresh caching.authorization persisted.unknown.get apq.miss.get',
    header('cache-control', () => 'public, max-age=600')],
}

const allowed = 'https://allowed.example'
const origin = 'access-control-allow-origin'
const isPreflight = has('access-control-request-method')
const shared = (name: string, value: string): Layers =>
  header(`access-control-${name}`, (own) => own && value)

/** Shares responses with more origins. */
const sharedWith = (test: (from: string) => boolean): Layers =>
  response(({ headers }, given) => {
    const from = field(given, 'origin')
    if (from === undefined || !test(from)) return undefined
    return { headers: { ...headers, [origin]: from, 'access-control-allow-credentials': 'true' } }
  })

/** Defects in sharing responses with pages of other origins. */
// oxfmt-ignore
export const corsDefects: DefectTable = {
  'preflight-405': ['A preflight is 405.', 'cors.preflight', when(isPreflight, status([200, 204], 405))],
  'preflight-runs': ['A preflight runs the operation.', 'cors.preflight.runs-nothing', when(isPreflight, {
    around: async (given, next) => { await next(asPost({ ...given, method: 'GET' })); return next(given) } })],
  'cors-headers': ['A preflight allows other headers.', 'cors.preflight', shared('allow-headers', 'x-other')],
  'cors-query': ['A preflight does not allow QUERY.', 'cors.preflight.query', shared('allow-methods', 'GET, POST')],
  'cors-two-origins': ['Access-Control-Allow-Origin has two origins.', 'cors.origin.form', shared('allow-origin', `${allowed}, https://b.example`)],
  'cors-credentials-form': ['Access-Control-Allow-Credentials is True.', 'cors.credentials.form', shared('allow-credentials', 'True')],
  'cors-wildcard': ['Every origin may read what needs credentials.', 'cors.credentials.wildcard', shared('allow-origin', '*')],
  'cors-reflect': ['Every origin is allowed by its name.', 'cors.credentials.any-origin', sharedWith(() => true)],
  'cors-prefix': ['An origin is allowed if it begins like an allowed one.', 'cors.similar-origins', sharedWith((from) => from.startsWith(allowed))],
  'cors-null': ['The origin null is allowed.', 'cors.null', sharedWith((from) => from === 'null')],
  'cors-talkative': ['An origin that is not allowed gets headers of CORS.', 'cors.other.silent', header('access-control-allow-credentials', (_, __, given) => has('origin')(given) ? 'true' : undefined)],
  'cors-max-age': ['Access-Control-Max-Age has a unit.', 'cors.max-age.form', header('access-control-max-age', (_, __, given) => isPreflight(given) ? '10m' : undefined)],
  'cors-no-max-age': ['Access-Control-Max-Age is missing.', 'cors.preflight', without('access-control-max-age')],
  'cors-list': ['Access-Control-Expose-Headers is no list of names.', 'cors.lists.form', shared('expose-headers', 'Retry After')],
  'cors-errors': ['Errors are not shared.', 'cors.shared.errors', header(origin, (value, made) => (made.status >= 400 ? undefined : value))],
  'cors-preflight-only': ['Only preflights have headers of CORS.', 'cors.shared', header(origin, (value, _, given) => (isPreflight(given) ? value : undefined))],
  'vary-origin': ['Vary does not list Origin.', 'cors.vary.allowed cors.vary.none', header('vary', (value) => value?.replace(/,? *Origin/i, ''))],
}
