import { success } from '../base/outcome.js'
import { andThen } from '../base/promise.js'
import type { ExecutionInput } from '../graphql/execute/arguments.js'
import { checkResult, describeOperation } from '../graphql/execute/execute.js'
import type {
  EventExecutor,
  Execution,
  ExecutedText,
  ExecutionSettings,
  PreparedExecution,
  TextExecutor,
} from '../graphql/execute/execution.js'
import { limitErrors, type ErrorLimit } from '../graphql/execute/limit-errors.js'
import type { Operation } from '../graphql/execute/operation.js'
import { splitsExecution } from '../graphql/js/graphql.js'
import { graphqlChannel, isTraced, trace } from '../graphql/js/tracing.js'
import { resolveNumbers } from '../shapes/number-row.js'
import { checkOptions } from '../shapes/shape.js'
import type { Failures, Variables } from './coerce-variables.js'
import { CompiledExecutor, type Choice } from './compiled-executor.js'
import { compiledRows, compiledShape, type CompiledOptions } from './compiled-options.js'
import { canCompile } from './operation-plan.js'
import type { CompiledOperation } from './operations.js'
import type { RunResult } from './run-operation.js'
import type { Frame } from './run.js'

/** Executes operations that are used again by plans that write JSON: for the option `execution`. */
export function compiledExecution(options: CompiledOptions = {}): Execution {
  checkOptions('compiledExecution', options, compiledShape)
  const numbers = resolveNumbers(compiledRows, options)
  return (settings) => {
    const { graphql, maxResponseBytes, maxFieldErrors } = settings
    if (!canCompile(graphql)) return interpretAll(settings)
    const executor = new CompiledExecutor({
      graphql,
      ...numbers,
      maxLength: maxResponseBytes,
      maxFieldErrors,
      readsOwn: true,
    })
    return prepare(executor, settings)
  }
}

/** The whole response, so that one without errors is never copied again. */
const responseFrame: Frame = { before: '{"data":', after: '}' }

function prepare(executor: CompiledExecutor, settings: ExecutionSettings): PreparedExecution {
  const { graphql, interpret, hideSuggestions } = settings
  const is17 = splitsExecution(graphql)
  const channel = graphqlChannel('execute', settings)
  const take = (ran: Ran): ExecutedText => toExecuted(ran, settings)
  /** For graphql 16: coerced again for the next event only if resolvers may have changed them. */
  const coerced = new WeakMap<Operation, Variables>()
  const executeEvent: EventExecutor = (operation, input, variableValues) => {
    const before = variableValues && { variableValues, coerced: variableValues.coerced }
    const chosen = choose(operation, before ?? coerced.get(operation))
    if (chosen !== undefined && 'variables' in chosen && areConstant(chosen.variables)) {
      coerced.set(operation, chosen.variables)
    }
    return chosen && andThen(run(chosen, input), take)
  }
  const execute: TextExecutor = (operation, input) => {
    const chosen = choose(operation)
    if (chosen === undefined) return interpret(operation, input)
    const { followers } = input
    if (followers === undefined && !isTraced(channel)) return andThen(run(chosen, input), take)
    const follow = () => andThen(run(chosen, input), toTraced)
    const traced = trace(channel, describeOperation(operation), follow, followers)
    return andThen(traced, ({ ran }) => take(ran))
  }
  return {
    execute,
    executeEvent,
    describe: (operation) => {
      const found = operationOf(operation)
      return found.last ?? found.prepared.unfit ?? 'few-uses'
    },
  }

  function operationOf({ document, definition }: Operation): CompiledOperation {
    return executor.operationOf(document.schema, document.document, definition)
  }

  function choose(operation: Operation, before?: Variables): Choice | Failures | undefined {
    const inputs = operation.params.variables ?? {}
    const chosen = executor.choose(operationOf(operation), inputs, settings, before)
    return typeof chosen === 'string' ? undefined : chosen
  }

  function run(
    chosen: Choice | Failures,
    { rootValue, contextValue, cancellation }: ExecutionInput,
  ): Ran | Promise<Ran> {
    if ('failures' in chosen) return chosen
    return executor.run(chosen, {
      frame: responseFrame,
      rootValue,
      contextValue,
      fieldResolver: undefined,
      typeResolver: undefined,
      signal: is17 ? cancellation : undefined,
      stop: is17 ? undefined : cancellation,
      hideSuggestions,
    })
  }
}

function areConstant({ coerced }: Variables): boolean {
  return Object.values(coerced).every((value) => typeof value !== 'object' || value === null)
}

type Ran = RunResult | Failures

function toExecuted(ran: Ran, settings: ErrorLimit): ExecutedText {
  if ('failures' in ran) return checkResult({ errors: ran.failures }, settings)
  return success(limitErrors({ kind: 'written', body: ran.text, errors: ran.errors }, settings))
}

/** The result for subscribers of the channel: the data is parsed when one reads it. */
function toTraced(ran: Ran) {
  const errors = 'failures' in ran ? ran.failures : ran.errors
  return {
    ran,
    errors: errors.length > 0 ? errors : undefined,
    get data(): unknown {
      if ('failures' in ran) return undefined
      return (JSON.parse(ran.text) as { readonly data: unknown }).data
    },
  }
}

/** For a graphql module that lacks what compiling needs. */
function interpretAll({ interpret }: ExecutionSettings): PreparedExecution {
  return { execute: interpret, executeEvent: () => undefined, describe: () => 'unsupported-module' }
}
