import DataLoader from 'dataloader'
import { errors, jwtVerify } from 'jose'
import type { Logger } from 'pino'
import { createHandler, defineOptions, failure, fieldValue, success } from 'graphwire'
import type { Denial, Handler, Outcome, RequestHead } from 'graphwire'
import { schema, type App } from './schema.js'
import type { Store } from './store.js'

export interface Needs {
  readonly store: Store
  readonly log: Logger
  readonly jwtKey: Uint8Array
}

export function createApp({ store, log, jwtKey }: Needs): Handler {
  const idOf = rememberIds()
  const options = defineOptions<App>({
    schema,
    authenticate: (head) => readToken(head, jwtKey),
    context: ({ principal, responseHeaders }) => ({
      user: principal,
      store,
      people: new DataLoader((ids) => findInOrder(store, ids)),
      headers: responseHeaders,
    }),
    cors: {
      origins: ['https://app.example.com'],
      credentials: true,
      exposedHeaders: ['X-Request-Id'],
    },
    createId: idOf,
    responseHeaders: (_response, head) => ({ 'X-Request-Id': idOf(head) }),
    onBug: (bug, { id, path }) => log.error({ id, path, err: bug }, 'masked error'),
    onResult: ({ head, principal }, { operationName, status, errorCodes, duration }) => {
      const ms = Math.round(duration)
      const user = principal.id
      log.info(
        { id: idOf(head), user, operation: operationName, status, errorCodes, ms },
        'graphql',
      )
    },
  })
  return createHandler(options)
}

async function readToken(
  head: RequestHead,
  key: Uint8Array,
): Promise<Outcome<App['principal'], Denial>> {
  const [, token] = /^Bearer +(\S+)$/i.exec(fieldValue(head.headers, 'authorization') ?? '') ?? []
  if (token === undefined) return failure({ kind: 'unauthenticated', challenge: 'Bearer' })
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['HS256'],
      audience: 'tasks',
      requiredClaims: ['exp', 'sub'],
    })
    return success({ id: String(payload.sub), isAdmin: payload['role'] === 'admin' })
  } catch (error) {
    if (!(error instanceof errors.JOSEError)) throw error
    return failure({ kind: 'unauthenticated', challenge: 'Bearer error="invalid_token"' })
  }
}

async function findInOrder(store: Store, ids: readonly string[]) {
  const people = new Map((await store.findPeople(ids)).map((person) => [person.id, person]))
  return ids.map((id) => people.get(id))
}

function rememberIds(): (head?: RequestHead) => string {
  const ids = new WeakMap<RequestHead, string>()
  return (head) => {
    const known = head && ids.get(head)
    if (known !== undefined) return known
    const sent = head && fieldValue(head.headers, 'x-request-id')
    const id = sent !== undefined && /^[\w-]{8,64}$/.test(sent) ? sent : crypto.randomUUID()
    if (head) ids.set(head, id)
    return id
  }
}
