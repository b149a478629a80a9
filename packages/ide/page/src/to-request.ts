import { getOperationAST, parse, visit, type DocumentNode } from 'graphql'
import { placeFiles } from './files.js'
import type { SentRequest } from './request.js'

export interface Parameters {
  readonly query: string
  readonly variables?: unknown
  readonly operationName?: string | null | undefined
}

export interface Headers {
  readonly [name: string]: unknown
}

/** What an operation is sent by. */
export interface Operation {
  readonly kind: string | undefined
  readonly isIncremental: boolean
  readonly name: string | undefined
}

/** The server says what is wrong with a document that cannot be parsed. */
export function describeOperation({ query, operationName }: Parameters): Operation {
  const given = operationName ?? undefined
  let document: DocumentNode
  try {
    document = parse(query)
  } catch {
    return { kind: undefined, isIncremental: false, name: given }
  }
  let isIncremental = false
  visit(document, {
    Directive({ name: { value } }) {
      if (value === 'defer' || value === 'stream') isIncremental = true
    },
  })
  // Right after another document was put in, GraphiQL still names the operation of the one before.
  const operation = getOperationAST(document, given) ?? getOperationAST(document)
  const name = operation == null ? given : operation.name?.value
  return { kind: operation?.operation, isIncremental, name }
}

/** A client that prefers JSON gets a result with `@defer` whole; for that, streams are accepted equally. */
function acceptOf({ isIncremental }: Operation): string {
  return isIncremental
    ? 'application/graphql-response+json, text/event-stream, application/json;q=0.8'
    : 'application/graphql-response+json, text/event-stream;q=0.9, application/json;q=0.8'
}

interface RequestParts {
  readonly operation: Operation
  readonly parameters: Parameters
  readonly headers: Headers
  readonly files: readonly File[]
}

export function toRequest(
  url: string,
  method: string,
  { operation, parameters, headers, files: chosen }: RequestParts,
): SentRequest {
  const { variables, files } = placeFiles(parameters.variables, chosen)
  const fields = new Headers({
    accept: acceptOf(operation),
    ...(files.length === 0
      ? { 'content-type': 'application/json' }
      : { 'graphql-require-preflight': '1' }),
  })
  for (const [name, value] of Object.entries(headers)) fields.set(name, String(value))
  const json = JSON.stringify({ query: parameters.query, variables, operationName: operation.name })
  // A form has its boundary in its type, which the browser writes.
  if (files.length > 0) fields.delete('content-type')
  return { method: files.length > 0 ? 'POST' : method, url, headers: [...fields], json, files }
}
