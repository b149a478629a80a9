import { createAddressReader } from 'graphwire'
import t from 'tap'
import { makeJwtKey } from '../../access/tokens.js'
import { memoryCounter } from '@graphwire/rate-limit'
import { createLogin } from '../../access/login.js'
import { createThrottle, type Throttle } from '../../access/rate-limits.js'
import { createPasswords } from '../../access/passwords.js'
import { createTokens } from '../../access/tokens.js'
import type { LoginRecord } from '../../store/credential-stores.js'
import { onEachDatabase } from '../store/databases.js'
import { addLogin, bearerOf, dataOf, sendTo, serveAccess, type Sent } from './served.js'

const json = 'application/json'

await onEachDatabase(t, 'login', async (t, open) => {
  const store = await open()
  await addLogin(store, 'ann', 'pässword', ['read', 'write'])
  const now = (): Date => new Date('2026-08-01T12:00:00Z')

  await t.test('a login and its password get a token that works', async (t) => {
    const served = await serveAccess(t, { store, now })
    const answer = await served.logIn('ann', 'pässword')
    t.equal(answer.status, 200)
    t.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
    t.equal(answer.headers['cache-control'], 'no-store')
    t.match(answer.json, {
      token: /^[\w-]+\.[\w-]+\.[\w-]+$/,
      expiresAt: '2026-08-01T13:00:00.000Z',
    })
    const bearer = bearerOf(answer)
    t.equal(dataOf(await served.run('{ who }', ...bearer), 'who'), 'ann')
    t.equal(dataOf(await served.run('mutation { write }', ...bearer), 'write'), 1)
    t.equal((await served.logIn('ann', 'pa\u0308ssword')).status, 200, 'composed or not')
  })

  await t.test('a wrong password and an unknown login are one answer', async (t) => {
    const served = await serveAccess(t, { store })
    const answers = [
      await served.logIn('ann', 'password'),
      await served.logIn('nobody', 'pässword'),
      await served.logIn('Ann', 'pässword'),
    ]
    for (const { status, headers, text } of answers) {
      t.equal(status, 401)
      t.equal(headers['www-authenticate'], 'Bearer realm="people"')
      t.equal(headers['cache-control'], 'no-store')
      t.match(JSON.parse(text), { status: 401, code: 'UNAUTHENTICATED' })
      t.equal(text, answers[0]?.text)
      t.same(Object.keys(headers), Object.keys(answers[0]?.headers ?? {}))
    }
  })

  await t.test('a token goes on when its login is removed', async (t) => {
    await addLogin(store, 'bob', 'secret')
    const served = await serveAccess(t, { store })
    const bearer = await served.bearer('bob', 'secret')
    await store.logins.remove('bob')
    t.equal(dataOf(await served.run('{ who }', ...bearer), 'who'), 'bob')
    t.equal((await served.logIn('bob', 'secret')).status, 401)
  })
})

/** A good body, so that each row is wrong in one thing. */
const body = JSON.stringify({ login: 'ann', password: 'secret' })
const type = ['Content-Type', json]
const input = (given: unknown): Sent => ({ headers: type, body: JSON.stringify(given) })
const allow = { allow: 'POST, OPTIONS' }

// oxfmt-ignore
const rows: readonly [name: string, request: Sent, status: number, code?: string | undefined, headers?: { readonly [name: string]: string }][] = [
  ['OPTIONS',               { method: 'OPTIONS' },                                      204, undefined, allow],
  ['GET',                   { method: 'GET' },                                          405, 'METHOD_NOT_ALLOWED', allow],
  ['a body without a type', { body },                                                   415, 'UNSUPPORTED_MEDIA_TYPE', { accept: json }],
  ['a body that is large',  { headers: type, body: ' '.repeat(16_385) },                413, 'BODY_TOO_LARGE'],
  ['no body',               { headers: type, body: '' },                                400, 'INVALID_JSON'],
  ['null',                  input(null),                                                422, 'BAD_USER_INPUT'],
  ['an unknown member',     input({ login: 'ann', password: 'secret', scope: 'write' }), 422, 'BAD_USER_INPUT'],
  ['128 characters',        input({ login: 'a'.repeat(128), password: 'x' }),           401],
  ['1,024 bytes',           input({ login: 'ann', password: 'ä'.repeat(512) }),         401],
]

