import type {
  DocumentNode,
  ExecutionArgs,
  ExecutionResult,
  GraphQLError,
  OperationDefinitionNode,
} from 'graphql'
import { andThen } from '../base/promise.js'
import { installedGraphQL, splitsExecution, type GraphQLModule } from '../graphql/js/graphql.js'
import { isTraced, tracingChannel } from '../graphql/js/tracing.js'
import { resolveNumbers } from '../shapes/number-row.js'
import { CompiledExecutor, type Choice } from './compiled-executor.js'
import { compiledRows } from './compiled-options.js'
import { canCompile } from './operation-plan.js'
import type { Frame } from './run.js'

export interface TextResult {
  /** The JSON of `data`; undefined if nothing was executed. */
  readonly text: string | undefined
  /** Empty if there are none. */
  readonly errors: readonly GraphQLError[]
}

export type ExecuteText = (args: ExecutionArgs) => TextResult | Promise<TextResult>

/**
 * `execute` of graphql-js with JSON as its result: a promise only if something waits. Operations are compiled
 * when they are first seen; graphql-js executes what cannot be compiled. Throws what JSON cannot write.
 */
export const executeText: ExecuteText = createTextExecutor(installedGraphQL)

/** Makes an `executeText` for another copy of graphql-js. */
export function createTextExecutor(graphql: GraphQLModule): ExecuteText {
  const interpret: ExecuteText = (args) => andThen(graphql.execute(args), toText)
  if (!canCompile(graphql)) return interpret
  const executor = new CompiledExecutor({
    graphql,
    ...resolveNumbers(compiledRows, { afterUses: 0 }),
    maxLength: Infinity,
    maxFieldErrors: Infinity,
    readsOwn: false,
  })
  const is17 = splitsExecution(graphql)
  const channel = is17 ? tracingChannel('graphql:execute') : undefined
  return (args) => {
    const definition = isUsual(args) ? selectDefinition(args) : undefined
    if (definition === undefined || isTraced(channel)) return interpret(args)
    const { schema, document } = args
    graphql.assertValidSchema(schema)
    // graphql 17 refuses to execute these.
    if (is17 && incremental.some((name) => Boolean(schema.getDirective(name))))
      return interpret(args)
    const chosen = executor.choose(
      executor.operationOf(schema, document, definition),
      args.variableValues ?? {},
      {
        maxErrors: args.options?.maxCoercionErrors ?? 50,
        hideSuggestions: args.hideSuggestions ?? false,
      },
    )
    if (typeof chosen === 'string') return interpret(args)
    if ('failures' in chosen) return { text: undefined, errors: chosen.failures }
    return run(args, chosen)
  }

  function run(args: ExecutionArgs, chosen: Choice): TextResult | Promise<TextResult> {
    const { fieldResolver, typeResolver } = args
    return executor.run(chosen, {
      frame: noFrame,
      rootValue: args.rootValue,
      contextValue: args.contextValue,
      fieldResolver: unlessDefault(fieldResolver, graphql.defaultFieldResolver),
      typeResolver: unlessDefault(typeResolver, graphql.defaultTypeResolver),
      signal: is17 ? (args.abortSignal ?? undefined) : undefined,
      stop: undefined,
      hideSuggestions: args.hideSuggestions ?? false,
    })
  }
}

const incremental = ['defer', 'stream']

const noFrame: Frame = { before: '', after: '' }

/** Whether graphql-js would accept the arguments themselves. */
function isUsual({ document, variableValues, hooks }: ExecutionArgs): boolean {
  const hasNone = variableValues === undefined || variableValues === null
  return (
    (document as DocumentNode | undefined) !== undefined &&
    (hasNone || typeof variableValues === 'object') &&
    (hooks === undefined || hooks === null)
  )
}

/** The operation to execute; undefined if graphql-js would not find one. */
function selectDefinition({
  document,
  operationName,
}: ExecutionArgs): OperationDefinitionNode | undefined {
  let selected: OperationDefinitionNode | undefined
  for (const node of document.definitions) {
    if (node.kind !== 'OperationDefinition') continue
    if (operationName === undefined || operationName === null) {
      if (selected !== undefined) return undefined
      selected = node
    } else if (node.name?.value === operationName) selected = node
  }
  return selected
}

function unlessDefault<Resolver>(
  given: Resolver | null | undefined,
  standard: Resolver,
): Resolver | undefined {
  return given === standard ? undefined : (given ?? undefined)
}

function toText({ data, errors = [] }: ExecutionResult): TextResult {
  return { text: data === undefined ? undefined : JSON.stringify(data), errors }
}
