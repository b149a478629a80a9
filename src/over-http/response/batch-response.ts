import { tooLong } from '../../graphql/errors/too-long.js'
import { parseAccept } from '../../http/accept.js'
import type { HeaderList, TextResponse } from '../../http/message.js'
import { preferenceFor } from '../../http/negotiate.js'
import { negotiatedHeaders } from '../response-types.js'

export type BatchType = 'application/json' | 'application/jsonl'

/**
 * Chooses the type by the value of `Accept`; undefined if the client accepts neither. Lines if the client names them,
 * whatever it prefers: the draft wants that. A wildcard asks for no lines, which clients from before the draft cannot read.
 * A list is not a GraphQL response, so it does not have that type.
 */
export function chooseBatchType(accept: string | undefined): BatchType | undefined {
  const ranges = parseAccept(accept)
  if (ranges === undefined) return 'application/json'
  const lines = ranges.filter(({ type, subtype }) => type === 'application' && subtype === 'jsonl')
  if (preferenceFor(lines, 'application', 'jsonl').quality > 0) return 'application/jsonl'
  return preferenceFor(ranges, 'application', 'json').quality > 0 ? 'application/json' : undefined
}

/** The response to an operation of a batch, and its places in the lists. */
export interface BatchResult {
  /** A GraphQL response: an object with at least one member. */
  readonly text: string
  readonly requestIndex: number | undefined
  readonly variableIndex: number | undefined
}

/** The response to a batch. Its status says that it was processed; each result speaks for itself. */
export function respondToBatch(results: readonly BatchResult[], type: BatchType): TextResponse {
  const body =
    type === 'application/json'
      ? `[${results.map(({ text }) => text).join(',')}]`
      : results.map((result) => `${withIndices(result)}\n`).join('')
  return { status: 200, headers: headersByType[type], body }
}

function withIndices({ text, requestIndex, variableIndex }: BatchResult): string {
  const request = requestIndex === undefined ? '' : `"requestIndex":${requestIndex},`
  const variable = variableIndex === undefined ? '' : `"variableIndex":${variableIndex},`
  return `{${request}${variable}${text.slice(1)}`
}

const headersByType: { readonly [type in BatchType]: HeaderList } = {
  'application/json': headersOf('application/json'),
  'application/jsonl': headersOf('application/jsonl'),
}

/** Nothing is stored: a batch has many results, and may have mutations. */
function headersOf(type: BatchType): HeaderList {
  return negotiatedHeaders(`${type}; charset=utf-8`, 'Cache-Control', 'no-store')
}

/** The bytes that the results of a batch have left of `maxResponseBytes` together. */
export class LengthBudget {
  readonly #maxBytes: number
  #used = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Throws if a result does not fit; shorter ones may still fit. */
  take(text: string, operationName: string | undefined): void {
    const used = this.#used + new TextEncoder().encode(text).byteLength
    if (used > this.#maxBytes) throw tooLong(operationName, this.#maxBytes)
    this.#used = used
  }
}
