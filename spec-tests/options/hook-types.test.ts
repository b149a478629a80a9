import type { IncomingMessage } from 'node:http'
import type { GraphQLFormattedError, OperationDefinitionNode } from 'graphql'
import t from 'tap'
import { createRestHandler } from '@graphwire/rest'
import { buildSchema, createHandler, failure, success } from '../../src/index.js'
import type {
  BugDetails,
  Denial,
  GraphQLParams,
  HttpResponse,
  LimitReport,
  Outcome,
  RequestHead,
  RequestInfo,
  ResponseHeaders,
} from '../../src/index.js'
import { serve, type Incoming } from '../../src/hosts/node/index.js'

interface User {
  readonly name: string
}

/** Compiles only where the value has exactly this type, so that nothing is `unknown` by accident. */
function is<Expected>() {
  return <Found>(_value: Found & (Same<Found, Expected> extends true ? unknown : never)): void => {}
}
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

const schema = buildSchema('type Query { a: String }', { Query: { a: () => 'x' } })

async function authenticate({ raw }: RequestHead<IncomingMessage>): Promise<Outcome<User, Denial>> {
  const name = raw.headers['x-name']
  return typeof name === 'string'
    ? success({ name })
    : failure({ kind: 'denied', status: 402, message: 'Pay.', code: 'PLAN_EXPIRED' })
}

type Info = RequestInfo<IncomingMessage, User>

void t.test('hooks need no annotations: what they get follows from authenticate', async (t) => {
  createHandler({
    schema(head, request) {
      is<RequestHead<IncomingMessage>>()(head)
      is<User>()(request.principal)
      return schema
    },
    authenticate,
    context({ principal }) {
      is<User>()(principal)
      return principal.name
    },
    onResult(request, result) {
      is<RequestHead<IncomingMessage>>()(request.head)
      is<User>()(request.principal)
      is<GraphQLParams>()(request.params)
      is<OperationDefinitionNode | undefined>()(request.operation)
      is<number>()(result.status)
      is<string | undefined>()(result.operationName)
      is<'query' | 'mutation' | 'subscription' | undefined>()(result.operationType)
      is<string>()(result.document)
      is<readonly GraphQLFormattedError[]>()(result.errors)
      is<readonly string[]>()(result.errorCodes)
      is<boolean | undefined>()(result.hasData)
      is<number>()(result.duration)
      is<number | undefined>()(result.cost)
      is<number>()(result.size)
      is<ResponseHeaders>()(result.headers)
    },
    formatError(formatted, error, request) {
      is<unknown>()(error)
      is<Info>()(request)
      is<User | undefined>()(request.principal)
      return formatted
    },
    responseHeaders(response, head, request) {
      is<HttpResponse>()(response)
      is<RequestHead<IncomingMessage>>()(head)
      is<Info>()(request)
      return { 'X-Name': request.principal?.name ?? 'nobody' }
    },
    onBug(bug, details, request) {
      is<unknown>()(bug)
      is<BugDetails>()(details)
      is<Info | undefined>()(request)
    },
    onLimit(report, request) {
      is<LimitReport>()(report)
      is<Info | undefined>()(request)
    },
    createId(head) {
      is<RequestHead<IncomingMessage> | undefined>()(head)
      return 'id'
    },
  })
  t.pass('it compiles')
})

void t.test('so do those of routes and of serve', async (t) => {
  createRestHandler({
    schema,
    routes: [{ method: 'GET', path: '/a', operation: '{ a }' }],
    authenticate,
    onResult: async ({ principal }) => is<User>()(principal),
    onBug: (_, __, request) => is<Info | undefined>()(request),
  })
  const served = await serve({
    schema,
    port: 0,
    authenticate,
    onResult: ({ head, principal }) => {
      is<Incoming>()(head.raw)
      is<User>()(principal)
    },
    onBug: (_, __, request) => is<RequestInfo<Incoming, User> | undefined>()(request),
    createId: (head) => (is<RequestHead<Incoming> | undefined>()(head), 'id'),
  })
  await served.close()
  t.pass('it compiles')
})
