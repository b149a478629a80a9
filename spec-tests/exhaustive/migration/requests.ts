import { valueOf, type HostRequest, type HostResponse } from '../../hosts/exchange.js'

/** A request that is sent to the server before a migration and to the one after it. */
export interface Row {
  readonly name: string
  readonly request: HostRequest
  /** A header of the response that the page shows too. */
  readonly shows?: string
  /** Whether the page says if the mutation was executed. */
  readonly mutates?: true
}

export const count: HostRequest = { body: '{"query":"mutation { count }"}' }

const accept = 'application/graphql-response+json, application/json;q=0.9'
const origin = 'https://app.example.com'
const preflight = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'content-type',
}
const hello = 'query($name: String!) { hello(name: $name) }'
const unknownHash = { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } }
const aliases = Array.from({ length: 100 }, (_, at) => `a${at}: __typename`).join(' ')

function post(params: unknown, headers: HostRequest['headers'] = {}): HostRequest {
  return { headers: { accept, ...headers }, body: JSON.stringify(params) }
}

function get(query: string, headers: HostRequest['headers'] = {}): HostRequest {
  return { headers: { accept, ...headers }, query: `?query=${encodeURIComponent(query)}` }
}

function raw(body: string, type = 'application/json'): HostRequest {
  return { headers: { accept, 'content-type': type }, body }
}

// oxfmt-ignore
export const rows: readonly Row[] = [
  { name: 'a query', request: post({ query: hello, variables: { name: 'Ada' } }) },
  { name: 'a query, `Accept: application/json`', request: post({ query: hello, variables: { name: 'Ada' } }, { accept: 'application/json' }) },
  { name: 'a query, `Accept: */*`', request: post({ query: hello, variables: { name: 'Ada' } }, { accept: '*/*' }) },
  { name: 'a query, `Accept: text/csv`', request: post({ query: hello, variables: { name: 'Ada' } }, { accept: 'text/csv' }) },
  { name: 'the context reads a header', request: post({ query: '{ me }' }, { 'x-user': 'ada' }) },
  { name: 'the context throws a GraphQLError', request: post({ query: '{ me }' }, { 'x-user': 'mallory' }) },
  { name: 'a query by GET', request: get('{ me }') },
  { name: 'a query by GET with `apollo-require-preflight: 1`', request: get('{ me }', { 'apollo-require-preflight': '1' }) },
  { name: 'a syntax error', request: post({ query: '{ me' }) },
  { name: 'an unknown field', request: post({ query: '{ nothing }' }) },
  { name: 'an unknown field, `Accept: application/json`', request: post({ query: '{ nothing }' }, { accept: 'application/json' }) },
  { name: 'a missing variable', request: post({ query: hello }) },
  { name: 'a variable of the wrong type', request: post({ query: hello, variables: { name: 1 } }) },
  { name: 'an unknown `operationName`', request: post({ query: 'query A { me }', operationName: 'B' }) },
  { name: 'data beside an error that is meant for clients', request: post({ query: '{ me price }' }, { 'x-user': 'ada' }) },
  { name: 'data beside an unexpected error', request: post({ query: '{ me stock }' }, { 'x-user': 'ada' }) },
  { name: 'data beside an unexpected error, `Accept: application/json`', request: post({ query: '{ me stock }' }, { accept: 'application/json', 'x-user': 'ada' }) },
  { name: 'an error in a non-null field', request: post({ query: '{ total }' }) },
  { name: 'a mutation', request: post({ query: 'mutation { count }' }) },
  { name: 'a mutation, `Accept: text/csv`', mutates: true, request: post({ query: 'mutation { count }' }, { accept: 'text/csv' }) },
  { name: 'a mutation by GET', mutates: true, request: get('mutation { count }'), shows: 'allow' },
  { name: 'a mutation by GET with `apollo-require-preflight: 1`', mutates: true, request: get('mutation { count }', { 'apollo-require-preflight': '1' }), shows: 'allow' },
  { name: 'a GET by a page of another site', request: get('{ me }', { 'sec-fetch-site': 'cross-site' }) },
  { name: 'JSON as `text/plain`, which needs no preflight', mutates: true, request: raw('{"query":"mutation { count }"}', 'text/plain') },
  { name: 'a form, which needs no preflight', mutates: true, request: raw('query=mutation%7Bcount%7D', 'application/x-www-form-urlencoded') },
  { name: '`Content-Type: application/graphql`', request: raw('{ me }', 'application/graphql') },
  { name: 'a preflight of an allowed origin', request: { method: 'OPTIONS', headers: { origin, ...preflight } }, shows: 'access-control-allow-origin' },
  { name: 'a preflight of another origin', request: { method: 'OPTIONS', headers: { origin: 'https://evil.example', ...preflight } }, shows: 'access-control-allow-origin' },
  { name: 'DELETE', request: { method: 'DELETE', headers: { accept } }, shows: 'allow' },
  { name: 'malformed JSON', request: raw('{"query":') },
  { name: 'JSON without `query`', request: post({}) },
  { name: 'an unknown member beside `query`', request: post({ query: '{ me }', id: 1 }) },
  { name: 'variables that are a list', request: post({ query: '{ me }', variables: [] }) },
  { name: 'an empty body', request: raw('') },
  { name: 'a batch of two', request: post([{ query: '{ me }' }, { query: '{ __typename }' }]) },
  { name: 'a body of 200 KB', request: post({ query: hello, variables: { name: 'a'.repeat(200_000) } }) },
  { name: '100 aliases', request: post({ query: `{ ${aliases} }` }) },
  { name: 'introspection in production', request: post({ query: '{ __schema { queryType { name } } }' }) },
  { name: 'a hash of Apollo\'s persisted queries', request: post({ extensions: unknownHash }) },
  { name: 'a path below the endpoint', request: { ...get('{ me }'), query: `/deeper${get('{ me }').query}` } },
]

