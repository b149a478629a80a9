import { setImmediate as nextTurn } from 'node:timers/promises'
import { buildSchema, parse } from 'graphql'
import type { ExecutionArgs, GraphQLError, GraphQLSchema } from 'graphql'
import type { TextExecutor, TextResult } from './differential/executors.js'

/** What an execution gave, for a comparison. */
export interface Outcome {
  readonly waits: boolean
  readonly text?: string | undefined
  readonly errors?: readonly string[]
  /** What it threw, or rejected with: a bug of the server. */
  readonly bug?: string
}

/** Executes and waits; what never settles is given up when the event loop has turned. */
export async function outcomeOf(execute: TextExecutor, args: ExecutionArgs): Promise<Outcome> {
  let waits = false
  try {
    const result = execute(args)
    waits = 'then' in result
    const settled = 'then' in result ? await Promise.race([result, turns()]) : result
    if (settled === undefined) return { waits, bug: 'never settles' }
    return { waits, text: settled.text, errors: settled.errors.map(describe) }
  } catch (error) {
    return { waits, bug: String(error) }
  }
}

function describe({ message, path }: GraphQLError): string {
  return `${path?.join('.')}: ${message}`
}

async function turns(): Promise<undefined> {
  for (let left = 3; left > 0; left--) await nextTurn()
  return undefined
}

type Resolve = (source: never, args: never, context: never, info: never) => unknown

export function schemaWith(
  sdl: string,
  resolvers: { readonly [type: string]: { readonly [field: string]: Resolve } } = {},
): GraphQLSchema {
  const schema = buildSchema(sdl)
  for (const [name, fields] of Object.entries(resolvers)) {
    const type = schema.getType(name)
    for (const [field, resolve] of Object.entries(fields)) {
      if (type === undefined || !('getFields' in type)) throw new Error(`no object type ${name}`)
      Object.assign(type.getFields()[field] as object, { resolve })
    }
  }
  return schema
}

/** The result of an execution that must not wait. */
export function atOnce(result: TextResult | Promise<TextResult>): TextResult {
  if ('then' in result) throw new Error('It waits.')
  return result
}

export function toArgs(schema: GraphQLSchema, source: string, more: object = {}): ExecutionArgs {
  return { schema, document: parse(source), ...more }
}
