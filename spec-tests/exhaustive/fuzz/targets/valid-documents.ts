import { execute, validate, type DocumentNode } from 'graphql'
import { CostCounter } from '../../../../src/graphql/limits/cost/cost.js'
import { fragmentsOf } from '../../../../src/graphql/js/fragments.js'
import { defaultLimits, mostNesting } from '../../../../src/graphql/limits/limits.js'
import { measureDocument } from '../../../../src/graphql/limits/measure-document.js'
import type { DocumentFigures } from '../../../../src/graphql/limits/measure-document.js'
import type { TestResponse } from '../../../../src/hosts/testing.js'
import { makeOperation, parseOrNothing } from '../../../fuzz/documents.js'
import { createProbe } from '../probe.js'
import { measureSlowly } from '../references/measure-slowly.js'
import { createFuzzSchema } from '../schema.js'
import { smallerTexts } from '../../../fuzz/smaller.js'
import type { Target, Verdict } from '../../../fuzz/target.js'

/** A request whose document is valid by its making. */
interface ValidRequest {
  readonly query: string
  readonly operationName: string | undefined
  readonly variables: { readonly [name: string]: unknown }
}

/** Valid documents: the data of graphql-js, and the figures of references that write fragments out. */
export function validDocuments(): Target<ValidRequest> {
  const schema = createFuzzSchema()
  const probe = createProbe({ schema })
  const sizes = { costSizeArguments: ['limit', 'first', 'last'], costListSize: 10 }
  const counter = new CostCounter({ ...sizes, costMaxListSize: Infinity }, Infinity)

  const check = async (request: ValidRequest): Promise<Verdict> => {
    const document = parseOrNothing(request.query)
    // Shrinking makes what is no longer valid, and that is not this target's affair.
    if (document === undefined || validate(schema, document).length > 0) return undefined
    const operation = document.definitions.find(
      (one) =>
        one.kind === 'OperationDefinition' &&
        (request.operationName === undefined || one.name?.value === request.operationName),
    )
    if (operation?.kind !== 'OperationDefinition') return undefined
    const { variables } = request
    const measure = measureSlowly(document)
    const figures = compareMeasure(document, measure)
    if (figures !== undefined) return figures
    const fragments = fragmentsOf(document)
    const { cost } = counter.count({ schema, fragments, definition: operation, variables })
    const exceeds =
      cost > defaultLimits.maxCost ||
      figureNames.some((name) => measure[name] > defaultLimits[name])
    const allowed = exceeds ? [422] : [200, 294, 422]
    const { answer, fault } = await probe({ json: request }, allowed)
    if (fault !== undefined) return fault
    const parameters = Object.entries({ ...request, variables: JSON.stringify(variables) })
    const given = parameters.filter((one): one is [string, string] => one[1] !== undefined)
    const target = `/graphql?${new URLSearchParams(given).toString()}`
    if (operation.operation === 'query' && target.length <= 8192) {
      const got = (await probe({ target }, allowed)).answer
      if (got.status !== answer.status || got.body !== answer.body) {
        return `get: ${got.status} ${got.body}, and by POST ${answer.status} ${answer.body}`
      }
    }
    if (exceeds) return undefined
    return compare(answer, await execute({ ...executionOf(request), schema, document }))
  }
  return {
    name: 'valid-documents',
    generate: (random) => {
      const { variables, ...others } = makeOperation(random, schema)
      return { ...others, variables: variables[0] ?? {} }
    },
    check,
    *smaller(request) {
      for (const name of Object.keys(request.variables)) {
        const { [name]: _, ...variables } = request.variables
        yield { ...request, variables }
      }
      for (const query of smallerTexts(request.query)) yield { ...request, query }
    },
  }
}

const figureNames = Object.keys(defaultLimits).filter(
  (name): name is keyof DocumentFigures =>
    !['maxTokens', 'maxLines', 'maxNumberLength', 'maxCost', 'maxIntrospectionSize'].includes(name),
)

function compareMeasure(document: DocumentNode, right: DocumentFigures): Verdict {
  const found = measureDocument(document, mostNesting)
  const wrong = figureNames.find((name) => found[name] !== right[name])
  if (wrong !== undefined) return `${wrong}: ${found[wrong]}, not ${right[wrong]}`
  const { maxNesting: nesting } = right
  // Measuring stops beneath the limit, and must still see that the document is beyond it.
  const sees = (limit: number) => measureDocument(document, limit).maxNesting > limit
  const limits = [1, nesting - 1, nesting].filter((limit) => limit > 0)
  const blind = limits.find((limit) => sees(limit) !== nesting > limit)
  return blind === undefined ? undefined : `blind: ${nesting} levels, with a limit of ${blind}`
}

function executionOf({ variables, operationName }: ValidRequest): object {
  // What JSON makes of the variables is what the handler gets.
  return { variableValues: JSON.parse(JSON.stringify(variables)) as unknown, operationName }
}

interface Result {
  readonly data?: unknown
  readonly errors?: readonly { readonly message: string; readonly path?: unknown }[]
}

function compare({ status, body }: TestResponse, wanted: Result): Verdict {
  const found = JSON.parse(body) as Result
  const [data, right] = [JSON.stringify(found.data), JSON.stringify(wanted.data)]
  if (data !== right) return `data: ${data ?? body}, not ${right}`
  const errors = JSON.stringify(found.errors?.map(({ path }) => path))
  const paths = JSON.stringify(wanted.errors?.map(({ path }) => path))
  if (errors !== paths) return `errors: at ${errors}, not ${paths}`
  const expected = wanted.data === undefined ? 422 : wanted.errors ? 294 : 200
  return status === expected ? undefined : `status: ${status} and not ${expected}: ${body}`
}
