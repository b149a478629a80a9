import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { fieldValue, type HttpResponse } from 'graphwire'
import { toNodeListener } from 'graphwire/node'
import t, { type Test } from 'tap'
import { createAddressReader } from 'graphwire'
import { makeJwtKey } from '../../access/jwt-key.js'
import { createLimiter } from '../../access/limiter.js'
import { createLogin } from '../../access/login.js'
import { createThrottle } from '../../access/login-throttle.js'
import { createPasswords } from '../../access/passwords.js'
import { createTokens } from '../../access/tokens.js'
import type { LoginRecord } from '../../store/store.js'
import { onEachDatabase } from '../store/databases.js'
import { addLogin, dataOf, sendTo, serveAccess, type Got, type Sent } from './served.js'

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
    const bearer = ['Authorization', `Bearer ${String(answer.json['token'])}`]
    t.equal(dataOf(await served.run('{ who }', ...bearer), 'who'), 'ann')
    t.equal(dataOf(await served.run('mutation { write }', ...bearer), 'write'), 1)
  })

  await t.test('Unicode may be composed or not: it is one password', async (t) => {
    const served = await serveAccess(t, { store })
    t.equal((await served.logIn('ann', 'pa\u0308ssword')).status, 200)
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
    const { json: got } = await served.logIn('bob', 'secret')
    await store.logins.remove('bob')
    const bearer = ['Authorization', `Bearer ${String(got['token'])}`]
    t.equal(dataOf(await served.run('{ who }', ...bearer), 'who'), 'bob')
    t.equal((await served.logIn('bob', 'secret')).status, 401)
  })
})

interface Row {
  readonly name: string
  readonly request: Sent
  readonly status: number
  readonly code?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly pointers?: readonly string[]
}

/** A good body, so that each row is wrong in one thing. */
const body = JSON.stringify({ login: 'ann', password: 'secret' })
const type = ['Content-Type', json]
const input = (given: unknown): Sent => ({ headers: type, body: JSON.stringify(given) })
const allow = { allow: 'POST, OPTIONS' }

