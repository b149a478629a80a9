import type { GraphQLSchema } from 'graphql'
import { andThen, isPromise } from '../../base/promise.js'
import type { Engine } from '../../graphql/engine.js'
import type { Executed, ExecutionInput } from '../../graphql/execute/execute.js'
import type { Operation } from '../../graphql/execute/operation.js'
import { checkSchema } from '../../graphql/schema/check-schema.js'
import type { Exchange } from './exchange.js'
import type { Kinded, Stage, Stop } from './stage.js'
import { checkDenial } from './check-denial.js'
import { OperationRequest } from '../../options/operation-request.js'
import type { Settings } from '../../options/settings.js'
import type { Denial } from '../../over-http/refusal.js'
import { checkOperation } from '../../over-http/request/check-head.js'

/** What differs between GraphQL and routes. */
interface OwnStages<On extends Exchange, Own extends Kinded = never> {
  /** Prepares the operation of the request, and calls `setOperation`. */
  readonly prepare: Stage<On, Own>
  readonly execute: (
    operation: Operation,
    input: ExecutionInput,
    exchange: On,
  ) => Executed | Promise<Executed>
  /** Converts the result to a response. */
  readonly respond: Stage<On, Own>
}

/** The second half of every request: from the parameters to the response. */
export function createOperationStages<On extends Exchange, Own extends Kinded = never>(
  settings: Settings,
  engine: Engine,
  { prepare, execute, respond }: OwnStages<On, Own>,
): readonly Stage<On, Own>[] {
  const { context, rootValue } = settings
  return [
    createSchemaStage(settings),
    prepare,
    ({ head, prepared }) => checkOperation(head.method, prepared as Operation),
    (exchange) => engine.checkCost(exchange.prepared as Operation, exchange),
    createAdmission(settings),
    makeContext,
    run,
    respond,
  ]

  function makeContext(exchange: On): undefined | Promise<undefined> {
    const request = exchange.request as OperationRequest
    if (context === undefined) return void (exchange.contextValue = request)
    return andThen(context(request), (value) => void (exchange.contextValue = value))
  }

  function run(exchange: On): Stop<Own> | undefined | Promise<Stop<Own> | undefined> {
    const { contextValue, cancellation } = exchange
    const input = { rootValue, contextValue, cancellation }
    const executed = execute(exchange.prepared as Operation, input, exchange)
    return isPromise(executed)
      ? executed.then((late) => takeResult(late, exchange))
      : takeResult(executed, exchange)
  }
}

function takeResult(executed: Executed, exchange: Exchange): Stop | undefined {
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

/** Passes the operation to `admit`, which may reject it. */
function createAdmission({ admit }: Settings): Stage {
  return (exchange) => {
    const { head, principal, prepared, cancellation } = exchange
    const request = new OperationRequest(head, principal, prepared as Operation, cancellation)
    exchange.request = request
    return admit === undefined ? undefined : andThen(admit(request), toRefusal)
  }
}

function toRefusal(denial: unknown): Denial | undefined {
  return denial === undefined ? undefined : checkDenial(denial, 'admit')
}

/** Finds the schema. One returned by a function is checked when it is first seen. */
function createSchemaStage({ graphql, schema }: Settings): Stage {
  if (typeof schema !== 'function') {
    return (exchange) => {
      exchange.schema = schema
      return undefined
    }
  }
  const checked = new WeakSet<GraphQLSchema>()
  const take = (found: GraphQLSchema, exchange: Exchange): undefined => {
    if (!checked.has(found)) {
      checkSchema(graphql, found, 'The option schema')
      checked.add(found)
    }
    exchange.schema = found
  }
  return (exchange) => andThen(schema(exchange.head), (found) => take(found, exchange))
}
