import { keyLimits, replayedHeader } from './idempotency.js'
import { keptFor } from './store/key-quota.js'

/** The parts of an OpenAPI document that are read here. */
interface Described {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: { readonly responses: { readonly [name: string]: object } }
}

interface Operation {
  readonly parameters?: readonly object[]
  readonly responses: { readonly [status: string]: object }
}

const writes: ReadonlySet<string> = new Set(['post', 'put', 'patch', 'delete'])

const parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A string of your choice, unique for each write: a repetition with the same key and request gets the same response for ${keptFor / 3_600_000} hours, and nothing is written again.`,
  schema: { type: 'string', minLength: 1, maxLength: keyLimits.length + 2 },
  example: '"8e03978e-40d5-43dd-bc93-6894a57f9324"',
}

const replayed = {
  [replayedHeader]: {
    description: 'Present if this is a stored response to an Idempotency-Key.',
    schema: { const: 'true' },
  },
}

/** The responses that mean more with a key: their name, and what they say then. */
const meanings: {
  readonly [status: string]: { readonly of: string; readonly name: string; readonly more: object }
} = {
  409: {
    of: 'Conflict',
    // Only writes have this status.
    name: 'Conflict',
    more: {
      description:
        'The request contradicts itself or the stored state, or another request with its Idempotency-Key is being processed (IDEMPOTENCY_KEY_IN_USE).',
      headers: {
        'Retry-After': {
          description: 'Seconds, if the Idempotency-Key is in use.',
          schema: { type: 'integer' },
        },
        ...replayed,
      },
    },
  },
  422: {
    of: 'UnprocessableContent',
    name: 'UnprocessableContentOrKeyReused',
    more: {
      description:
        'The request contains invalid values, or its Idempotency-Key belongs to another request (IDEMPOTENCY_KEY_REUSED).',
      headers: replayed,
    },
  },
}

/** Adds `Idempotency-Key` to the writes of an OpenAPI document that the engine has made of the routes. */
export function describeKeys(document: object, except: readonly string[]): object {
  const { paths, components, ...rest } = document as Described
  const described = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => [
      method,
      writes.has(method) && !except.includes(path) ? withKey(operation) : operation,
    ])
    return [path, Object.fromEntries(operations)] as const
  })
  const responses = Object.values(meanings).map(({ of, name, more }) => [
    name,
    { ...components.responses[of], ...more },
  ])
  return {
    ...rest,
    paths: Object.fromEntries(described),
    components: {
      ...components,
      responses: { ...components.responses, ...Object.fromEntries(responses) },
    },
  }
}

function withKey(operation: Operation): Operation {
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const meaning = meanings[status]
    if (meaning !== undefined) return [status, { $ref: `#/components/responses/${meaning.name}` }]
    return [status, status.startsWith('2') ? withHeader(response) : response]
  })
  return {
    ...operation,
    parameters: [...(operation.parameters ?? []), parameter],
    responses: Object.fromEntries(responses) as Operation['responses'],
  }
}

function withHeader(response: { readonly headers?: object }): object {
  return { ...response, headers: { ...response.headers, ...replayed } }
}
