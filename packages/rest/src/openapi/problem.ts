import type { JsonSchema } from '@graphwire/json-schema'

/** What the problems of an operation depend on. */
export interface ProblemFacts {
  readonly writes: boolean
  readonly takesBody: boolean
  /** Whether credentials may be required. */
  readonly secured: boolean
  readonly canBeAbsent: boolean
  readonly isConditional: boolean
  /** Whether it is a POST that can stand for another method: of those described, only that can miss its route. */
  readonly isOverridden: boolean
}

interface ProblemResponse {
  readonly name: string
  readonly description: string
  readonly header?: readonly [name: string, description: string, type: string]
  /** Which operations have it. Default: all. */
  readonly only?: keyof ProblemFacts
}

const problems: { readonly [status: string]: ProblemResponse } = {
  400: { name: 'BadRequest', description: 'The request is malformed.' },
  401: {
    name: 'Unauthorized',
    description: 'The credential is missing or invalid.',
    header: ['WWW-Authenticate', 'How to authenticate.', 'string'],
    only: 'secured',
  },
  403: {
    name: 'Forbidden',
    description: 'The credential does not permit the request.',
    only: 'secured',
  },
  404: { name: 'NotFound', description: 'Not found.', only: 'canBeAbsent' },
  405: {
    name: 'MethodNotAllowed',
    description: 'The method is not supported here.',
    header: ['Allow', 'The supported methods.', 'string'],
    only: 'isOverridden',
  },
  406: { name: 'NotAcceptable', description: 'Accept admits none of the types served.' },
  409: {
    name: 'Conflict',
    description: 'The request contradicts itself or the stored state.',
    only: 'writes',
  },
  412: {
    name: 'PreconditionFailed',
    description: 'If-Match has another version.',
    only: 'isConditional',
  },
  413: { name: 'ContentTooLarge', description: 'The body is too large.', only: 'takesBody' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The media type of the body is not supported here.',
    only: 'takesBody',
  },
  422: { name: 'UnprocessableContent', description: 'The request contains invalid values.' },
  429: {
    name: 'TooManyRequests',
    description: 'Too many requests.',
    header: ['Retry-After', 'Number of seconds to wait.', 'integer'],
  },
  500: {
    name: 'InternalServerError',
    description: 'The server failed; the problem has an id that is also in its log.',
  },
  503: {
    name: 'ServiceUnavailable',
    description:
      'The server cannot process the request now: the code is UNAVAILABLE, OVERLOADED, or CANCELLED if it took too long.',
    header: ['Retry-After', 'Number of seconds to wait, if known.', 'integer'],
  },
}

/** The problems of an operation by status: references to their responses; for HEAD, which has no body, what they mean. */
export function problemsOf(facts: ProblemFacts, isHead: boolean): JsonSchema {
  const found = Object.entries(problems).filter(
    ([, row]) => row.only === undefined || facts[row.only],
  )
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
