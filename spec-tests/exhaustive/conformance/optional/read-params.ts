import { isInUrl, type Call, type Params } from './call.js'
import type { Has } from './defects.js'
import { readUpload } from './uploads.js'

/** What the request asks for as JSON, or the status of a request that does not say it. */
export function readParams(call: Call, has: Has): Params | readonly unknown[] | number {
  const inPath = readPath(call, has)
  const read = readRest(call, has)
  const isMap = typeof read === 'object' && !Array.isArray(read)
  if (inPath !== undefined) {
    if (call.method === 'POST' && has('path-post')) return 405
    return isMap ? Object.assign({}, has('path-variables') ? {} : read, inPath) : read
  }
  const isDirect = isMap && isInUrl(call) && 'documentId' in read
  return isDirect && has('path-direct') ? 404 : read
}

/** The identifier and the operation that the path names. */
function readPath({ url }: Call, has: Has): Params | undefined {
  const [, , documentId, operationName] = url.pathname.split('/')
  if (documentId === undefined) return undefined
  const isNamed = operationName !== undefined && !has('path-operation')
  return isNamed ? { documentId, operationName } : { documentId }
}

function readRest(call: Call, has: Has): Params | readonly unknown[] | number {
  if (isInUrl(call)) return readUrl(call, has) ?? 400
  const { method, headers } = call
  const field = headers['content-type'] ?? ''
  if (method === 'QUERY' && call.body.length > 1e6 && has('query-large')) return 400
  const essence = (field.toLowerCase().split(';', 1)[0] ?? '').trim()
  if (method === 'QUERY' && has('query-charset') && field.includes(';')) return 415
  const text = call.body.toString(has('query-latin1') && method === 'QUERY' ? 'latin1' : 'utf8')
  if (essence === 'application/graphql' && has('query-graphql')) return { query: text }
  const isRequest = essence === 'application/graphql-request+json' && !has('request-type')
  if (essence === 'application/json' || isRequest || isLax(method, essence, has))
    return readJson(call, text, has)
  if (essence === 'application/x-www-form-urlencoded' && has('csrf-form')) {
    return text.startsWith('{') ? readJson(call, text, has) : fromForm(new URLSearchParams(text))
  }
  const isPreflighted = headers['graphql-require-preflight'] !== undefined || has('upload-csrf')
  if (method === 'POST' && essence === 'multipart/form-data' && isPreflighted) {
    return readUpload(call, has)
  }
  if (essence === 'multipart/form-data' && has('csrf-multipart')) {
    const [, part = ''] = /name="(?:operations|query)"\r\n\r\n(.*)\r\n/.exec(text) ?? []
    return part.startsWith('{"') ? readJson(call, part, has) : { query: part }
  }
  return 415
}

function isLax(method: string, essence: string, has: Has): boolean {
  return (
    (essence === '' && has(method === 'QUERY' ? 'query-no-type' : 'csrf-none')) ||
    (essence === 'application/xml' && has('query-any-type')) ||
    (essence.endsWith('form-urlencoded') && method === 'QUERY' && has('query-form')) ||
    (essence === 'text/plain' && has('csrf-text'))
  )
}

function readJson(call: Call, text: string, has: Has): Params | readonly unknown[] | number {
  try {
    const read = JSON.parse(text) as Params | readonly unknown[] | null
    if (Array.isArray(read)) return read as readonly unknown[]
    if (typeof read !== 'object' || read === null) return has('query-validation') ? 400 : 422
    const fromUrl =
      (call.method === 'QUERY' && has('query-url')) || has('document-url') ? readUrl(call, has) : {}
    return Object.assign({}, fromUrl, read)
  } catch {
    return call.method === 'QUERY' && has('query-broken-body') ? { query: '{ __typename }' } : 400
  }
}

function readUrl({ url }: Call, has: Has): Params | undefined {
  try {
    const [first] = url.searchParams.keys()
    const isOdd = first !== 'documentId' && url.searchParams.has('documentId')
    if (isOdd && has('document-canonical')) return undefined
    const form = fromForm(url.searchParams)
    const isEmpty = url.searchParams.get('operationName') === ''
    return isEmpty && has('document-empty-operation') ? { ...form, operationName: '' } : form
  } catch {
    return has('document-variables-get')
      ? { ...Object.fromEntries(url.searchParams), variables: { b: true } }
      : undefined
  }
}

/** Throws where variables or extensions are no JSON. */
function fromForm(form: URLSearchParams): Params {
  const given = [...form].filter(([, value]) => value !== '')
  return Object.fromEntries(
    given.map(([name, value]): [string, unknown] =>
      name === 'variables' || name === 'extensions' ? [name, JSON.parse(value)] : [name, value],
    ),
  )
}
