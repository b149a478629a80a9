import { isJsonObject, type JsonObject } from '../../base/json.js'
import { failure, success, type Outcome } from '../../base/outcome.js'
import type { Refusal } from '../refusals.js'
import type { BatchType } from '../response/batch-response.js'

/** One operation of a batch: its parameters, which are not checked yet, and its places in the lists. */
export interface BatchEntry {
  readonly json: unknown
  /** Undefined if the body is not a list. */
  readonly requestIndex: number | undefined
  /** Undefined if the variables are not a list. */
  readonly variableIndex: number | undefined
}

/**
 * Whether the body is a batch: a list of requests or, for a client of lines, a request with a list of variables. For other
 * clients that is a mistake, as without batches: a list of results would have no places for them.
 */
export function isBatch(json: unknown, type: BatchType | undefined): boolean {
  if (Array.isArray(json)) return true
  return type === 'application/jsonl' && variableListOf(json) !== undefined
}

/**
 * Splits a batch into operations: one for each request, or for each entry of its list of variables. They are counted
 * before anything is copied.
 */
export function splitBatch(
  json: unknown,
  type: BatchType | undefined,
  { maxOperations: limit }: { readonly maxOperations: number },
): Outcome<{ readonly list: readonly BatchEntry[]; readonly type: BatchType }, Refusal> {
  const isList = Array.isArray(json)
  if (type === undefined) return failure({ kind: 'not-acceptable', isBatch: true })
  const takesLists = type === 'application/jsonl'
  const requests: readonly unknown[] = isList ? json : [json]
  if (requests.length === 0) return failure({ kind: 'batch-empty' })
  const variables = requests.map((request) => (takesLists ? variableListOf(request) : undefined))
  const found = variables.reduce((sum, list) => sum + (list?.length ?? 1), 0)
  if (found > limit) return failure({ kind: 'batch-too-long', limit, found })
  const list = requests.flatMap((request, at): readonly BatchEntry[] => {
    const requestIndex = isList ? at : undefined
    const sets = variables[at]
    return sets === undefined
      ? [{ json: request, requestIndex, variableIndex: undefined }]
      : sets.map((set, variableIndex) => ({
          json: { ...(request as JsonObject), variables: set },
          requestIndex,
          variableIndex,
        }))
  })
  return success({ list, type })
}

function variableListOf(request: unknown): readonly unknown[] | undefined {
  if (!isJsonObject(request) || !Object.hasOwn(request, 'variables')) return undefined
  const { variables } = request as { readonly variables: unknown }
  return Array.isArray(variables) ? variables : undefined
}