// For scrypt, a password with NUL at its end equals the one without.
const nul = { login: 'ann\0', password: 'secret\0' }
// oxfmt-ignore
const invalid: readonly [name: string, request: Sent, ...pointers: string[]][] = [
  ['nothing in it',     input({}),                                                          '#/login', '#/password'],
  ['no string',         input({ login: { $ne: '' }, password: 'x' }),                       '#/login'],
  ['an empty login',    input({ login: '', password: 'x' }),                                '#/login'],
  ['129 characters',    input({ login: 'a'.repeat(129), password: 'x' }),                   '#/login'],
  ['1,025 bytes',       input({ login: 'ann', password: `${'ä'.repeat(512)}a` }),           '#/password'],
  ['half a character',  input({ login: '\udfff', password: '\ud800' }),                     '#/login', '#/password'],
  ['NUL',               input(nul),                                                         '#/login', '#/password'],
]

t.test('POST /login refuses invalid requests', async (t) => {
  const served = await serveParts()
  for (const [name, request, status, code, headers = {}] of rows) {
    const answer = await served.send({ path: '/login', ...request })
    t.equal(answer.status, status, name)
    t.match(answer.headers, headers, name)
    if (code !== undefined) t.equal(answer.json['code'], code, name)
    if (status >= 400) t.equal(answer.headers['content-type'], 'application/problem+json', name)
  }
  for (const [name, request, ...pointers] of invalid) {
    const { status, json: problem } = await served.send({ path: '/login', ...request })
    const errors = pointers.map((pointer) => ({ pointer }))
    t.match({ status, ...problem }, { status: 422, code: 'BAD_USER_INPUT', errors }, name)
    t.equal((problem['errors'] as object[]).length, pointers.length, name)
  }
})

t.test('an unknown login costs as much as a wrong password', async (t) => {
  const served = await serveParts()
  for (const login of ['ann', 'nobody']) {
    served.derived.length = 0
    await served.send({ ...input({ login, password: 'wrong' }), path: '/login' })
    t.same(served.derived, [{ N: 32_768, r: 8, p: 1, maxmem: 67_108_864, salt: 16 }], login)
  }
  served.derived.length = 0
  await served.send({ ...input({ login: 'ann' }), path: '/login' })
  t.same(served.derived, [], 'what cannot be a password costs nothing')
})

t.test('a login that waits too long is 503, and the others have their turn', async (t) => {
  const served = await serveParts()
  served.hold()
  const request = { headers: type, body, path: '/login' }
  const answers = Array.from({ length: 5 }, () => served.send(request))
  for (const answer of answers.slice(2)) {
    const { status, headers } = await answer
    t.equal(status, 503)
    t.equal(headers['retry-after'], '1')
  }
  t.equal(served.derived.length, 2, 'two are at work')
  served.release()
  for (const answer of answers.slice(0, 2)) t.equal((await answer).status, 200)
})

/** /login alone, without a throttle, with a scrypt that is counted and costs nothing. */
async function serveParts() {
  const derived: object[] = []
  let gate = Promise.resolve()
  let release = (): void => {}
  const passwords = createPasswords(async (password, salt, cost) => {
    derived.push({ ...cost, salt: salt.byteLength })
    await gate
    return Buffer.alloc(32, `${password}${salt.toString('hex')}`)
  })
  const passwordHash = await passwords.hash('secret')
  const createdAt = '2026-08-01T12:00:00.000Z'
  const ann: LoginRecord = { login: 'ann', passwordHash, scopes: ['write'], createdAt }
  const handler = createLogin({
    logins: { find: (login) => Promise.resolve(login === 'ann' ? ann : undefined) },
    passwords,
    tokens: createTokens(makeJwtKey(), () => new Date()),
    throttle: () => Promise.resolve(undefined),
    readAddress: createAddressReader(0),
    cors: undefined,
  })
  return {
    derived,
    send: (request: Sent) => sendTo(handler, request),
    hold() {
      derived.length = 0
      gate = new Promise((resolve) => (release = resolve))
    },
    release: () => release(),
  }
}

