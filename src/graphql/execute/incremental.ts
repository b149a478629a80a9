import type { DocumentNode, GraphQLError } from 'graphql'
import { success, type Outcome } from '../../base/outcome.js'
import { andThen } from '../../base/promise.js'
import type { RequestError } from '../errors/request-error.js'
import { deliversIncrementally, type GraphQLModule } from '../js/graphql.js'
import { graphqlChannel, isTraced, trace, type ChannelSettings } from '../js/tracing.js'
import type { ExecutionInput, ToArguments } from './arguments.js'
import type { Cancellation } from './cancellation.js'
import { checkResult, describeOperation } from './execute.js'
import type { Operation } from './operation.js'
import type { IncrementalFormat, Part } from './parts.js'
import type { Incremental, Single } from './result.js'
import { returnSource } from './subscribe.js'

/** The result came whole if nothing was deferred after all. */
type IncrementallyExecuted = Outcome<Single | Incremental, RequestError>

/** Runs an operation whose @defer and @stream are honored. Only for those that `isIncremental`. */
export type IncrementalExecutor = (
  operation: Operation,
  input: ExecutionInput,
  format: IncrementalFormat,
) => IncrementallyExecuted | Promise<IncrementallyExecuted>

/** What graphql-js returns if something was deferred. */
interface IncrementalResult {
  readonly initialResult: Part
  readonly subsequentResults: AsyncIterator<Part>
}

export function createIncrementalExecutor(
  { graphql, channels }: { readonly graphql: GraphQLModule } & ChannelSettings,
  toArguments: ToArguments,
): IncrementalExecutor {
  const channel = graphqlChannel('execute', { channels })
  return (operation, input, format) => {
    const run = (): object | PromiseLike<object> => execute(operation, input, format)
    const result = isTraced(channel) ? trace(channel, describeOperation(operation), run) : run()
    return andThen(result, (found) => takeResult(found, format, input.cancellation))
  }

  function execute(
    operation: Operation,
    input: ExecutionInput,
    format: IncrementalFormat,
  ): object | PromiseLike<object> {
    if (!deliversIncrementally(graphql)) throw new TypeError('graphql cannot execute @defer.')
    const document = operation.document.incremental as DocumentNode
    const args = graphql.validateExecutionArgs({ ...toArguments(operation, input), document })
    if (Array.isArray(args)) return { errors: args as readonly GraphQLError[] }
    return format === 'v0.2'
      ? graphql.experimentalExecuteRootSelectionSet(args)
      : graphql.legacyExecuteRootSelectionSet(args)
  }
}

function takeResult(
  result: object,
  format: IncrementalFormat,
  cancellation: Cancellation,
): IncrementallyExecuted {
  if (!('initialResult' in result)) return checkResult(result)
  const { initialResult: initial, subsequentResults: parts } = result as IncrementalResult
  // Nobody waits for it any more.
  if (cancellation.aborted) {
    void returnSource(parts)
    throw cancellation.reason
  }
  return success({ kind: 'incremental', format, initial, parts })
}