// oxfmt-ignore
const rows: readonly Row[] = [
  { name: 'OPTIONS',                    request: { method: 'OPTIONS' },                                          status: 204, headers: allow },
  ...['GET', 'PUT', 'DELETE', 'QUERY'].map((method) => ({
    name: method,
    request: { method },
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    headers: allow,
  })),
  { name: 'HEAD',                       request: { method: 'HEAD' },                                             status: 405, headers: allow },
  { name: 'a body without a type',      request: { body }, status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', headers: { accept: json } },
  { name: 'a form', request: { headers: ['Content-Type', 'application/x-www-form-urlencoded'], body }, status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  { name: 'another charset',            request: { headers: ['Content-Type', `${json}; charset=latin1`], body }, status: 415, code: 'UNSUPPORTED_CHARSET' },
  { name: 'a type in other letters, with its charset', request: { headers: ['Content-Type', 'Application/JSON; a=b; Charset="UTF-8"'], body }, status: 200 },
  { name: 'a type that breaks the grammar', request: { headers: ['Content-Type', `${json}; charset`], body },    status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' },
  { name: 'a separator in a quoted parameter', request: { headers: ['Content-Type', `${json}; a="; charset=latin1"`], body }, status: 200 },
  {
    name: 'a compressed body',
    request: { headers: [...type, 'Content-Encoding', 'gzip'], body },
    status: 415,
    code: 'UNSUPPORTED_ENCODING',
    headers: { 'accept-encoding': 'identity' },
  },
  { name: 'a body that is too large',   request: { headers: type, body: ' '.repeat(16_385) },                    status: 413, code: 'BODY_TOO_LARGE' },
  { name: 'no body',                    request: { headers: type, body: '' },                                    status: 400, code: 'INVALID_JSON' },
  { name: 'half a body',                request: { headers: type, body: '{"login":' },                           status: 400, code: 'INVALID_JSON' },
  { name: 'a body nested 8,000 deep',   request: { headers: type, body: '['.repeat(8_000) + ']'.repeat(8_000) }, status: 422, pointers: ['#'] },
  { name: 'bytes that are no UTF-8',    request: { headers: type, body: Uint8Array.of(0x22, 0xff, 0x22) },       status: 400, code: 'INVALID_UTF_8' },
  { name: 'a list',                     request: input([body]),                                                  status: 422, pointers: ['#'] },
  { name: 'null',                       request: input(null),                                                    status: 422, pointers: ['#'] },
  { name: 'nothing in it',              request: input({}), status: 422, pointers: ['#/login', '#/password'] },
  { name: 'no password',                request: input({ login: 'ann' }),                                        status: 422, pointers: ['#/password'] },
  { name: 'a login that is not a string', request: input({ login: { $ne: '' }, password: 'x' }),                 status: 422, pointers: ['#/login'] },
  { name: 'an empty login',             request: input({ login: '', password: 'x' }),                            status: 422, pointers: ['#/login'] },
  { name: 'a login of 129 characters',  request: input({ login: 'a'.repeat(129), password: 'x' }),               status: 422, pointers: ['#/login'] },
  { name: 'a login of 128 characters',  request: input({ login: 'a'.repeat(128), password: 'x' }),               status: 401 },
  { name: 'an empty password',          request: input({ login: 'ann', password: '' }),                          status: 422, pointers: ['#/password'] },
  { name: 'a password of 1,025 bytes',  request: input({ login: 'ann', password: `${'ä'.repeat(512)}a` }),       status: 422, pointers: ['#/password'] },
  { name: 'a password of 1,024 bytes',  request: input({ login: 'ann', password: 'ä'.repeat(512) }),             status: 401 },
  { name: 'half a character',           request: input({ login: '\udfff', password: '\ud800' }), status: 422, pointers: ['#/login', '#/password'] },
  {
    // scrypt does not tell a password from the same one with NUL at its end.
    name: 'the character NUL',
    request: input({ login: 'ann\0', password: 'secret\0' }),
    status: 422,
    pointers: ['#/login', '#/password'],
  },
  { name: 'a member that nobody knows', request: input({ login: 'ann', password: 'secret', scope: 'write' }),    status: 422, pointers: ['#'] },
]

t.test('what POST /login says to requests that are not right', async (t) => {
  const served = await serveParts(t)
  for (const { name, request, status, code, headers = {}, pointers } of rows) {
    await t.test(`${name} is ${status}`, async (t) => {
      const answer = await served.send({ path: '/login', ...request })
      t.equal(answer.status, status)
      if (code !== undefined) t.equal(answer.json['code'], code)
      for (const [field, value] of Object.entries(headers)) t.equal(answer.headers[field], value)
      if (status >= 400) t.equal(answer.headers['content-type'], 'application/problem+json')
      if (pointers === undefined) return
      t.equal(answer.json['code'], 'BAD_USER_INPUT')
      const errors = answer.json['errors'] as { pointer: string; detail: string }[]
      t.same(
        errors.map(({ pointer }) => pointer),
        pointers,
      )
      for (const { detail } of errors) t.match(detail, /^The /)
    })
  }
})

t.test('an unknown login costs as much as a wrong password', async (t) => {
  const served = await serveParts(t)
  for (const login of ['ann', 'nobody']) {
    served.derived.length = 0
    await served.send({ ...input({ login, password: 'wrong' }), path: '/login' })
    t.same(served.derived, [{ N: 32_768, r: 8, p: 1, maxmem: 67_108_864, salt: 16 }], login)
  }
  served.derived.length = 0
  await served.send({ ...input({ login: 'ann' }), path: '/login' })
  t.same(served.derived, [], 'what cannot be a password costs nothing')
})

t.test('too many at once are 503, and the others have their turn', async (t) => {
  const served = await serveParts(t)
  served.hold()
  const early: Got[] = []
  let fourth = (): void => {}
  const four = new Promise<void>((resolve) => (fourth = resolve))
  const answers = Array.from({ length: 70 }, async () => {
    const answer = await served.send({
      ...input({ login: 'ann', password: 'secret' }),
      path: '/login',
    })
    if (early.push(answer) === 4) fourth()
    return answer
  })
  await four
  for (const { status, headers } of early) {
    t.equal(status, 503)
    t.equal(headers['retry-after'], '1')
  }
  t.equal(served.derived.length, 2, 'two are at work')
  served.release()
  const statuses = (await Promise.all(answers)).map(({ status }) => status)
  t.equal(statuses.filter((status) => status === 200).length, 66)
  t.equal(statuses.filter((status) => status === 503).length, 4)
})

interface ServedParts {
  send(request: Sent): Promise<Got>
  readonly derived: object[]
  hold(): void
  release(): void
}

/** /login alone, without a throttle, with a scrypt that is counted and costs nothing. */
async function serveParts(t: Test): Promise<ServedParts> {
  const derived: object[] = []
  let gate = Promise.resolve()
  let release = (): void => {}
  const passwords = createPasswords(async (password, salt, cost) => {
    derived.push({ ...cost, salt: salt.byteLength })
    await gate
    return Buffer.alloc(32, `${password}${salt.toString('hex')}`)
  })
  const hash = await passwords.hash('secret')
  const ann: LoginRecord = {
    login: 'ann',
    passwordHash: hash.ok ? hash.value : '',
    scopes: ['write'],
    createdAt: '2026-08-01T12:00:00.000Z',
  }
  const handler = createLogin({
    logins: { find: (login) => Promise.resolve(login === 'ann' ? ann : undefined) },
    passwords,
    tokens: createTokens(makeJwtKey(), () => new Date()),
    throttle: () => Promise.resolve(undefined),
    readAddress: createAddressReader(0),
    cors: undefined,
  })
  const server = createServer(toNodeListener<IncomingMessage>(handler)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  return {
    derived,
    send: (request) => sendTo(port, request),
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

for (const [name, attempts, policy] of throttled) {
  t.test(`the throttle: ${name}`, async (t) => {
    const limiter = createLimiter('test', undefined)
    t.teardown(() => limiter.close())
    const throttle = createThrottle(limiter)
    let last: HttpResponse | undefined
    for (const [login, address, count] of attempts) {
      for (let at = 0; at < count; at += 1) last = await throttle(login, address)
    }
    t.equal(last && fieldValue(last.headers, 'ratelimit-policy'), policy)
  })
}

t.test('the throttle forgets after a minute', async (t) => {
  const limiter = createLimiter('test', undefined)
  t.teardown(() => limiter.close())
  const throttle = createThrottle(limiter)
  const start = Date.parse('2026-08-01T12:00:00Z')
  let time = start
  t.intercept(Date, 'now', { value: () => time })
  for (let count = 0; count < 5; count += 1) t.equal(await throttle('ann', '192.0.2.1'), undefined)
  const refused = await throttle('ann', '192.0.2.1')
  t.equal(refused && fieldValue(refused.headers, 'retry-after'), '60')
  t.equal(refused && fieldValue(refused.headers, 'ratelimit'), '"login-account-address";r=0;t=60')
  time = start + 59_000
  const later = await throttle('ann', '192.0.2.1')
  t.equal(later && fieldValue(later.headers, 'retry-after'), '1')
  time = start + 60_000
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
  const seconds = Number(answer.headers['retry-after'])
  t.ok(seconds >= 1 && seconds <= 60)
  t.match(answer.headers['ratelimit'], /^"login-account-address";r=0;t=\d+$/)
})
