import sentences from './sentences.json'

/** What is known of a response when its status is explained. */
export interface Situation {
  readonly status: number
  /** The `code` of the first error. */
  readonly code: string | undefined
  readonly hasData: boolean
  readonly hasErrors: boolean
  /** Whether it brings several results. */
  readonly isStream: boolean
  readonly operation: string | undefined
}

/** A sentence of a specification, with its place. */
export interface Sentence {
  readonly id: string
  readonly text: string
  readonly section: string
  readonly url: string
}

/**
 * The statements that explain a status, the best first: an edition shows the first that it has. They are sentences of
 * the edition, of the protocols of streams, and of HTTP.
 */
export function statementsOf(situation: Situation): readonly string[] {
  const { status, code = '', hasData, hasErrors, isStream } = situation
  if (status === 200 && isStream) return ['SS-8']
  if (status === 200 && hasErrors && !hasData) return ['LJ-1']
  if (status === 200) return hasErrors ? ['SC-5', 'SC-3'] : ['SC-4']
  if (status === 405)
    return situation.operation === 'mutation' ? ['GET-7'] : ['SC-8', 'SC-7', 'SC-6']
  const own = Object.hasOwn(byCode, code) ? byCode[code as keyof typeof byCode] : []
  return [
    ...own,
    ...(byStatus[status] ?? []),
    ...(status < 500 ? ['SC-7', 'SC-6'] : ['SC-6', 'SC-1']),
  ]
}

/** Where several situations share a status, the code of the error tells which one it is. */
const byCode = {
  GRAPHQL_PARSE_FAILED: ['SC-16'],
  GRAPHQL_VALIDATION_FAILED: ['SC-17'],
  OPERATION_RESOLUTION_FAILURE: ['SC-18'],
  BAD_USER_INPUT: ['SC-19'],
  INVALID_PARAMETER: ['SC-15'],
  INVALID_JSON: ['SC-14'],
  DOCUMENT_LIMIT_EXCEEDED: ['VA-2'],
  CROSS_SITE: ['URL-4'],
} as const

const byStatus: { readonly [status: number]: readonly string[] } = {
  294: ['SC-5'],
  400: ['SC-14'],
  401: ['SC-20'],
  403: ['SC-20'],
  406: ['SC-10', 'BD-8'],
  408: ['SC-11'],
  413: ['SC-13'],
  414: ['SC-12'],
  415: ['SC-9', 'PO-3'],
  422: ['SC-17'],
  429: ['URL-4'],
  431: ['SC-12'],
  503: ['SC-22'],
}

/** The statements that explain a message of a socket, or how it was closed. */
export function statementsOfMessage(type: string): readonly string[] {
  return Object.hasOwn(byMessage, type) ? byMessage[type as keyof typeof byMessage] : []
}

const byMessage = {
  connection_ack: ['WS-5'],
  next: ['WS-12'],
  error: ['WS-13'],
  complete: ['WS-11'],
} as const

export function statementsOfClose(code: number): readonly string[] {
  return byClose[code] ?? []
}

const byClose: { readonly [code: number]: readonly string[] } = {
  4400: ['WS-16'],
  4401: ['WS-8'],
  4403: ['WS-4'],
  4406: ['WS-1'],
  4408: ['WS-2'],
  4409: ['WS-9'],
  4429: ['WS-3'],
}

type Book = { readonly [id: string]: Omit<Sentence, 'id'> }

/** The first of the statements that the edition has, or that is of all editions. */
export function findSentence(edition: string, ids: readonly string[]): Sentence | undefined {
  const books = sentences as { readonly [edition: string]: Book }
  for (const id of ids) {
    const found = books[edition]?.[id] ?? books['every']?.[id]
    if (found !== undefined) return { id, ...found }
  }
  return undefined
}
