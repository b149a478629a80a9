import { objectOf, type JsonSchema } from './json-schema.js'

/** A status that a problem can have. */
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
    description: 'The credential is missing or not good.',
    header: ['WWW-Authenticate', 'How to authenticate.', 'string'],
  },
  403: { name: 'Forbidden', description: 'The credential does not allow this.' },
  404: { name: 'NotFound', description: 'Nothing is here.' },
  405: {
    name: 'MethodNotAllowed',
    description: 'The method does not exist here.',
    header: ['Allow', 'The methods that do.', 'string'],
  },
  406: { name: 'NotAcceptable', description: 'Accept leaves no media type to answer in.' },
  409: { name: 'Conflict', description: 'The request contradicts itself or what is stored.' },
  412: { name: 'PreconditionFailed', description: 'If-Match names another version.' },
  413: { name: 'ContentTooLarge', description: 'The body is too large.' },
  415: {
    name: 'UnsupportedMediaType',
    description: 'The body is of a type that is not read here.',
  },
  422: { name: 'UnprocessableContent', description: 'Values fail their checks.' },
  429: {
    name: 'TooManyRequests',
    description: 'The rate limit is reached.',
    header: ['Retry-After', 'The seconds to wait.', 'integer'],
  },
  500: { name: 'InternalServerError', description: 'The server failed; the problem has an id.' },
  503: {
    name: 'ServiceUnavailable',
    description: 'The server cannot answer now.',
    header: ['Retry-After', 'The seconds to wait.', 'integer'],
  },
}

/** Where the response of a status is described. */
export function problemReference(status: ProblemStatus): JsonSchema {
  return { $ref: `#/components/responses/${problems[status].name}` }
}

/** What a status means, for answers that have no body. */
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

/** A problem as RFC 9457 has it, and what this API adds. */
export function problemSchema(problemBase: string): JsonSchema {
  return objectOf(
    [
      {
        name: 'type',
        schema: {
          ...text(`Names the kind of problem, for ever: ${problemBase} and the code.`),
          format: 'uri-reference',
        },
        required: true,
      },
      { name: 'title', schema: text('What the kind means.'), required: true },
      {
        name: 'status',
        schema: { type: 'integer', minimum: 400, maximum: 599, description: 'The HTTP status.' },
        required: true,
      },
      { name: 'detail', schema: text('What is wrong with this request.'), required: false },
      {
        name: 'code',
        schema: text('The code that the same error has in GraphQL.'),
        required: true,
      },
      { name: 'errors', schema: { type: 'array', items: fieldErrorSchema }, required: false },
      { name: 'id', schema: text('Finds the failure in the logs.'), required: false },
    ],
    { description: 'Why a request was not answered (RFC 9457).' },
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
      schema: text('The member of the body: #/address/city'),
      required: false,
    },
    {
      name: 'parameter',
      schema: text('The parameter of the path or the query.'),
      required: false,
    },
  ],
  { description: 'One value that fails its checks.' },
)
