import {
  choiceOf,
  type JsonSchema,
  type NamedSchemas,
  valueSchema,
  shapeOfType,
} from '@graphwire/json-schema'
import type { DescribedPlan } from './describe-plan.js'
import { isStream } from './describe-request.js'
import { problemsOf, type DescribedResponse } from './problem.js'
import type { Route } from '../route/route.js'

/** The responses of an operation; those of HEAD are those of GET without a body. */
export function responsesOf(source: DescribedResponse, isHead: boolean): JsonSchema {
  return {
    ...successes(source, isHead),
    ...(source.method === 'GET' && notModified(source)),
    ...problemsOf(source, isHead),
  }
}

function successes({ plans, named }: DescribedResponse, isHead: boolean): JsonSchema {
  const statuses = new Set(plans.map(statusOf).toSorted((a, b) => a - b))
  return Object.fromEntries(
    [...statuses].map((status) => {
      const same = plans.filter((plan) => statusOf(plan) === status)
      const schema = choiceOf(
        'anyOf',
        same.map((plan) => rootValueSchema(plan, named)),
      )
      const isEvents = same.some(isStream)
      const type = isEvents ? 'text/event-stream' : 'application/json'
      const content = status !== 204 && !isHead && { content: { [type]: { schema } } }
      const description = isEvents ? streamDescription : successDescriptions[status]
      return [status, { description, ...headersOf(same), ...content }]
    }),
  )
}

/** The value of the root field, except the field that is its version. */
function rootValueSchema(plan: DescribedPlan, named: NamedSchemas): JsonSchema {
  const { schema, document, rootField, field, route } = plan
  // A null value is a 404, not a success.
  const shape = { ...shapeOfType(field.type), nullable: false }
  return valueSchema(
    shape,
    rootField,
    { schema, fragments: document.fragments, named },
    route.version,
  )
}

type SuccessStatus = NonNullable<Route['status']>

const successDescriptions: { readonly [status in SuccessStatus]: string } = {
  200: 'Success.',
  201: 'Created.',
  202: 'Accepted, but not completed yet.',
  204: 'Done; the response has no body.',
}

/** OpenAPI 3.1 has no schema for a sequence: that of a stream describes the data of each event. */
const streamDescription =
  'Server-Sent Events, until the client disconnects. The schema is that of the `data` of each event; a failure is an ' +
  'event named `problem`.'

function statusOf({ route }: DescribedPlan): SuccessStatus {
  return route.status ?? 200
}

function headersOf(plans: readonly DescribedPlan[]): JsonSchema {
  // A deleted resource has no representation.
  const tagged = plans.some(
    ({ route }) =>
      route.method !== 'DELETE' &&
      route.stream !== true &&
      (route.status !== 204 || route.version !== undefined),
  )
  const located = plans.some(({ route }) => route.location !== undefined)
  const more = Object.assign({}, ...plans.map(({ route }) => route.headerDescriptions)) as {
    readonly [name: string]: string
  }
  const headers = {
    ...(tagged && { ETag: header('Changes whenever the response does.') }),
    ...(located && { Location: header('The URL of the resource.') }),
    ...Object.fromEntries(Object.entries(more).map(([name, text]) => [name, header(text)])),
  }
  return Object.keys(headers).length > 0 ? { headers } : {}
}

function header(description: string): JsonSchema {
  return { description, schema: { type: 'string' } }
}

function notModified({ plans }: DescribedResponse): JsonSchema {
  if (plans.some(isStream)) return {}
  const description = 'The ETag in If-None-Match is still current.'
  return { 304: { description, ...headersOf(plans) } }
}
