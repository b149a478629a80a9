import {
  execute,
  GraphQLError,
  parse,
  specifiedRules,
  validate,
  type DocumentNode,
  type ExecutionResult,
  type OperationDefinitionNode,
} from 'graphql'
import type { Has } from './defects.js'
import type { Parameters } from './parameters.js'
import {
  inParallel,
  lenientVariables,
  refuseUndeclared,
  withoutDefaults,
  withoutDirectives,
} from './misexecute.js'
import { skippedRule } from './skipped-rule.js'
import type { Standard } from './standard-schema.js'

/** A result with the status for it. */
export interface Outcome {
  readonly status: number
  readonly result: Readonly<Record<string, unknown>>
  readonly allow?: true
}

/** Parses, validates, chooses, executes. `isSafe`: a GET or HEAD, which runs no mutation. */
export async function runRequest(
  parameters: Parameters,
  isSafe: boolean,
  standard: Standard,
  has: Has,
): Promise<Outcome> {
  const document = parseSafely(parameters.query)
  if (document instanceof GraphQLError) {
    return reject(has('syntax-error-422') ? 422 : 400, [document], has)
  }
  const invalid = has('validation-skipped')
    ? []
    : validate(standard.schema, document, rulesFor(has))
  if (invalid.length > 0) {
    if (has('validation-after-execution')) await run(document, parameters, standard, has)
    return reject(has('validation-error-400') ? 400 : 422, invalid, has)
  }
  const operation = choose(document, parameters.operationName, has)
  if (operation === undefined) {
    if (has('unknown-operation-executed')) await runFirst(document, parameters, standard, has)
    const status = has('unknown-operation-400') ? 400 : 422
    return reject(status, [new GraphQLError('Which operation?')], has)
  }
  if (isSafe && isRefusedByGet(document, operation, has)) {
    if (has('get-mutation-refused-too-late')) await run(document, parameters, standard, has)
    const status = has('get-mutation-400') ? 400 : has('get-mutation-200') ? 200 : 405
    const refused = reject(status, [new GraphQLError('GET runs no mutation.')], has)
    return status === 405 ? { ...refused, allow: true } : refused
  }
  if (operation.operation === 'subscription') {
    return reject(422, [new GraphQLError('There are no subscriptions.')], has)
  }
  const chosen = { ...document, definitions: withOnly(document, operation) }
  return weigh(await run(chosen, parameters, standard, has), has)
}

async function runFirst(
  document: DocumentNode,
  parameters: Parameters,
  standard: Standard,
  has: Has,
): Promise<void> {
  const first = document.definitions.find((one) => one.kind === 'OperationDefinition')
  if (first === undefined) return
  const chosen = { ...document, definitions: withOnly(document, first) }
  await run(chosen, parameters, standard, has)
}

/** No usual case has so many; what nests as deep as that does not fill the stack. */
const maxTokens = 2000

function parseSafely(query: string): DocumentNode | GraphQLError {
  try {
    return parse(query, { maxTokens })
  } catch (error) {
    return error instanceof GraphQLError ? error : new GraphQLError(String(error))
  }
}

function rulesFor(has: Has) {
  const skipped = skippedRule(has)
  return specifiedRules.filter(({ name }) => name !== skipped)
}

function choose(
  document: DocumentNode,
  name: string | undefined,
  has: Has,
): OperationDefinitionNode | undefined {
  const operations = document.definitions.filter((one) => one.kind === 'OperationDefinition')
  const [first] = operations
  if (has('operation-name-ignored')) return first
  if (name === undefined) {
    return operations.length === 1 || has('first-of-several-operations') ? first : undefined
  }
  if (has('prototype-lookup-of-operations')) {
    const byName: Record<string, OperationDefinitionNode> = {}
    for (const one of operations) byName[one.name?.value ?? ''] = one
    const found = byName[name]
    // A function of Object.prototype has no selections: a bug shows as a thrown TypeError.
    return found && found.selectionSet.selections.length > 0 ? found : undefined
  }
  const found = operations.find((one) => one.name?.value === name)
  return found ?? (has('first-for-an-unknown-operation') ? first : undefined)
}

function isRefusedByGet(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  has: Has,
): boolean {
  if (has('get-runs-mutations')) return false
  if (!has('get-refuses-any-mutation')) return operation.operation === 'mutation'
  return document.definitions.some(
    (one) => one.kind === 'OperationDefinition' && one.operation === 'mutation',
  )
}

function withOnly(document: DocumentNode, operation: OperationDefinitionNode) {
  return document.definitions.filter(
    (one) => one === operation || one.kind === 'FragmentDefinition',
  )
}

async function run(
  document: DocumentNode,
  { variables }: Parameters,
  { schema, root }: Standard,
  has: Has,
): Promise<ExecutionResult> {
  const task = {
    schema,
    document: has('directives-ignored')
      ? withoutDirectives(document)
      : has('variable-defaults-ignored')
        ? withoutDefaults(document)
        : document,
    rootValue: root,
    variableValues: has('variables-coerced-leniently')
      ? lenientVariables(document, variables)
      : has('variables-ignored')
        ? {}
        : has('undeclared-variables-refused')
          ? refuseUndeclared(document, variables)
          : variables,
  }
  return execute(has('mutation-fields-in-parallel') ? inParallel(task) : task)
}

/** A result without data is that of a request error: its variables could not be coerced. */
function weigh(executed: ExecutionResult, has: Has): Outcome {
  const { data, errors } = executed
  if (data === undefined) {
    return reject(has('coercion-error-400') ? 400 : 422, errors ?? [], has, 'coercion')
  }
  if (errors === undefined) return { status: has('success-202') ? 202 : 200, result: { data } }
  const listed = errors.map((error) => error.toJSON())
  if (has('partial-data-dropped')) return { status: 200, result: { errors: listed } }
  const isNull = data === null
  const status = isNull
    ? has('null-data-500')
      ? 500
      : 294
    : has('partial-data-400')
      ? 400
      : has('partial-data-200')
        ? 200
        : 294
  return { status, result: { data, errors: listed } }
}

function reject(
  status: number,
  errors: readonly GraphQLError[],
  has: Has,
  kind?: 'coercion',
): Outcome {
  const listed = errors.map((error) => error.toJSON())
  const isGood = has('request-errors-200') || (kind === 'coercion' && has('coercion-error-200'))
  return {
    status: isGood ? 200 : status,
    result: has('request-errors-with-null-data')
      ? { data: null, errors: listed }
      : { errors: listed },
  }
}
