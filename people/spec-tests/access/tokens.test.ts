import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { SignJWT, UnsecuredJWT } from 'jose'
import t from 'tap'
import { createTokens, readJwtKey, type JwtKey } from '../../access/tokens.js'

const start = Date.parse('2026-08-01T12:00:00Z')
const at = (seconds: number) => (): Date => new Date(start + seconds * 1_000)
const claims = { login: 'ann', scopes: ['read', 'write'] } as const

function keyOf(text: string): JwtKey {
  const key = readJwtKey(text)
  if (!key.ok) throw new Error(key.reason)
  return key.value
}

const secret = randomBytes(32)
const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
const keys = { HS256: secret.toString('base64url'), EdDSA: JSON.stringify(jwk) }

for (const [name, text] of Object.entries(keys)) {
  t.test(`${name}: a token holds for an hour, at each instance, for its login`, async (t) => {
    const { token, expiresAt } = await createTokens(keyOf(text), at(0)).issue(claims)
    t.equal(expiresAt, '2026-08-01T13:00:00.000Z')
    t.same(await createTokens(keyOf(text), at(3_599)).check(token), {
      ok: true,
      value: { ...claims, expiresAt: Date.parse(expiresAt) },
    })
    const late = await createTokens(keyOf(text), at(3_600)).check(token)
    t.same(late, { ok: false, reason: 'expired' })
    const [head = '', body = ''] = token.split('.').map((part) => Buffer.from(part, 'base64url'))
    t.same(JSON.parse(String(head)), { alg: name, typ: 'JWT' })
    const iat = start / 1_000
    const who = { scope: 'read write', sub: 'ann', iss: 'people', aud: 'people' }
    t.same(JSON.parse(String(body)), { ...who, iat, exp: iat + 3_600 })
  })
}

t.test('what was not made by this service is invalid', async (t) => {
  const tokens = createTokens(keyOf(keys.HS256), at(0))
  const edTokens = createTokens(keyOf(keys.EdDSA), at(0))
  const { token } = await tokens.issue(claims)
  const [head = '', body = '', signature = ''] = token.split('.')
  const iat = start / 1_000
  const payload = { scope: 'write', sub: 'ann', iss: 'people', aud: 'people', iat, exp: iat + 60 }
  const sign = (changes: object, alg = 'HS256', by: Parameters<SignJWT['sign']>[0] = secret) =>
    new SignJWT({ ...payload, ...changes }).setProtectedHeader({ alg }).sign(by)
  const part = (json: object): string => Buffer.from(JSON.stringify(json)).toString('base64url')
  // The classic confusion: the public key, which all may know, taken for the secret of HS256.
  const publicBytes = Buffer.from(String(jwk.x), 'base64url')

  t.equal((await tokens.check(await sign({}))).ok, true, 'the rows below differ in one thing each')
  // oxfmt-ignore
  const rows: [name: string, token: string, from?: 'ed'][] = [
    ['alg none',                             new UnsecuredJWT(payload).encode()],
    ['alg none with a signature',            `${part({ alg: 'none' })}.${body}.${signature}`],
    ['HS384 by the right secret',            await sign({}, 'HS384', Buffer.concat([secret, secret]))],
    ['HS256 where EdDSA is meant',           token,                                'ed'],
    ['HS256 by the public key',              await sign({}, 'HS256', publicBytes), 'ed'],
    ['EdDSA where HS256 is meant',           (await edTokens.issue(claims)).token],
    ['another secret',                       await sign({}, 'HS256', randomBytes(32))],
    ['another issuer',                       await sign({ iss: 'others' })],
    ['another audience',                     await sign({ aud: 'others' })],
    ['no end',                               await sign({ exp: undefined })],
    ['no login',                             await sign({ sub: undefined })],
    ['a login that is not a string',         await sign({ sub: 7 })],
    ['no scope',                             await sign({ scope: undefined })],
    ['a scope that there is not',            await sign({ scope: 'write admin' })],
    ['no scope in the text',                 await sign({ scope: '' })],
    ['scopes in a list',                     await sign({ scope: ['write'] })],
    ['not yet',                              await sign({ nbf: iat + 30 })],
    ['no signature',                         `${head}.${body}.`],
    ['nothing',                              ''],
    ['a megabyte',                           'x'.repeat(1_000_000)],
  ]
  for (const [name, forged, from] of rows) {
    const checked = await (from === 'ed' ? edTokens : tokens).check(forged)
    t.same(checked, { ok: false, reason: 'invalid' }, name)
  }
})

t.test('keys that are none', async (t) => {
  const other = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  // oxfmt-ignore
  const rows: [name: string, text: string, reason: RegExp][] = [
    ['nothing',             '',                                            /base64url/],
    ['too short',           randomBytes(31).toString('base64url'),         /has 31 bytes, fewer than the 32/],
    ['not base64url',       `${'a'.repeat(50)}+/`,                         /must be base64url/],
    ['no JSON',             '{"kty":',                                     /not a private Ed25519 key/],
    ['a public JWK',        JSON.stringify({ ...jwk, d: undefined }),      /not a private Ed25519 key/],
    ['another kind of JWK', JSON.stringify(rsa.export({ format: 'jwk' })), /not a private Ed25519 key/],
    ['a JWK of two keys',   JSON.stringify({ ...jwk, x: other.x }),        /not a private Ed25519 key/],
    ['a broken JWK',        JSON.stringify({ ...jwk, d: 'AAAA' }),         /not a private Ed25519 key/],
  ]
  for (const [name, text, reason] of rows) {
    const read = readJwtKey(text)
    t.match(read, { ok: false, reason }, name)
    if (!read.ok && text !== '') t.notMatch(read.reason, text, 'the text stays out of the reason')
  }
})
