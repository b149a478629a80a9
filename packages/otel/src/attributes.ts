import { createHash } from 'node:crypto'
import type { AttributeValue, Span } from '@opentelemetry/api'
import { cutText } from 'graphwire/base'
import type { RequestFacts } from 'graphwire'
import type { RequestHead } from 'graphwire/http'

/** How much of documents spans contain. */
export type DocumentDetail = 'none' | 'hash' | 'text'

/** The method as a label: those that clients invent are `_OTHER`. */
export function knownMethod(method: string): string {
  return methods.has(method) ? method : '_OTHER'
}

const methods: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'QUERY',
  'TRACE',
])

/** The scheme, where the runtime's own request has it. */
export function schemeOf({ raw }: RequestHead): string | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined
  if ('socket' in raw && typeof raw.socket === 'object' && raw.socket !== null) {
    return 'encrypted' in raw.socket && raw.socket.encrypted === true ? 'https' : 'http'
  }
  const url = 'url' in raw && typeof raw.url === 'string' ? raw.url : ''
  return /^(https?):/.exec(url)?.[1]
}

/** Adds the attributes of the operation and its errors to a span. The SDK checks each attribute, so none is undefined. */
export function addFacts(span: Span, facts: RequestFacts, detail: DocumentDetail): void {
  const { operationType, operationName, document, documentId, documentCached } = facts
  const { cost, execution, errors = [], hasData = false } = facts
  const add = (name: string, value: AttributeValue): void => void span.setAttribute(name, value)
  if (operationType !== undefined) add('graphql.operation.type', operationType)
  if (operationName !== undefined) add('graphql.operation.name', cutText(operationName, maxName))
  if (document !== undefined && detail === 'hash') {
    add('graphwire.document.hash', `sha256:${createHash('sha256').update(document).digest('hex')}`)
  }
  // An invalid document has no operation, and its values cannot be removed reliably.
  if (document !== undefined && detail === 'text' && operationType !== undefined) {
    add('graphql.document', cutText(withoutValues(document), maxDocument))
  }
  if (documentId !== undefined) add('graphwire.document.id', cutText(documentId, maxName))
  if (documentCached !== undefined) add('graphwire.document.cached', documentCached)
  if (cost !== undefined) add('graphwire.cost', cost)
  if (execution !== undefined) add('graphwire.execution', execution)
  if (errors.length === 0) return
  add('graphwire.error.codes', codesOf(errors))
  if (hasData) add('graphwire.partial', true)
  else addRejections(span, errors)
}

/** Requests that were rejected have no data. Messages are left out: they repeat values of variables. */
function addRejections(span: Span, errors: Errors): void {
  for (const error of errors.slice(0, maxErrors)) {
    const [code] = codesOf([error])
    span.addEvent('graphwire.request_error', { 'graphwire.error.code': code })
  }
}

type Errors = NonNullable<RequestFacts['errors']>

const maxName = 200
const maxDocument = 4096
/** Of the errors of one response. */
const maxErrors = 10

function codesOf(errors: Errors): string[] {
  const codes = new Set<string>()
  for (const { extensions } of errors) {
    const code = extensions?.['code']
    codes.add(typeof code === 'string' ? cutText(code, maxName) : 'UNKNOWN')
    if (codes.size === maxErrors) break
  }
  return [...codes]
}

/** A valid document without its strings, numbers and comments: clients may write secrets there. */
function withoutValues(document: string): string {
  return document.replaceAll(tokens, (token) => {
    if (token.startsWith('#')) return ''
    return token.startsWith('"') ? '"*"' : /^[-\d]/.test(token) ? '*' : token
  })
}

/** Names are tokens, too, since they may contain digits. */
const tokens =
  /"""(?:\\"""|[^])*?"""|"(?:\\.|[^"\\\n\r])*"|#[^\n\r]*|[_A-Za-z]\w*|-?\d[\d.]*(?:[eE][+-]?\d+)?/g
