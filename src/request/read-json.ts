import { mayNestDeeper, nestsDeeper } from '../http/json-nesting.js'
import { failure, success, type Outcome } from '../outcome.js'
import type { Refusal } from '../refusal.js'

/** Parses JSON text that nests no deeper than the limit; `where` names the place for the client. */
export function readJson(text: string, where: string, limit: number): Outcome<unknown, Refusal> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return failure({ kind: 'invalid-json', where, detail: describe(text, error) })
  }
  return mayNestDeeper(text, limit) && nestsDeeper(value, limit)
    ? failure({ kind: 'json-too-deep', where, limit })
    : success(value)
}

/** The runtime's message without the excerpt that newer ones quote: the text is the client's, and may be secret. */
function describe(text: string, error: unknown): string {
  if (text === '') return 'it is empty'
  const position = /at position (\d+)/.exec((error as Error).message)?.[1]
  return position === undefined
    ? 'it ends too early or is no JSON at all'
    : `at character ${position}`
}
