import { shapeOfType, type JsonSchema, type NamedSchemas } from '@graphwire/json-schema'
import { hasBody } from '../route/route.js'
import type { DescribedPlan } from './describe-plan.js'
import { isConditional } from './describe-request.js'

/** What the responses of an operation depend on. */
export interface DescribedResponse {
  readonly method: string
  readonly plans: readonly DescribedPlan[]
  readonly named: NamedSchemas
  /** Whether a POST can stand for another method. */
  readonly methodOverride: boolean
  /** Whether credentials may be required. */
  readonly secured: boolean
}

type Condition = (operation: DescribedResponse) => boolean

const isWrite: Condition = ({ method }) => method !== 'GET'
const isSecured: Condition = ({ secured }) => secured
/** Of the operations that are described, only such a POST can miss its route. */
const isOverridden: Condition = ({ method, methodOverride }) => method === 'POST' && methodOverride
const canBeConditional: Condition = ({ plans }) => plans.some(isConditional)
const takesBody: Condition = ({ plans }) => plans.some(({ route }) => hasBody(route.method))

/** A null root field means that the resource is absent, and so may what the path refers to. */
const canBeAbsent: Condition = ({ plans }) =>
  plans.some(
    ({ field, described }) =>
      shapeOfType(field.type).nullable || described.some(({ source }) => source === 'path'),
  )

interface ProblemResponse {
  readonly name: string
  readonly description: string
  readonly header?: readonly [name: string, description: string, type: string]
  /** Which operations have it. Default: all. */
  readonly only?: Condition
}

// oxfmt-ignore
const problems: { readonly [status: string]: ProblemResponse } = {
  400: { name: 'BadRequest',           description: 'The request is malformed.' },
  401: { name: 'Unauthorized',         description: 'The credential is missing or invalid.', only: isSecured,
         header: ['WWW-Authenticate', 'How to authenticate.', 'string'] },
  403: { name: 'Forbidden',            description: 'The credential does not permit the request.', only: isSecured },
  404: { name: 'NotFound',             description: 'Not found.', only: canBeAbsent },
  405: { name: 'MethodNotAllowed',     description: 'The method is not supported here.', only: isOverridden,
         header: ['Allow', 'The supported methods.', 'string'] },
  406: { name: 'NotAcceptable',        description: 'Accept admits none of the types served.' },
  409: { name: 'Conflict',             description: 'The request contradicts itself or the stored state.', only: isWrite },
  412: { name: 'PreconditionFailed',   description: 'If-Match has another version.', only: canBeConditional },
  413: { name: 'ContentTooLarge',      description: 'The body is too large.', only: takesBody },
  415: { name: 'UnsupportedMediaType', description: 'The media type of the body is not supported here.', only: takesBody },
  422: { name: 'UnprocessableContent', description: 'The request contains invalid values.' },
  429: { name: 'TooManyRequests',      description: 'Too many requests.', header: ['Retry-After', 'Number of seconds to wait.', 'integer'] },
  500: { name: 'InternalServerError',  description: 'The server failed; the problem has an id that is also in its log.' },
  503: { name: 'ServiceUnavailable',   header: ['Retry-After', 'Number of seconds to wait, if known.', 'integer'],
         description: 'The server cannot process the request now: the code is UNAVAILABLE, OVERLOADED, or CANCELLED if it took too long.' },
}

/** The problems of an operation by status: references to their responses; for HEAD, which has no body, what they mean. */
export function problemsOf(operation: DescribedResponse, isHead: boolean): JsonSchema {
  const found = Object.entries(problems).filter(([, { only }]) => only?.(operation) ?? true)
  return Object.fromEntries(
    found.map(([status, { name, description }]) => [
      status,
      isHead ? { description } : { $ref: `#/components/responses/${name}` },
    ]),
  )
}

/** The responses of all problems, by name. */
export function problemResponses(schemaName: string): JsonSchema {
  return Object.fromEntries(
    Object.entries(problems).map(([status, { name, description, header }]) => {
      const schema = {
        $ref: `#/components/schemas/${schemaName}`,
        properties: { status: { const: Number(status) } },
      }
      const headers = header && {
        [header[0]]: { description: header[1], schema: { type: header[2] } },
      }
      const content = { 'application/problem+json': { schema } }
      return [name, { description, ...(headers && { headers }), content }]
    }),
  )
}

/** A problem as defined by RFC 9457, with the members that this API adds. */
export function problemSchema(problemBase: string): JsonSchema {
  const type = text(`Identifies the kind of problem: ${problemBase} and the code.`)
  return {
    type: 'object',
    properties: {
      type: { ...type, format: 'uri-reference' },
      title: text('The kind of problem in words.'),
      status: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
      detail: text('What is wrong with this request.'),
      code: text('The code of the same error in GraphQL.'),
      errors: { type: 'array', items: fieldErrorSchema },
      id: text('Identifies the failure in the logs.'),
    },
    required: ['type', 'title', 'status', 'code'],
    description: 'An error (RFC 9457).',
  }
}

function text(description: string): JsonSchema {
  return { type: 'string', description }
}

const fieldErrorSchema: JsonSchema = {
  type: 'object',
  properties: {
    detail: { type: 'string' },
    pointer: text('The place in the body, such as #/address/city'),
    parameter: text('The name of the parameter, in the path or the query.'),
  },
  required: ['detail'],
  description: 'An invalid value.',
}
