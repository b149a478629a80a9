import { takingGraphQL } from './accept-defects.js'
// oxfmt-ignore
import { asPost, body, both, by, contentType, header, insteadOf, jsonType, mapOf, omit, params, refuse, refuseType, request, requestField, splitUrl, status, when, withBody, withField, without } from './around.js'
import { isBroken } from './body-defects.js'
import type { DefectTable, Layers } from './defect.js'
import { first, unparsed } from './execution-defects.js'

const isQuery = by('QUERY')
const ofQuery = (layers: Layers): Layers => when(isQuery, layers)
const dropping = (name: string): Layers =>
  header('allow', (value) => value?.replace(new RegExp(`(?:^|, )${name}\\b`), ''))
const asJson = (type: string): Layers =>
  contentType((value) => (value.startsWith(type) ? jsonType : value))
const fromUrl = params((read, given) => ({ ...Object.fromEntries(splitUrl(given)[1]), ...read }))

/** Defects in the method QUERY. */
// oxfmt-ignore
export const queryDefects: DefectTable = {
  'query-not-allowed': ['Allow does not list QUERY.', 'query.allow.405 query.allow.options', dropping('QUERY')],
  'post-not-allowed': ['Allow does not list POST.', 'query.allow.405 query.allow.options query.get-mutation.allow', dropping('POST')],
  'query-large': ['A large QUERY is refused.', 'query.body.large', refuse(400, (given) => isQuery(given) && given.body.length > 1e6)],
  'query-graphql': ['QUERY takes application/graphql.', 'query.content-type.more',
    ofQuery(when(({ headers }) => headers.includes('application/graphql'), request((given) => withBody(withField(given, 'content-type', jsonType), JSON.stringify({ query: given.body.toString() })))))],
  'query-status': ['Data by QUERY is 202.', 'query.data query.variables', ofQuery(status(200, 202))],
  'query-operation-name': ['QUERY ignores operationName.', 'query.operation-name query.mutation.elsewhere', ofQuery(params((read) => omit(read, 'operationName')))],
  'query-first-operation': ['Of several operations by QUERY the first runs when none is named.', 'query.operation-unclear', ofQuery(first(({ operationName }) => operationName === undefined))],
  'query-syntax': ['A document by QUERY that does not parse is 422.', 'query.syntax', ofQuery(when(unparsed, status(400, 422)))],
  'query-no-type': ['QUERY needs no Content-Type.', 'query.content-type.missing', ofQuery(requestField('content-type', (value) => value ?? jsonType))],
  'query-any-type': ['QUERY takes JSON labelled as XML.', 'query.content-type.other', ofQuery(asJson('application/xml'))],
  'query-form': ['QUERY takes JSON labelled as a form.', 'query.content-type.form', ofQuery(asJson('application/x-www-form-urlencoded'))],
  'query-broken-body': ['A body of QUERY that is not JSON counts as a query.', 'query.body.broken query.body.empty', ofQuery(when(isBroken, body(() => '{"query":"{ __typename }"}')))],
  'query-url': ['QUERY reads parameters from its URL.', 'query.url.ignored', ofQuery(fromUrl)],
  'query-unknown-property': ['QUERY refuses a property that is not a parameter.', 'query.unknown-properties', ofQuery(refuse(422, (given) => 'graphwireUnknown' in mapOf(given)))],
  'query-null': ['QUERY refuses null as a parameter.', 'query.null', ofQuery(refuse(422, (given) => Object.values(mapOf(given)).includes(null)))],
  'query-latin1': ['A body of QUERY is read as Latin-1.', 'query.utf8', ofQuery(body((bytes) => bytes.toString('latin1')))],
  'query-charset': ['QUERY refuses a Content-Type with parameters.', 'query.charset', ofQuery(refuseType(/;/))],
  'query-validation': ['A document by QUERY that is not valid is 400.', 'query.validation query.body.no-map', ofQuery(status(422, 400))],
  'query-coercion': ['Variables by QUERY that cannot be coerced are 200.', 'query.coercion', ofQuery(status(422, 200))],
  'query-field-error': ['Data beside errors is 200 by QUERY.', 'query.field-error', ofQuery(status(294, 200))],
  'query-mutation': ['QUERY runs a mutation.', 'query.mutation.refused query.mutation.named query.mutation.halts', ofQuery(insteadOf(422, asPost))],
  'query-mutation-405': ['A mutation by QUERY is 405.', 'query.mutation.refused', ofQuery(status(422, 405))],
  'query-any-mutation': ['QUERY refuses a document that has a mutation, though a query is selected.', 'query.mutation.elsewhere', ofQuery(refuse(422, (given) => given.body.includes('mutation')))],
  'query-ignores-accept': ['QUERY ignores Accept.', 'query.accept.json query.accept.none', ofQuery(request(takingGraphQL))],
  'accept-query': ['Accept-Query is missing.', 'query.accept-query.options query.accept-query.405 query.accept-query.415', without('accept-query')],
  'accept-query-form': ['Accept-Query is not a list of media types.', 'query.accept-query.options', header('accept-query', (value) => value && 'application/json, /x')],
  'request-type': ['application/graphql-request+json is refused.', 'request-type.graphql-request', refuseType(/graphql-request/)],
}

const isForm = (given: { readonly headers: readonly string[] }, type: string): boolean =>
  given.headers.some((value) => value.startsWith(type))
const json = (text: string, instead: (text: string) => object): string =>
  text.startsWith('{') ? text : JSON.stringify(instead(text))

/** Does not look at where a request comes from. */
export const fromAnywhere = both(
  requestField('sec-fetch-site', () => undefined),
  requestField('origin', () => undefined),
)

/** Defects in what a page of another site may send. */
// oxfmt-ignore
export const csrfDefects: DefectTable = {
  'csrf-text': ['JSON labelled as plain text is executed.', 'csrf.text-plain csrf.text-plain-parameter csrf.text-plain.halts csrf.text-plain-parameter.halts batch.simple-type', asJson('text/plain')],
  'csrf-form': ['A form is executed.', 'csrf.form csrf.form-json csrf.form.halts csrf.form-json.halts', when((given) => isForm(given, 'application/x-www-form-urlencoded'),
    both(asJson('application/'), body((bytes) => json(bytes.toString(), (text) => Object.fromEntries(new URLSearchParams(text))))))],
  'csrf-multipart': ['The first part of a form is executed.', 'csrf.multipart csrf.multipart-fields csrf.multipart.halts csrf.multipart-fields.halts', when((given) => isForm(given, 'multipart/form-data'),
    both(asJson('multipart/'), body((bytes) => json(/\r\n\r\n(.*)\r\n/.exec(bytes.toString())?.[1] ?? '', (query) => ({ query })))))],
  'csrf-none': ['JSON without Content-Type is executed.', 'csrf.none csrf.none.halts', requestField('content-type', (value) => value ?? jsonType)],
  'csrf-get': ['A GET of another site is executed.', 'csrf.get', fromAnywhere],
}