/** Attempts in order, each some times, and the policy that refuses the last of them. */
// oxfmt-ignore
const throttled: readonly [
  name: string,
  attempts: readonly (readonly [login: string, address: string, count: number])[],
  policy: string | undefined,
][] = [
  ['five at one account from one address pass',                 [['ann', '192.0.2.1', 5]],                              undefined],
  ['the sixth is refused',                                      [['ann', '192.0.2.1', 6]],                              '"login-account-address";q=5;w=60'],
  ['the sixth is refused from a neighbour in the network, too', [['ann', '2001:db8::1', 5], ['ann', '2001:db8::2', 1]], '"login-account-address";q=5;w=60'],
  ['another address still reaches the account',                 [['ann', '192.0.2.1', 9], ['ann', '192.0.2.2', 5]],     undefined],
  ['another account can still be reached from the address',     [['ann', '192.0.2.1', 9], ['bob', '192.0.2.1', 5]],     undefined],
  [
    'twenty at many accounts are all that an address has',
    [...each(20, (at) => [`a${at}`, '192.0.2.1', 1] as const), ['bob', '192.0.2.1', 1]],
    '"login-address";q=20;w=60',
  ],
  [
    'fifty from many addresses are all that an account has',
    [...each(50, (at) => ['ann', `192.0.${at}.1`, 1] as const), ['ann', '198.51.100.1', 1]],
    '"login-account";q=50;w=60',
  ],
  ['what is refused is not counted',                            [['ann', '192.0.2.1', 99], ['ann', '192.0.2.2', 5], ['bob', '192.0.2.1', 5]], undefined],
]

function each<Value>(count: number, make: (at: number) => Value): Value[] {
  return Array.from({ length: count }, (_, at) => make(at))
}

t.test('the throttle', async (t) => {
  for (const [name, attempts, policy] of throttled) {
    const throttle = createThrottle(() => memoryCounter())
    let last: Awaited<ReturnType<Throttle>>
    for (const [login, address, count] of attempts) {
      for (let at = 0; at < count; at += 1) last = await throttle(login, address)
    }
    t.equal(last?.headers['RateLimit-Policy'], policy, name)
  }
})

t.test('guesses from many addresses do not make it forget those at an account', async (t) => {
  const throttle = createThrottle(() => memoryCounter({ maxIdentities: 10 }))
  for (let at = 0; at < 50; at += 1) {
    t.equal(await throttle('ann', `192.0.${at}.1`), undefined)
  }
  const refused = await throttle('ann', '198.51.100.1')
  t.equal(refused?.headers['RateLimit-Policy'], '"login-account";q=50;w=60')
})

t.test('the throttle forgets after a minute', async (t) => {
  let later = 0
  const { now } = performance
  performance.now = () => now.call(performance) + later
  t.teardown(() => (performance.now = now))
  const throttle = createThrottle(() => memoryCounter())
  for (let count = 0; count < 5; count += 1) t.equal(await throttle('ann', '192.0.2.1'), undefined)
  const refused = await throttle('ann', '192.0.2.1')
  t.equal(refused?.retryAfter, 60)
  t.equal(refused?.headers['RateLimit'], '"login-account-address";r=0;t=60')
  later = 59_000
  const again = await throttle('ann', '192.0.2.1')
  t.equal(again?.retryAfter, 1)
  later = 60_000
  t.equal(await throttle('ann', '192.0.2.1'), undefined)
})

t.test('the sixth attempt in a minute is 429, also with the right password', async (t) => {
  const find = (): Promise<undefined> => Promise.resolve(undefined)
  const store = { keys: { find, addUsage: find }, logins: { find } }
  const served = await serveAccess(t, { store: store as never, rateLimit: 'off' })
  for (let count = 0; count < 5; count += 1) {
    t.equal((await served.logIn('ann', 'wrong')).status, 401)
  }
  const answer = await served.logIn('ann', 'secret')
  t.equal(answer.status, 429)
  t.equal(answer.json['code'], 'RATE_LIMITED')
  t.match(answer.headers['retry-after'], /^\d+$/)
})
