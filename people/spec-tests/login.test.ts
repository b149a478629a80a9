import { createSecretKey, randomBytes } from 'node:crypto'
import t from 'tap'
import { memoryCounter } from '@graphwire/rate-limit'
import { createLogin } from '../login.js'
import { createThrottle, type Throttle } from '../access/limits.js'
import { createPasswords } from '../access/passwords.js'
import { createTokens } from '../access/tokens.js'
import type { LoginRecord } from '../store/credential-stores.js'
import { onEachDatabase } from './store/databases.js'
import type { Json } from './schema/serve-schema.js'
import { addLogin, bearerOf, clientOf, dataOf, serveAccess } from './access/served.js'

await onEachDatabase(t, 'login', async (t, open) => {
  const store = await open()
  await addLogin(store, 'ann', 'pässword', ['read', 'write'])
  const now = (): Date => new Date('2026-08-01T12:00:00Z')

  await t.test('a login and its password get a token that works', async (t) => {
    const served = await serveAccess(t, { store, now })
    const answer = await served.logIn('ann', 'pässword')
    t.equal(answer.status, 200)
    t.equal(answer.headers.get('content-type'), 'application/json; charset=utf-8')
    t.equal(answer.headers.get('cache-control'), 'no-store')
    t.match(answer.json(), { token: String, expiresAt: '2026-08-01T13:00:00.000Z' })
    const bearer = bearerOf(answer)
    t.equal(dataOf(await served.run('{ who }', bearer), 'who'), 'ann')
    t.equal(dataOf(await served.run('mutation { write }', bearer), 'write'), 1)
    t.equal((await served.logIn('ann', 'pa\u0308ssword')).status, 200, 'composed or not')
  })

  await t.test('a wrong password and an unknown login are one answer', async (t) => {
    const served = await serveAccess(t, { store })
    const answers = [
      await served.logIn('ann', 'password'),
      await served.logIn('nobody', 'pässword'),
      await served.logIn('Ann', 'pässword'),
    ]
    for (const { status, headers, body } of answers) {
      t.equal(status, 401)
      t.equal(headers.get('www-authenticate'), 'Bearer realm="people"')
      t.equal(headers.get('cache-control'), 'no-store')
      t.match(JSON.parse(body), { status: 401, code: 'UNAUTHENTICATED' })
      t.equal(body, answers[0]?.body)
      t.same([...headers.keys()], [...(answers[0]?.headers.keys() ?? [])])
    }
  })
})

/** For scrypt, a password with NUL at its end equals the one without. */
// oxfmt-ignore
const bodies: readonly [name: string, body: object, status: number, ...pointers: string[]][] = [
  ['128 characters',    { login: 'a'.repeat(128), password: 'x' },               401],
  ['1,024 bytes',       { login: 'ann', password: 'ä'.repeat(512) },             401],
  ['more than 16 KiB',  { login: 'ann', password: ' '.repeat(16_384) },          413],
  ['nothing in it',     {},                                                      422, '#/login', '#/password'],
  ['no string',         { login: { $ne: '' }, password: 'x' },                   422, '#/login'],
  ['an empty login',    { login: '', password: 'x' },                            422, '#/login'],
  ['an empty password', { login: 'ann', password: '' },                          422, '#/password'],
  ['129 characters',    { login: 'a'.repeat(129), password: 'x' },               422, '#/login'],
  ['1,025 bytes',       { login: 'ann', password: `${'ä'.repeat(512)}a` },       422, '#/password'],
  ['half a character',  { login: '\udfff', password: '\ud800' },                 422, '#/login', '#/password'],
  ['NUL',               { login: 'ann\0', password: 'secret\0' },                422, '#/login', '#/password'],
]

t.test('POST /login refuses invalid requests', async (t) => {
  const { post } = await serveParts()
  for (const [name, body, status, ...pointers] of bodies) {
    const answer = await post(body)
    t.equal(answer.status, status, name)
    const { errors = [] } = answer.json<Json>()
    const found = errors.map(({ pointer }: Json) => pointer)
    t.same(found, pointers, name)
  }
})

