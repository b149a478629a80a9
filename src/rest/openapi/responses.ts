import { choiceOf, type JsonSchema } from './json-schema.js'
import type { NamedSchemas } from './named-schemas.js'
import { isConditional } from './parameters.js'
import type { DescribedPlan } from './describe-plan.js'
import { problemDescription, problemReference, type ProblemStatus } from './problem.js'
import { hasBody } from '../has-body.js'
import { rootValueSchema } from './selection-schema.js'
import { shapeOfType } from './type-shape.js'

/** What an operation's responses depend on. */
export interface ResponseSource {
  readonly method: string
  readonly plans: readonly DescribedPlan[]
  readonly named: NamedSchemas
  /** Whether a POST may stand for another method. */
  readonly methodOverride: boolean
  /** Whether a credential may be asked for. */
  readonly secured: boolean
}

/** The responses of an operation by status. */
export function responsesOf(source: ResponseSource): JsonSchema {
  return {
    ...successes(source),
    ...(source.method === 'GET' && { 304: notModified(source) }),
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
    304: notModified(source),
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
      return [status, { description, ...headersOf(same), content }]
    }),
  )
}

function statusOf({ route }: DescribedPlan): 200 | 201 {
  return route.status ?? 200
}

function headersOf(plans: readonly DescribedPlan[]): JsonSchema {
  // What was deleted has no representation to come.
  const tagged = plans.some(({ route }) => route.method !== 'DELETE')
  const located = plans.some(({ route }) => route.location !== undefined)
  const more = Object.assign({}, ...plans.map(({ route }) => route.headerDescriptions)) as {
    readonly [name: string]: string
  }
  const headers = {
    ...(tagged && { ETag: header('Changes with the answer.') }),
    ...(located && { Location: header('Where it is.') }),
    ...Object.fromEntries(Object.entries(more).map(([name, text]) => [name, header(text)])),
  }
  return Object.keys(headers).length > 0 ? { headers } : {}
}

function header(description: string): JsonSchema {
  return { description, schema: { type: 'string' } }
}

function notModified({ plans }: ResponseSource): JsonSchema {
  return { description: 'The ETag in If-None-Match still holds.', ...headersOf(plans) }
}

/** The statuses of the problems that an operation can answer. */
function problemsOf({
  method,
  plans,
  secured,
  methodOverride,
}: ResponseSource): readonly ProblemStatus[] {
  const writes = method !== 'GET'
  const some = (test: (plan: DescribedPlan) => boolean): boolean => plans.some(test)
  const takesBody = some(({ route }) => hasBody(route.method))
  const statuses: readonly (readonly [ProblemStatus, boolean])[] = [
    [400, true],
    [401, secured],
    [403, secured],
    [404, some(canBeAbsent)],
    // Of the methods that are described only POST may stand for one that is not.
    [405, method === 'POST' && methodOverride],
    [406, true],
    [409, writes],
    [412, some(isConditional)],
    [413, takesBody],
    [415, takesBody],
    [422, true],
    [429, true],
    [500, true],
    [503, true],
  ]
  return statuses.filter(([, occurs]) => occurs).map(([status]) => status)
}

/** A null is absent, and so may be what the path names. */
function canBeAbsent({ field, described }: DescribedPlan): boolean {
  return shapeOfType(field.type).nullable || described.some(({ source }) => source === 'path')
}
