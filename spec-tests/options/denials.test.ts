import t from 'tap'
import { buildSchema, createHandler, failure, success } from '../../src/index.js'
import { testClient } from '../../src/hosts/testing.js'

const schema = buildSchema('type Query { a: String }')

// oxfmt-ignore
const authenticated: readonly [answer: unknown, message: string][] = [
  [failure(401), "expected success(principal) or failure(denial), such as failure({ kind: 'unauthenticated', challenge: 'Bearer' }), got failure(401)."],
  [failure(403),                             "expected success(principal) or failure(denial), such as failure({ kind: 'forbidden' }), got failure(403)."],
  [failure(undefined),                       "expected success(principal) or failure(denial), such as failure({ kind: 'forbidden' }), got failure(undefined)."],
  [true,                                     'expected success(principal) or failure(denial), got true.'],
  [undefined,                                'expected success(principal) or failure(denial), got undefined.'],
  [{ kind: 'forbidden' },                    'expected success(principal) or failure(denial), got an object.'],
  [
    failure({ kind: 'forbiden', size: 1n }),
    'expected a denial of the kind "unauthenticated", "forbidden", "rate-limited", "unavailable", "denied", got "forbiden". Did you mean "forbidden"?',
  ],
  [failure({ status: 401 }), 'expected a denial of the kind "unauthenticated", "forbidden", "rate-limited", "unavailable", "denied", got undefined.'],
  [failure({ kind: 'unauthenticated' }),     'a 401 needs a challenge, the value of WWW-Authenticate, such as "Bearer".'],
  [failure({ kind: 'denied', status: 401 }), "a 401 is { kind: 'unauthenticated', challenge: 'Bearer' }."],
  [failure({ kind: 'rate-limited', retryAfter: '5' }), 'retryAfter must be a number of seconds, not "5".'],
]

// oxfmt-ignore
const admitted: readonly [answer: unknown, message: string][] = [
  [429,                             "expected undefined or a denial such as { kind: 'rate-limited', retryAfter: 60 }, got 429."],
  [503,                             "expected undefined or a denial such as { kind: 'unavailable', retryAfter: 60 }, got 503."],
  [402,                             "expected undefined or a denial such as { kind: 'denied', status: 402, message: '...' }, got 402."],
  [false,                           "expected undefined or a denial such as { kind: 'forbidden' }, got false."],
  [{ kind: 'denied', status: 200 }, 'the status of a denial must be 400 to 599, not 200.'],
]

void t.test('an invalid denial rejects the request, and says what to return', async (t) => {
  const check = async (name: 'authenticate' | 'admit', answer: unknown, message: string) => {
    const bugs: unknown[] = []
    const options = {
      schema,
      authenticate: () => success('me'),
      [name]: () => answer as never,
      onBug: (bug: unknown) => bugs.push(bug),
    }
    const response = await testClient(createHandler(options))({ json: { query: '{ a }' } })
    t.equal(response.status, 500)
    t.notMatch(response.body, 'denial')
    t.equal(String(bugs), `TypeError: ${name}: ${message}`)
  }
  for (const [answer, message] of authenticated) await check('authenticate', answer, message)
  for (const [answer, message] of admitted) await check('admit', answer, message)
})
