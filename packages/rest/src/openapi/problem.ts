import { objectOf, type JsonSchema } from '@graphwire/json-schema'

/** The statuses of problems. */
export type ProblemStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 406
  | 409
  | 412
  | 413
  | 415
  | 422
  | 429
  | 500
  | 503

interface ProblemResponse {
  readonly name: string
  readonly description: string
  readonly header?: readonly [name: string, description: string, type: string]
}

const problems: { readonly [Status in ProblemStatus]: ProblemResponse } = {
  400: { name: 'BadRequest', description: 'The request is malformed.' },
  401: {
    name: 'Unauthorized',
    description: 'The credential is missing or invalid.',
    header: ['WWW-Authenticate', 'How to authenticate.', 'string'],
  },
  403: { name: 'Forbidden', description: 'The credential does not permit the request.' },
  404: { name: 'NotFound', description: 'Not found.' },
  405: {
    name: 'MethodNotAllowed',
    description: 'The method is not supported here.',
    header: ['Allow', 'The supported methods.', 'string'],
  },
  406: { name: 'NotAcceptable', description: 'Accept admits none of the types served.' },
  409: { name: 'Conflict', description: 'The request contradicts itself or the stored state.' },
  412: { name: 'PreconditionFailed', description: 'If-Match has another version.' },
  413: { name: 'ContentTooLarge', description: 'The body is too large.' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The media type of the body is not supported here.',
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

/** The reference to the response of a status. */
export function problemReference(status: ProblemStatus): JsonSchema {
  return { $ref: `#/components/responses/${problems[status].name}` }
}

/** The meaning of a status, for responses without a body. */
export function problemDescription(status: ProblemStatus): string {
  return problems[status].description
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
  return objectOf(
    [
      {
        name: 'type',
        schema: {
          ...text(`Identifies the kind of problem: ${problemBase} and the code.`),
          format: 'uri-reference',
        },
        required: true,
      },
      { name: 'title', schema: text('The kind of problem in words.'), required: true },
      {
        name: 'status',
        schema: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
        required: true,
      },
      { name: 'detail', schema: text('What is wrong with this request.'), required: false },
      {
        name: 'code',
        schema: text('The code of the same error in GraphQL.'),
        required: true,
      },
      { name: 'errors', schema: { type: 'array', items: fieldErrorSchema }, required: false },
      { name: 'id', schema: text('Identifies the failure in the logs.'), required: false },
    ],
    { description: 'An error (RFC 9457).' },
  )
}

function text(description: string): JsonSchema {
  return { type: 'string', description }
}

const fieldErrorSchema: JsonSchema = objectOf(
  [
    { name: 'detail', schema: { type: 'string' }, required: true },
    {
      name: 'pointer',
      schema: text('The place in the body, such as #/address/city'),
      required: false,
    },
    {
      name: 'parameter',
      schema: text('The name of the parameter, in the path or the query.'),
      required: false,
    },
  ],
  { description: 'An invalid value.' },
)
