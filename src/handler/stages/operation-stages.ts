import type { GraphQLSchema } from 'graphql'
import { isPromise } from '../../base/promise.js'
import type { Engine } from '../../graphql/engine.js'
import type { Outcome } from '../../base/outcome.js'
import type { ExecutionInput } from '../../graphql/execute/arguments.js'
import type { Operation } from '../../graphql/execute/operation.js'
import type { Result } from '../../graphql/execute/result.js'
import { checkServable } from '../../graphql/schema/check-servable.js'
import type { Exchange } from './exchange.js'
import type { HttpResponse } from '../../http/message.js'
import type { Kinded, NamedStages, Stage, Stop } from './stage.js'
import { callHook } from './call-hook.js'
import { checkDenial } from './check-denial.js'
import { OperationRequest } from '../../options/operation-request.js'
import type { Settings } from '../../options/settings.js'
import type { Denial } from '../../over-http/refusal.js'

/** What differs between GraphQL and routes. */
export interface OwnStages<
  On extends Exchange,
  Own extends Kinded = never,
  Out extends object = HttpResponse,
> {
  /** Prepares the operation of the request, and calls `setOperation`. */
  readonly prepare: Stage<On, Own, Out>
  /** Whether the request may run this kind of operation. */
  readonly check: Stage<On, Own, Out>
  readonly execute: (
    operation: Operation,
    input: ExecutionInput,
    exchange: On,
  ) => Executed<Own, Out> | Promise<Executed<Own, Out>>
  /** Converts the result to a response. */
  readonly respond: Stage<On, Own, Out>
  /** What else is done around the stages from the context to the response. */
  readonly surround?: ((last: readonly Stage<On, Own, Out>[]) => Stage<On, Own, Out>) | undefined
}

/** A result, or why there is none. */
type Executed<Own extends Kinded, Out extends object> = Outcome<Result, Stop<Own, Out>>

/** The stages of the second half, in order. */
export type OperationStageName =
  | 'schema'
  | 'prepare'
  | 'check'
  | 'cost'
  | 'admit'
  | 'around'
  | 'context'
  | 'execute'
  | 'respond'

/** Some of them, in order. With `around`, that is in place of the last three. */
export type OperationStages<
  On extends Exchange,
  Own extends Kinded = never,
  Out extends object = HttpResponse,
> = NamedStages<OperationStageName, On, Own, Out>

/** The second half of every request, by name and in order: from the parameters to the response. */
export function createOperationStages<
  On extends Exchange,
  Own extends Kinded = never,
  Out extends object = HttpResponse,
>(settings: Settings, engine: Engine, own: OwnStages<On, Own, Out>): OperationStages<On, Own, Out> {
  return { ...createPlanningStages(settings, engine, own), ...createRunningStages(settings, own) }
}

/** The stages before any code of the application runs for the operation. */
export function createPlanningStages<
  On extends Exchange,
  Own extends Kinded = never,
  Out extends object = HttpResponse,
>(
  settings: Settings,
  engine: Engine,
  { prepare, check }: Pick<OwnStages<On, Own, Out>, 'prepare' | 'check'>,
): OperationStages<On, Own, Out> {
  return {
    schema: createSchemaStage(settings),
    prepare,
    check,
    cost: (exchange) => engine.checkCost(exchange.prepared as Operation, exchange),
  }
}

/** The stages behind them. */
export function createRunningStages<
  On extends Exchange,
  Own extends Kinded = never,
  Out extends object = HttpResponse,
>(
  settings: Settings,
  { execute, respond, surround }: Pick<OwnStages<On, Own, Out>, 'execute' | 'respond' | 'surround'>,
): OperationStages<On, Own, Out> {
  const { context, rootValue, clientOf } = settings
  const admit = createAdmission(settings)
  return surround === undefined
    ? { admit, context: makeContext, execute: run, respond }
    : { admit, around: surround([makeContext, run, respond]) }

  function makeContext(exchange: On): Refusing {
    const request = exchange.request as OperationRequest
    if (context === undefined) return void (exchange.contextValue = request)
    return callHook(context, request, settings, (value) => void (exchange.contextValue = value))
  }

  function run(exchange: On): Stop<Own, Out> | undefined | Promise<Stop<Own, Out> | undefined> {
    const { contextValue, cancellation, head } = exchange
    const operation = exchange.prepared as Operation
    const isStream = operation.definition.operation === 'subscription' || operation.isIncremental
    const client = isStream ? clientOf(head) : undefined
    const input = { rootValue, contextValue, cancellation, client }
    const executed = execute(operation, input, exchange)
    return isPromise(executed)
      ? executed.then((late) => takeResult(late, exchange))
      : takeResult(executed, exchange)
  }
}

function takeResult<Own extends Kinded, Out extends object>(
  executed: Executed<Own, Out>,
  exchange: Exchange,
): Stop<Own, Out> | undefined {
  if (!executed.ok) return executed.reason
  exchange.result = executed.value
  return undefined
}

/** Stores the prepared operation, and what hooks can see of it. */
export function setOperation(exchange: Exchange, operation: Operation): void {
  exchange.prepared = operation
  exchange.params = operation.params
  exchange.operation = operation.definition
  exchange.cost = operation.costs.cost
}

type Refusing = Denial | undefined | Promise<Denial | undefined>

/** Passes the operation to `admit`, which may reject it. */
function createAdmission(settings: Settings): (exchange: Exchange) => Refusing {
  const { admit } = settings
  return (exchange) => {
    const { head, principal, prepared, cancellation } = exchange
    const request = new OperationRequest(head, principal, prepared as Operation, cancellation)
    exchange.request = request
    return admit === undefined ? undefined : callHook(admit, request, settings, toRefusal)
  }
}

function toRefusal(denial: unknown): Denial | undefined {
  return denial === undefined ? undefined : checkDenial(denial, 'admit')
}

/** Finds the schema. One returned by a function is checked when it is first seen. */
function createSchemaStage(settings: Settings): (exchange: Exchange) => Refusing {
  const { graphql, schema, cacheHints } = settings
  if (typeof schema !== 'function') {
    return (exchange) => {
      exchange.schema = schema
      return undefined
    }
  }
  const checked = new WeakSet<GraphQLSchema>()
  const take = (found: GraphQLSchema, exchange: Exchange): undefined => {
    if (!checked.has(found)) {
      checkServable(graphql, { schema: found, cacheHints }, 'The option schema')
      checked.add(found)
    }
    exchange.schema = found
  }
  const find = (exchange: Exchange) => schema(exchange.head, exchange)
  return (exchange) => callHook(find, exchange, settings, (found) => take(found, exchange))
}