t.test('an unknown login costs as much as a wrong password', async (t) => {
  const { derived, post } = await serveParts()
  for (const login of ['ann', 'nobody']) {
    derived.length = 0
    await post({ login, password: 'wrong' })
    t.same(derived, [{ N: 32_768, r: 8, p: 1, maxmem: 67_108_864, salt: 16 }], login)
  }
  derived.length = 0
  await post({ login: 'ann' })
  t.same(derived, [], 'what cannot be a password costs nothing')
})

t.test('a login that waits too long is 503, and the others have their turn', async (t) => {
  const { derived, post, hold } = await serveParts()
  const release = hold()
  const answers = Array.from({ length: 5 }, () => post({ login: 'ann', password: 'secret' }))
  for (const answer of answers.slice(2)) {
    const { status, headers } = await answer
    t.equal(status, 503)
    t.equal(headers.get('retry-after'), '1')
  }
  t.equal(derived.length, 2, 'two are at work')
  release()
  for (const answer of answers.slice(0, 2)) t.equal((await answer).status, 200)
})

/** /login alone, without a throttle, with a scrypt that is counted and costs nothing. */
async function serveParts() {
  const derived: object[] = []
  let gate = Promise.resolve()
  const passwords = createPasswords(async (password, salt, cost) => {
    derived.push({ ...cost, salt: salt.byteLength })
    await gate
    return Buffer.alloc(32, `${password}${salt.toString('hex')}`)
  })
  const passwordHash = await passwords.hash('secret')
  const createdAt = '2026-08-01T12:00:00.000Z'
  const ann: LoginRecord = { login: 'ann', passwordHash, scopes: ['write'], createdAt }
  const key = createSecretKey(randomBytes(32))
  const handler = createLogin(
    {
      logins: { find: (login) => Promise.resolve(login === 'ann' ? ann : undefined) },
      passwords,
      tokens: createTokens({ algorithm: 'HS256', signing: key, checking: key }, () => new Date()),
      throttle: () => Promise.resolve(undefined),
    },
    {},
  )
  const send = clientOf(handler)
  return {
    derived,
    post: (json: object) => send({ target: '/login', json }),
    /** Keeps scrypt from ending until what is returned is called. */
    hold() {
      derived.length = 0
      let release = (): void => {}
      gate = new Promise((resolve) => (release = resolve))
      return release
    },
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
    [...Array.from({ length: 20 }, (_, at) => [`a${at}`, '192.0.2.1', 1] as const), ['bob', '192.0.2.1', 1]],
    '"login-address";q=20;w=60',
  ],
  [
    'fifty from many addresses are all that an account has',
    [...Array.from({ length: 50 }, (_, at) => ['ann', `192.0.${at}.1`, 1] as const), ['ann', '198.51.100.1', 1]],
    '"login-account";q=50;w=60',
  ],
  ['what is refused is not counted',                            [['ann', '192.0.2.1', 99], ['ann', '192.0.2.2', 5], ['bob', '192.0.2.1', 5]], undefined],
]

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

t.test('the sixth attempt in a minute is 429, also with the right password', async (t) => {
  const find = (): Promise<undefined> => Promise.resolve(undefined)
  const store = { keys: { find, addUsage: find }, logins: { find } }
  const served = await serveAccess(t, { store: store as never, rateLimit: 'off' })
  for (let count = 0; count < 5; count += 1) {
    t.equal((await served.logIn('ann', 'wrong')).status, 401)
  }
  const answer = await served.logIn('ann', 'secret')
  t.equal(answer.status, 429)
  t.equal(answer.json<Json>().code, 'RATE_LIMITED')
  t.match(answer.headers.get('ratelimit'), /^"login-account-address";r=0;t=\d+$/)
  t.match(answer.headers.get('retry-after'), /^\d+$/)
})
