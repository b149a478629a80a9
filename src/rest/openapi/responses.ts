import { choiceOf, type JsonSchema } from './json-schema.js'
import type { NamedSchemas } from './named-schemas.js'
import { isConditional } from './parameters.js'
import type { RoutePlan } from './plan-route.js'
import { problemDescription, problemReference, type ProblemStatus } from './problem.js'
import { takesBody } from './request-body.js'
import { rootValueSchema } from './selection-schema.js'
import { shapeOfType } from './type-shape.js'

/** What an operation's responses depend on. */
export interface ResponseSource {
  readonly method: string
  readonly plans: readonly RoutePlan[]
  readonly named: NamedSchemas
  /** Whether a credential may be asked for. */
  readonly secured: boolean
}

/** The responses of an operation by status. */
export function responsesOf(source: ResponseSource): JsonSchema {
  return {
    ...successes(source),
    ...(source.method === 'GET' && { 304: notModified }),
    ...Object.fromEntries(problemsOf(source).map((status) => [status, problemReference(status)])),
  }
}

/** The responses of HEAD: those of GET without a body. */
export function headResponsesOf(source: ResponseSource): JsonSchema {
  const bodiless = Object.entries(successes(source)).map(([status, { description, headers }]) => [
    status,
    { description, headers },
  ])
  return {
    ...Object.fromEntries(bodiless),
    304: notModified,
    ...Object.fromEntries(
      problemsOf(source).map((status) => [status, { description: problemDescription(status) }]),
    ),
  }
}

function successes({ plans, named }: ResponseSource): { readonly [status: string]: JsonSchema } {
  const statuses = new Set(plans.map(statusOf).toSorted((a, b) => a - b))
  return Object.fromEntries(
    [...statuses].map((status) => {
      const same = plans.filter((plan) => statusOf(plan) === status)
      const schema = choiceOf(
        'anyOf',
        same.map((plan) => rootValueSchema(plan, named)),
      )
      const description = status === 201 ? 'It was created.' : 'The answer.'
      const content = { 'application/json': { schema } }
      return [status, { description, headers: headersOf(same), content }]
    }),
  )
}

function statusOf({ route }: RoutePlan): 200 | 201 {
  return route.status ?? 200
}

function headersOf(plans: readonly RoutePlan[]): JsonSchema {
  const located = plans.some(({ route }) => route.location !== undefined)
  const more = Object.assign({}, ...plans.map(({ route }) => route.headerDescriptions)) as {
    readonly [name: string]: string
  }
  return {
    ETag: header('Changes with the answer.'),
    ...(located && { Location: header('Where it is.') }),
    ...Object.fromEntries(Object.entries(more).map(([name, text]) => [name, header(text)])),
  }
}

function header(description: string): JsonSchema {
  return { description, schema: { type: 'string' } }
}

const notModified: JsonSchema = {
  description: 'The ETag in If-None-Match still holds.',
  headers: { ETag: header('That ETag.') },
}

/** The statuses of the problems that an operation can answer. */
function problemsOf({ method, plans, secured }: ResponseSource): readonly ProblemStatus[] {
  const writes = method !== 'GET'
  const some = (test: (plan: RoutePlan) => boolean): boolean => plans.some(test)
  const hasBody = some(takesBody)
  const statuses: readonly (readonly [ProblemStatus, boolean])[] = [
    [400, true],
    [401, secured],
    [403, secured],
    [404, some(({ field }) => shapeOfType(field.type).nullable)],
    // Of the methods that are described only POST may stand for one that is not.
    [405, method === 'POST'],
    [406, true],
    [409, writes],
    [412, some(isConditional)],
    [413, hasBody],
    [415, hasBody],
    [422, some(({ variables }) => variables.length > 0)],
    [429, true],
    [500, true],
    [503, true],
  ]
  return statuses.filter(([, occurs]) => occurs).map(([status]) => status)
}
