import t from 'tap'
import { buildSchema, failure, success } from '../../src/index.js'
import { clientOf } from '../handler/client-of.js'

const schema = buildSchema('type Query { a: String }')
const denied = { kind: 'denied', status: 418 } as const
const noText = (message: string) => `the message of a denial must be a string, not ${message}.`
const noCode = (code: string) =>
  `the code of a denial must be a name such as "PLAN_EXPIRED", not ${code}.`
const kinds = '"unauthenticated", "forbidden", "rate-limited", "unavailable", "denied"'

type Row = readonly [answer: unknown, message: string]

// oxfmt-ignore
const authenticated: readonly Row[] = [
  [failure(401),       "expected success(principal) or failure(denial), such as failure({ kind: 'unauthenticated', challenge: 'Bearer' }), got failure(401)."],
  [failure(403),       "expected success(principal) or failure(denial), such as failure({ kind: 'forbidden' }), got failure(403)."],
  [failure(undefined), "expected success(principal) or failure(denial), such as failure({ kind: 'forbidden' }), got failure(undefined)."],
  [true,               'expected success(principal) or failure(denial), got true.'],
  [undefined,          'expected success(principal) or failure(denial), got undefined.'],
  [{ kind: 'forbidden' }, 'expected success(principal) or failure(denial), got an object.'],
]

// oxfmt-ignore
const admitted: readonly Row[] = [
  [429,   "expected undefined or a denial such as { kind: 'rate-limited', retryAfter: 60 }, got 429."],
  [503,   "expected undefined or a denial such as { kind: 'unavailable', retryAfter: 60 }, got 503."],
  [402,   "expected undefined or a denial such as { kind: 'denied', status: 402, message: '...' }, got 402."],
  [false, "expected undefined or a denial such as { kind: 'forbidden' }, got false."],
]

// oxfmt-ignore
const denials: readonly Row[] = [
  [{ kind: 'forbiden', size: 1n },                                   `expected a denial of the kind ${kinds}, got "forbiden". Did you mean "forbidden"?`],
  [{ status: 401 },                                                  `expected a denial of the kind ${kinds}, got undefined.`],
  [{ kind: 'unauthenticated' },                                      'a 401 needs a challenge, the value of WWW-Authenticate, such as "Bearer".'],
  [{ kind: 'denied', status: 401 },                                  "a 401 is { kind: 'unauthenticated', challenge: 'Bearer' }."],
  [{ kind: 'denied', status: 200 },                                  'the status of a denial must be 400 to 599, not 200.'],
  [{ kind: 'rate-limited', retryAfter: '5' },                        'retryAfter must be a number of seconds, not "5".'],
  [{ ...denied, message: 5 },                                        noText('5')],
  [{ ...denied, message: null },                                     noText('null')],
  [{ kind: 'forbidden', message: { hunter2: true } },                noText('an object')],
  [{ kind: 'unauthenticated', challenge: 'Bearer', message: ['x'] }, noText('a list')],
  [{ kind: 'rate-limited', retryAfter: 1, message: true },           noText('true')],
  [{ kind: 'unavailable', retryAfter: 1, message: () => 'x' },       noText('a function')],
  [{ ...denied, code: '' },                                          noCode('""')],
  [{ ...denied, code: 'a b' },                                       noCode('"a b"')],
  [{ ...denied, code: 'a/b' },                                       noCode('"a/b"')],
  [{ ...denied, code: 5 },                                           noCode('5')],
  [{ ...denied, code: null },                                        noCode('null')],
  [{ ...denied, code: 'x'.repeat(101) },                             noCode(`"${'x'.repeat(40)}..."`)],
]

void t.test('an invalid denial rejects the request, and says what to return', async (t) => {
  const check = async (name: 'authenticate' | 'admit', answer: unknown, message: string) => {
    for (const returned of [answer, Promise.resolve(answer)]) {
      const hook = { [name]: () => returned as never }
      const { ask, bugs } = clientOf({ schema, authenticate: () => success('me'), ...hook })
      const response = await ask('{ a }')
      t.match(response.json(), { errors: [{ message: 'Internal server error' }] })
      t.equal(response.status, 500)
      t.equal(String(bugs), `TypeError: ${name}: ${message}`)
    }
  }
  for (const [answer, message] of authenticated) await check('authenticate', answer, message)
  for (const [answer, message] of admitted) await check('admit', answer, message)
  for (const [denial, message] of denials) {
    await check('authenticate', failure(denial), message)
    await check('admit', denial, message)
  }
})