/**
 * What a response is, in a few words that are the same in each run. The media type is shown where the row is about `Accept`,
 * and where it is not one of GraphQL.
 */
export function describeResponse({ name, shows }: Row, response: HostResponse): string {
  const type = valueOf(response, 'content-type')?.split(';')[0]?.replace('application/', '') ?? ''
  const isUsual = ['', 'json', 'graphql-response+json'].includes(type) && !name.includes('`Accept')
  const subtype = type === '' || isUsual ? '' : ` \`${type}\``
  const facts = [`${response.status}${subtype}`, describeBody(response.body.toString())]
  if (shows !== undefined) {
    const value = valueOf(response, shows)
    facts.push(value === undefined ? `no ${titleOf(shows)}` : `${titleOf(shows)}: ${value}`)
  }
  return facts.join(', ')
}

function titleOf(header: string): string {
  return header.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

function describeBody(text: string): string {
  if (text === '') return 'empty'
  const leak = text.includes('ECONNREFUSED') ? ', its message shown' : ''
  try {
    return describeJson(JSON.parse(text)) + leak
  } catch {
    return `text${leak}`
  }
}

function describeJson(json: unknown): string {
  if (Array.isArray(json)) return `a list of ${json.length}`
  const { data, errors } = json as { data?: unknown; errors?: readonly ErrorLike[] }
  if (data === undefined && errors === undefined) return 'JSON that is not GraphQL'
  const shown = data === undefined ? [] : [data === null ? '`data: null`' : 'data']
  const codes = [...new Set(errors?.map(({ extensions }) => extensions?.code ?? 'no code'))]
  shown.push(...codes.map((code) => (code === 'no code' ? 'errors without code' : `\`${code}\``)))
  return shown.join(', ')
}

interface ErrorLike {
  readonly extensions?: { readonly code?: string }
}
