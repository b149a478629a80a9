// oxfmt-ignore
import { accept, both, field, graphqlType, header, insteadOf, isLegacy, jsonType, requestField, response, status, tooLate, when, withField, request, without } from './around.js'
import type { DefectTable, Layers, Request, Response } from './defect.js'

const nothing = 'none/none'

/** Reads only some members of Accept. */
const only = (test: (member: string) => boolean): Layers =>
  accept((value) => value.split(',').filter(test).join(',') || nothing)

export const takingGraphQL = (given: Request): Request => withField(given, 'accept', graphqlType)
const page: Response = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: '<!doctype html><p>GraphiQL',
}
const label = (to: string): Layers => header('content-type', () => `${to}; charset=utf-8`)
const swapped = (value = ''): string =>
  value.includes(graphqlType)
    ? value.replace(graphqlType, jsonType)
    : value.replace(jsonType, graphqlType)

/** The greatest weight that a range gives a type, whether or not a more specific one says otherwise. */
function greatest(value: string, type: string): string {
  const weights = value.split(',').flatMap((member) => {
    const [range = '', q = '1'] = member.trim().split(/;\s*q=/)
    return [type, 'application/*', '*/*'].includes(range) ? [Number(q)] : []
  })
  return `${type};q=${Math.max(0, ...weights)}`
}

const firstKnown = (value: string): string =>
  value
    .split(',')
    .find((member) => /json|\*/.test(member) && !/q=0(?:;|$)/.test(member))
    ?.replace(/;.*/, '') ?? nothing

/** Defects in choosing the media type of a response. */
// oxfmt-ignore
export const acceptDefects: DefectTable = {
  'q-values-ignored': ['The first type in Accept is chosen, whatever its q.', 'accept.weight.one accept.weight.order', accept(firstKnown)],
  'q-zero-accepted': ['q=0 means the last choice instead of "never".', 'accept.none.zero accept.none.zero-named',
    accept((value) => value.replaceAll(/q=0(?![.\d]*[1-9])[.0]*/g, 'q=0.001'))],
  'specificity-ignored': ['The best range that matches a type counts, not the most specific one.', 'accept.zero.graphql-response accept.specific.graphql-response',
    accept((value) => `${greatest(value, graphqlType)}, ${greatest(value, jsonType)}`)],
  'accept-case-sensitive': ['Media types in Accept are case-sensitive.', 'accept.case accept.weight.upper-case', only((member) => !/[A-Z]/.test(member))],
  'wildcard-unknown': ['*/* in Accept matches nothing.', 'accept.any accept.zero.json', only((member) => !member.includes('*/*'))],
  'subtype-wildcard-unknown': ['application/* in Accept matches nothing.', 'accept.specific.json accept.zero.json.application',
    only((member) => !member.includes('application/*'))],
  'accept-white-space-kept': ['White space around the commas and semicolons of Accept invalidates a member.', 'accept.weight.white-space', only((member) => !/\s/.test(member))],
  'accept-with-empty-members-refused': ['An empty list member invalidates the whole Accept.', 'accept.empty-members',
    accept((value) => (/,\s*(?:,|$)/.test(value) ? nothing : value))],
  'accept-second-line-ignored': ['Only the first Accept line is read.', 'accept.lines',
    request((given) => withField(given, 'accept', given.headers[given.headers.findIndex((name) => /^accept$/i.test(name)) + 1]))],
  'accept-split-at-quoted-commas': ['A comma inside a quoted string ends a member of Accept.', 'accept.quoted-comma', accept((value) => value.replaceAll('"', ''))],
  'accept-with-parameters-unmatched': ['A range with charset=utf-8 matches nothing.', 'accept.charset accept.charset.quoted', only((member) => !/charset/i.test(member))],
  'accept-missing-refused': ['A request without Accept gets 406.', 'accept.absent', requestField('accept', (value) => value ?? nothing)],
  'accept-ignored': ['Every response is application/graphql-response+json, whatever Accept says.', 'accept.json accept.none.image', request(takingGraphQL)],
  'accept-disregarded': ['If nothing is acceptable, the status is 200, even if application/json has q=0.', 'accept.none.image accept.none.zero', insteadOf(406, takingGraphQL)],
  'graphql-response-unknown': ['The server supports only application/json.', 'accept.graphql-response', only((member) => !member.includes(graphqlType))],
  'json-unknown': ['A client that accepts application/json only gets 406.', 'accept.json', only((member) => !member.includes(jsonType))],
  'html-beats-json': ['An HTML page is served whenever Accept has text/html.', 'accept.ide accept.ide.post',
    when((given) => /text\/html/.test(field(given, 'accept') ?? ''), response(() => page))],
  '406-is-400': ['If nothing is acceptable, the status is 400.', 'accept.get.none accept.406-stops', status(406, 400)],
  '406-after-execution': ['If nothing is acceptable, the operation runs, and then the status is 406.', 'accept.406-stops', insteadOf(406, takingGraphQL, tooLate)],
  '406-is-an-html-page': ['If nothing is acceptable, the response is 200 with an HTML page.', 'accept.get.none accept.406-stops',
    response((made) => (made.status === 406 ? page : undefined))],
  'legacy-4xx-labelled-json': ['A 4xx is application/json for a client that accepts only that.', 'accept.error.json errors.legacy.syntax', when(isLegacy, label(jsonType))],
  'legacy-request-errors-200': ['A request error is 200 for a client that accepts application/json only.', 'errors.legacy.query-missing errors.legacy.json',
    when(isLegacy, both(label(jsonType), status([400, 422], 200)))],
  'legacy-2xx-labelled-graphql': ['A client that accepts application/json only gets 2xx in the other type.', 'accept.json', when(isLegacy, label(graphqlType))],
  'media-types-swapped': ['A client that accepts one media type gets the other.', 'accept.json.not-other accept.graphql-response.not-other accept.weight.order', header('content-type', swapped)],
  'vary-missing': ['A negotiated response has no Vary.', 'http.response.vary caching.vary.accept', without('vary')],
}
