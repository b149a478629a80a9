import { createHash } from 'node:crypto'
import type { Attributes } from '@opentelemetry/api'
import { cutText } from '../base/cut-text.js'
import type { RequestFacts } from '../handler/trace-messages.js'
import type { RequestHead } from '../http/message.js'

/** What spans say of documents. */
export type DocumentDetail = 'none' | 'hash' | 'text'

/** The method, as metrics and spans name it: those that clients invent must not become labels. */
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

/** What a span says of its operation and its errors. */
export function describeFacts(facts: RequestFacts, detail: DocumentDetail): Attributes {
  const { operationType, operationName, document, errors = [], hasData = false } = facts
  return {
    'graphql.operation.type': operationType,
    'graphql.operation.name': operationName && cutText(operationName, maxName),
    // What is not valid has no operation, and cannot be read well enough to be made harmless.
    'graphql.document':
      detail === 'text' && operationType !== undefined && document !== undefined
        ? cutText(withoutValues(document), maxDocument)
        : undefined,
    'graphwire.document.hash':
      detail === 'hash' && document !== undefined
        ? `sha256:${createHash('sha256').update(document).digest('hex')}`
        : undefined,
    'graphwire.document.id': facts.documentId && cutText(facts.documentId, maxName),
    'graphwire.document.cached': facts.documentCached,
    'graphwire.cost': facts.cost,
    'graphwire.execution': facts.execution,
    'graphwire.error.codes': errors.length === 0 ? undefined : codesOf(errors),
    'graphwire.partial': hasData && errors.length > 0 ? true : undefined,
  }
}

const maxName = 200
const maxDocument = 4096
/** Of the errors of one response. */
export const maxErrors = 10

export function codesOf(errors: NonNullable<RequestFacts['errors']>): string[] {
  const codes = new Set<string>()
  for (const { extensions } of errors) {
    const code = extensions?.['code']
    codes.add(typeof code === 'string' ? cutText(code, maxName) : 'UNKNOWN')
    if (codes.size === maxErrors) break
  }
  return [...codes]
}

/** A valid document without its strings, numbers and comments: clients may write secrets there. */
export function withoutValues(document: string): string {
  return document.replaceAll(tokens, (token) => {
    if (token.startsWith('#')) return ''
    return token.startsWith('"') ? '"*"' : /^[-\d]/.test(token) ? '*' : token
  })
}

/** Names are tokens, too, since they may contain digits. */
const tokens =
  /"""(?:\\"""|[^])*?"""|"(?:\\.|[^"\\\n\r])*"|#[^\n\r]*|[_A-Za-z]\w*|-?\d[\d.]*(?:[eE][+-]?\d+)?/g
