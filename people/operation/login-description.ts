const text = { type: 'string' } as const

/** How the API description tells of the login, which is no route. */
export const loginPath = {
  post: {
    operationId: 'login',
    summary: 'Gives a token for a login and its password',
    tags: ['access'],
    security: [],
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['login', 'password'],
            additionalProperties: false,
            properties: { login: text, password: text },
          },
        },
      },
    },
    responses: {
      200: {
        description: 'A token for the header `Authorization: Bearer`.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['token', 'expiresAt'],
              properties: { token: text, expiresAt: { ...text, format: 'date-time' } },
            },
          },
        },
      },
      ...Object.fromEntries(
        Object.entries({
          400: 'The body is malformed.',
          401: 'The login or the password is wrong.',
          413: 'The body is too large.',
          415: 'The body is no JSON.',
          422: 'A member is missing or wrong.',
          429: 'Too many attempts; Retry-After says when to come again.',
          503: 'Too much at once, or the database is away.',
        }).map(([status, description]) => [
          status,
          {
            description,
            content: {
              'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
            },
          },
        ]),
      ),
    },
  },
} as const
