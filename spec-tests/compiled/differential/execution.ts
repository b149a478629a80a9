import { setImmediate as nextTurn } from 'node:timers/promises'
import { GraphQLError } from 'graphql'
import type { DocumentNode, ExecutionArgs, GraphQLObjectType, GraphQLSchema } from 'graphql'
import { executeByReference, type TextExecutor, type TextResult } from './executors.js'
import { pathKey, recordCall } from '../random/record-call.js'
import { Run, type Call, type RunSettings } from '../random/run.js'
import { makeSource } from '../random/sources.js'
import { show } from '../random/show.js'
import { typePath } from '../random/type-resolvers.js'
import { memberAt, valueAt } from '../random/values.js'

/** What is executed, for graphql-js and for the executor in question alike. */
export interface ExecutionSettings {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly operationName: string | undefined
  readonly variables: { readonly [name: string]: unknown }
  readonly run: Pick<RunSettings, 'seed' | 'mood' | 'calm'>
  readonly isMutation: boolean
}

/** All that can be seen of an execution. */
export interface Execution {
  readonly waits: boolean
  readonly thrown: string | undefined
  readonly text: string | undefined
  readonly errors: readonly ShownError[]
  readonly calls: readonly Call[]
}

export interface ShownError {
  readonly path: readonly (string | number)[] | undefined
  readonly text: string
}

const nothing = { text: undefined, errors: [], calls: [] }

export const neverSettles: Execution = { ...nothing, waits: true, thrown: 'never settles' }

export async function execution(settings: ExecutionSettings, execute: TextExecutor) {
  const run = toRun(settings, execute)
  let waits = false
  try {
    const result = execute(toArgs(settings, run))
    waits = 'then' in result
    const settled = 'then' in result ? await beforeLong(result) : result
    if (settled === undefined) return neverSettles
    const { text, errors } = settled
    // A copy: what goes on after the answer is not part of it.
    const calls = [...run.calls]
    return { waits, thrown: undefined, text, errors: errors.map(showError), calls }
  } catch (error) {
    return { ...nothing, waits, thrown: String(error) }
  }
}

/** What is unusual in an execution, by key. */
export function oddities(settings: ExecutionSettings): { readonly [key: string]: string } {
  const run = toRun(settings, executeByReference)
  try {
    const result = executeByReference(toArgs(settings, run))
    if ('then' in result) result.then(undefined, () => undefined)
  } catch {
    // It is the oddities that matter.
  }
  return Object.fromEntries(run.oddities)
}

function toRun(settings: ExecutionSettings, execute: TextExecutor): Run {
  return new Run({ ...settings.run, depth: 0, again: (run) => execute(toArgs(settings, run)) })
}

function toArgs(settings: ExecutionSettings, run: Run): ExecutionArgs {
  const { schema, document, operationName, variables, isMutation } = settings
  const type = (isMutation ? schema.getMutationType() : schema.getQueryType()) as GraphQLObjectType
  const random = run.randomFor('root')
  const root = { run, schema, key: '', type }
  return {
    schema,
    document,
    contextValue: run,
    variableValues: variables,
    rootValue: random.chance(0.02) ? undefined : makeSource(root, random, { valueAt, memberAt }),
    ...(operationName !== undefined && { operationName }),
    ...(random.chance(0.03) && { fieldResolver }),
    ...(random.chance(0.03) && { typeResolver }),
  }
}

const fieldResolver: NonNullable<ExecutionArgs['fieldResolver']> = (_, args, run: Run, info) => {
  recordCall(run, info, args as object, 'field resolver')
  return valueAt({ run, schema: info.schema, key: pathKey(info.path), type: info.returnType })
}

const typeResolver: NonNullable<ExecutionArgs['typeResolver']> = (_, run: Run, info, type) => {
  const [first] = info.schema.getPossibleTypes(type)
  run.record(typePath(info), `type of ${pathKey(info.path)}`)
  return first?.name
}

/** Everything that is late here is so by microtasks, and they are all done before the event loop turns. */
async function beforeLong(result: PromiseLike<TextResult>): Promise<TextResult | undefined> {
  return Promise.race([result, nextTurn().then(() => nextTurn(undefined))])
}

function showError(error: GraphQLError): ShownError {
  const { message, path, locations, extensions, originalError, nodes } = error
  const parts = [
    error instanceof GraphQLError ? 'GraphQLError' : 'no GraphQLError',
    message,
    `path ${show(path)}`,
    `locations ${show(locations)}`,
    `extensions ${show(extensions)}`,
    `nodes ${nodes?.map(({ kind }) => kind).join()}`,
    `original ${String(originalError)}`,
  ]
  return { path, text: parts.join('; ') }
}
