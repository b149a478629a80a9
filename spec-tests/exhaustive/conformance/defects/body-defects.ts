// oxfmt-ignore
import { body, by, contentType, isMap, jsonType, mapOf, params, paramsOf, readJson, refuse, refuseType, request, requestField, response, splitUrl, status, textOf, when, withBody, type Params } from './around.js'
import type { DefectTable, Layers, Request } from './defect.js'

export const isBroken = (given: Request): boolean => paramsOf(given) === undefined
const brokenJson = (code: number): Layers => when(isBroken, status(400, code))

const fromUrl = (given: Request): Params => {
  const { query, operationName } = Object.fromEntries(splitUrl(given)[1])
  return { ...(query && { query }), ...(operationName && { operationName }) }
}

/** Takes trailing commas and what follows the end, and closes what is open. */
function repair(text: string): string {
  const tidy = text.replaceAll(/,\s*([}\]])/g, '$1').replace(/^(\{.*\})[^}]*$/s, '$1')
  const open = tidy.split('{').length - tidy.split('}').length
  const quotes = tidy.split('"').length % 2 === 0 ? '"' : ''
  return tidy === '' ? '{"query":"{__typename}"}' : tidy + quotes + '}'.repeat(Math.max(0, open))
}

/** Defects in reading a body. */
// oxfmt-ignore
export const bodyDefects: DefectTable = {
  'content-type-case-sensitive': ['The media type of a body is compared with regard to case.', 'core.content-type.upper-case', refuseType(/^[^;]*[A-Z]/)],
  'content-type-with-white-space-refused': ['White space before a semicolon in Content-Type is refused.', 'core.content-type.white-space', refuseType(/\s;/)],
  'content-type-with-parameters-refused': ['A Content-Type with any parameter is refused.', 'core.utf-8.echo.labelled core.content-type.charset', refuseType(/;/)],
  'charset-quoted-refused': ['charset="utf-8" in quotes is refused.', 'core.content-type.charset-quoted http.content-type.charset-quoted', refuseType(/"/)],
  'charset-case-sensitive': ['charset=UTF-8 in capitals is refused.', 'core.content-type.charset-upper-case', refuseType(/UTF/)],
  'charset-ignored': ['A body is read as UTF-8 whatever its charset says.', 'core.charset.latin-1', contentType((value) => value.replace(/;.*/, ''))],
  'missing-content-type-accepted': ['A POST without Content-Type is served.', 'core.content-type.missing csrf.none', requestField('content-type', (value) => value ?? jsonType)],
  'content-type-not-looked-at': ['JSON is served whatever Content-Type says.', 'core.content-type.unknown', contentType(() => jsonType)],
  '415-is-400': ['A body of another media type is 400.', 'core.content-type.unknown http.content-type.unknown', status(415, 400)],
  'body-in-latin1': ['A body without a charset is read as Latin-1.', 'core.utf-8.echo core.utf-8.echo.labelled', body((bytes) => bytes.toString('latin1'))],
  'broken-utf-8-replaced': ['Broken UTF-8 is read as replacement characters.', 'core.utf-8.broken core.utf-8.surrogate', body((bytes) => bytes.toString())],
  'body-decoded-chunk-by-chunk': ['Each chunk of a body is decoded apart.', 'raw.chunk-inside-character core.utf-8.broken',
    request((given) => withBody(given, given.pieces.map(String).join('')))],
  'json-read-leniently': ['Almost valid JSON is repaired.', 'core.json.no-body core.json.trailing-comma', when(isBroken, body((bytes) => repair(bytes.toString())))],
  'broken-json-200': ['A body that is not JSON is 200 with errors.', 'core.json.cut core.json.nonsense', brokenJson(200)],
  'broken-json-422': ['A body that is not JSON is 422.', 'core.json.cut core.json.nonsense', brokenJson(422)],
  'broken-json-500': ['A body that is not JSON is 500.', 'core.json.cut core.json.nonsense', brokenJson(500)],
  'bad-request-as-text': ['Text is labelled application/graphql-response+json.', 'invariant.graphql-response',
    response((made) => (readJson(textOf(made)) !== undefined && made.status >= 400 ? { body: 'Bad request.' } : undefined))],
  'post-reads-the-url': ['A POST reads parameters from its URL that its body lacks.', 'core.url.broken core.url.alone', when(by('POST'), params((read, given) => ({ ...fromUrl(given), ...read })))],
  'post-prefers-the-url': ['The URL of a POST wins over its body.', 'core.url.query core.url.broken', when(by('POST'), params((read, given) => ({ ...read, ...fromUrl(given) })))],
  'content-type-found-anywhere': ['Content-Type only has to contain application/json.', 'http.content-type.inside http.content-type.like-json',
    contentType((value) => (value.includes(jsonType) ? jsonType : value))],
}

const known = new Set(['query', 'operationName', 'variables', 'extensions'])
const isOdd = (value: unknown): boolean => value != null && !isMap(value)
const isOddText = (value: unknown): boolean => value != null && typeof value !== 'string'

/** Ignores a parameter that should be refused. */
const ignore = (name: string, test: (value: unknown) => boolean): Layers =>
  params((read) => (test(read[name]) ? { ...read, [name]: undefined } : read))

const refuseParams = (test: (read: Params) => boolean): Layers =>
  refuse(422, (given) => test(mapOf(given)))

/** Whether a request is JSON, but no request of GraphQL. */
function isMalformed(given: Request): boolean {
  const read = paramsOf(given)
  if (!isMap(read)) return read !== undefined
  const { query, operationName, variables, extensions } = read
  return (
    typeof query !== 'string' || isOddText(operationName) || isOdd(variables) || isOdd(extensions)
  )
}

/** Defects in checking the parameters. */
// oxfmt-ignore
export const parameterDefects: DefectTable = {
  'array-for-a-body-accepted': ['Of a list of requests the first is served.', 'batch.refused',
    body((bytes) => JSON.stringify([readJson(bytes.toString())].flat()[0] ?? ''))],
  'unknown-properties-refused': ['A property that is not a parameter is refused.', 'core.unknown-property core.unknown-property.inherited-names',
    refuseParams((read) => Object.keys(read).some((name) => !known.has(name)))],
  'null-variables-refused': ['"variables": null is refused.', 'core.null.variables core.null.all', refuseParams(({ variables }) => variables === null)],
  'null-operation-name-refused': ['"operationName": null is refused.', 'core.null.operation-name core.null.all', refuseParams(({ operationName }) => operationName === null)],
  'null-extensions-refused': ['"extensions": null is refused.', 'core.null.extensions core.null.all', refuseParams(({ extensions }) => extensions === null)],
  'extensions-refused': ['extensions is refused.', 'core.extensions.map get.extensions', refuseParams(({ extensions }) => extensions != null)],
  'query-of-any-type-accepted': ['query may be no string.', 'core.query.null core.query.number',
    params(({ query, ...rest }) => ({ ...rest, query: query === undefined || typeof query === 'string' ? query : '{ __typename }' }))],
  'operation-name-of-any-type-accepted': ['operationName may be no string.', 'core.operation-name.list core.operation-name.number', ignore('operationName', isOddText)],
  'extensions-of-any-type-accepted': ['extensions may be no map.', 'core.extensions.list core.extensions.string', ignore('extensions', isOdd)],
  'variables-as-a-string-accepted': ['variables may be a string.', 'core.variables.string get.variables.string', ignore('variables', (value) => typeof value === 'string')],
  'variables-as-a-list-accepted': ['variables may be a list.', 'core.variables.list get.variables.list', ignore('variables', Array.isArray)],
  'prototype-lookup-of-parameters': ['A parameter is found in the prototype that __proto__ makes.', 'core.query.prototype core.unknown-property.inherited-names',
    params((read) => ({ ...(Object.getOwnPropertyDescriptor(read, '__proto__')?.value as object), ...read }))],
  'malformed-request-200': ['JSON that is not a request is 200 with errors.', 'core.body.list core.query.missing core.variables.list', when(isMalformed, status(422, 200))],
  'malformed-request-400': ['JSON that is not a request is 400.', 'core.body.list core.query.missing core.variables.list core.variables.string', when(isMalformed, status(422, 400))],
}
