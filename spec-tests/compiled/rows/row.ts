import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { ExecutionArgs, GraphQLSchema } from 'graphql'
import { executeByReference, type TextExecutor } from '../differential/executors.js'
import { watchRejections } from '../differential/watch-rejections.js'
import { outcomeOf, schemaWith, toArgs, type Outcome } from '../outcome.js'

/** An operation and what its resolvers do, to be executed as graphql-js does. */
export interface Row {
  readonly name: string
  readonly sdl: string
  readonly query: string
  /** The root value, made anew for each executor; `seen` is for what it notices. */
  readonly root: (seen: string[]) => unknown
  readonly args?: Partial<ExecutionArgs>
  readonly prepare?: (schema: GraphQLSchema) => void
  /** Where graphql-js itself is no example. */
  readonly expected?: Outcome
}

type ShortRow = readonly [name: string, query: string, root: Row['root'], more?: Partial<Row>]

export function rowsOf(sdl: string, rows: readonly ShortRow[]): readonly Row[] {
  return rows.map(([name, query, root, more]) => ({ name, sdl, query, root, ...more }))
}

/** How an executor differs from graphql-js, or from what the row expects; undefined if it does not. */
export async function differenceOfRow(row: Row, execute: TextExecutor) {
  const reference = await runRow(row, executeByReference)
  const actual = await runRow(row, execute)
  const outcome = row.expected ?? reference.outcome
  const expected = { outcome, seen: reference.seen, unhandled: [] }
  if (isDeepStrictEqual(actual, expected)) return undefined
  return `expected ${JSON.stringify(expected)}, but got ${JSON.stringify(actual)}`
}

async function runRow({ sdl, query, root, args: more, prepare }: Row, execute: TextExecutor) {
  const { rejections, stop } = watchRejections()
  const seen: string[] = []
  try {
    const schema = schemaWith(sdl)
    prepare?.(schema)
    const args = toArgs(schema, query, { rootValue: root(seen), ...more })
    const outcome = await outcomeOf(execute, args)
    await nextTurn()
    return { outcome, seen, unhandled: rejections.map(String) }
  } finally {
    stop()
  }
}
