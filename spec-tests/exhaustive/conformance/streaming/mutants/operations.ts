import {
  execute,
  getOperationAST,
  GraphQLError,
  parse,
  specifiedRules,
  validate,
  visit,
  type DocumentNode,
  type ExecutionResult,
  type FieldNode,
  type GraphQLSchema,
} from 'graphql'
import { createStandardSchema } from '../../../../../src/standard/standard-schema.js'

/** The parameters of an operation, their types checked. */
export interface Params {
  readonly query: string
  readonly operationName?: string | null | undefined
  readonly variables?: Record<string, unknown> | null | undefined
}

/** A result of an operation. */
export interface Result {
  readonly data?: unknown
  readonly errors?: readonly unknown[]
}

/** Where a request error was found. */
type Stage = 'syntax' | 'validation' | 'operation'

/** What is prepared, or what is wrong with it. */
export type Prepared =
  | { readonly kind: 'errors'; readonly stage: Stage; readonly result: Result }
  | {
      readonly kind: 'query' | 'mutation' | 'subscription'
      readonly document: DocumentNode
      readonly params: Params
    }

type Runnable = Extract<Prepared, { kind: 'query' | 'mutation' | 'subscription' }>

/** The operations of the standard schema, with a state of their own. */
export class Operations {
  readonly #schema: GraphQLSchema = createStandardSchema()

  /** Directives of incremental delivery are left out: who serves them has looked before. */
  prepare(params: Params): Prepared {
    let document: DocumentNode
    try {
      document = withoutDirectives(parse(params.query))
    } catch (error) {
      return failed('syntax', [error as GraphQLError])
    }
    // Variables of the directives are no longer used.
    const rules = specifiedRules.filter((rule) => rule.name !== 'NoUnusedVariablesRule')
    const errors = validate(this.#schema, document, rules)
    if (errors.length > 0) return failed('validation', errors)
    const operation = getOperationAST(document, params.operationName)
    if (operation == null) return failed('operation', [new GraphQLError('Which operation?')])
    return { kind: operation.operation, document, params }
  }

  async execute({ document, params }: Runnable, rootValue?: unknown): Promise<Result> {
    const { operationName, variables } = params
    const result = await (execute({
      schema: this.#schema,
      document,
      rootValue,
      ...(operationName != null && { operationName }),
      ...(variables != null && { variableValues: variables }),
    }) as Promise<ExecutionResult>)
    return result
  }

  /** The source of a subscription; throws what its resolver throws. The arguments are whole numbers. */
  async subscribe({ document, params }: Runnable): Promise<AsyncIterator<object>> {
    const operation = getOperationAST(document, params.operationName)
    const field = operation?.selectionSet.selections[0] as FieldNode
    const args = (field.arguments ?? []).map(({ name, value }) => [
      name.value,
      'value' in value ? Number(value.value) : undefined,
    ])
    const definition = this.#schema.getSubscriptionType()?.getFields()[field.name.value]
    const subscribe = definition?.subscribe as (root: unknown, args: object) => unknown
    return (await subscribe(undefined, Object.fromEntries(args))) as AsyncIterator<object>
  }
}

/** A result of errors alone. */
export function errorsOf(error: unknown): Result {
  const shown = error instanceof GraphQLError ? error : new GraphQLError(String(error))
  return { errors: [shown] }
}

function failed(stage: Stage, errors: readonly GraphQLError[]): Prepared {
  return { kind: 'errors', stage, result: { errors } }
}

function withoutDirectives(document: DocumentNode): DocumentNode {
  return visit(document, {
    Directive: ({ name }) => (name.value === 'defer' || name.value === 'stream' ? null : undefined),
  })
}
