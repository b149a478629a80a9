import t from 'tap'
import { makeApiKey } from '../../access/api-keys.js'
import { StoreUnavailable } from '../../store/store.js'
import type { Store } from '../../store/open-store.js'
import { onEachDatabase } from '../store/databases.js'
import { addKey, addLogin, codeOf, dataOf, serveAccess, type Fields } from './served.js'

const badKey = 'ApiKey realm="people"'
const badToken = 'Bearer realm="people", error="invalid_token"'

await onEachDatabase(t, 'authenticate', async (t, open) => {
  const store = await open()
  const writer = await addKey(store, 'writer')
  const reader = await addKey(store, 'reader', ['read'])
  const revoked = await addKey(store, 'revoked')
  await store.keys.revoke('revoked')
  await addLogin(store, 'ann', 'secret')

  const served = await serveAccess(t, { store })
  const bearer = await served.bearer('ann', 'secret')
  const token = bearer.Authorization.slice('Bearer '.length)

  // oxfmt-ignore
  const good: [name: string, headers: Fields, who: string][] = [
    ['no credential is an anonymous client',         {},                                   'anonymous'],
    ['a key is known by its name',                   { 'X-API-Key': writer },              'writer'],
    ['the name of the header is not case-sensitive', { 'x-api-KEY': writer },              'writer'],
    ['a token is known by its login',                bearer,                               'ann'],
    ['the scheme is not case-sensitive',             { authorization: `bearer ${token}` }, 'ann'],
    ['of two good credentials the key counts',       { 'X-API-Key': writer, ...bearer },   'writer'],
  ]
  for (const [name, headers, who] of good) {
    t.equal(dataOf(await served.run('{ who }', headers), 'who'), who, name)
  }

  // oxfmt-ignore
  const bad: [name: string, headers: Fields, challenge: string][] = [
    ['an unknown key',                   { 'X-API-Key': makeApiKey() },                          badKey],
    ['a revoked key',                    { 'X-API-Key': revoked },                               badKey],
    ['an empty key',                     { 'X-API-Key': '' },                                    badKey],
    ['a key with a character too many',  { 'X-API-Key': `${writer}x` },                          badKey],
    ['a key in another header line too', { 'X-API-Key': [writer, writer] },                      badKey],
    ['a key as a token',                 { Authorization: `Bearer ${writer}` },                  badToken],
    ['a token as a key',                 { 'X-API-Key': token },                                 badKey],
    ['another scheme',                   { Authorization: 'Basic YW5uOnNlY3JldA==' },            badToken],
    ['a scheme alone',                   { Authorization: 'Bearer' },                            badToken],
    ['an empty Authorization',           { Authorization: '' },                                  badToken],
    ['two tokens',                       { Authorization: Array(2).fill(bearer.Authorization) }, badToken],
    ['two tokens in one line',           { Authorization: `Bearer ${token}, Bearer ${token}` },  badToken],
    ['a good key beside a bad token',    { 'X-API-Key': writer, Authorization: 'Bearer x' },     badToken],
    ['a bad key beside a good token',    { 'X-API-Key': 'x', ...bearer },                        badKey],
  ]
  for (const [name, headers, challenge] of bad) {
    const answer = await served.run('{ who }', headers)
    t.equal(answer.status, 401, `${name} is 401 before anything runs`)
    t.equal(answer.headers.get('www-authenticate'), challenge, name)
    t.equal(codeOf(answer), 'UNAUTHENTICATED')
  }

  for (const query of [`api_key=${writer}`, `X-API-Key=${writer}`]) {
    const answer = await served.send({ target: `/graphql?${query}&query={who}` })
    t.equal(dataOf(answer, 'who'), 'anonymous', 'a key in the URL is not looked at')
  }

  // oxfmt-ignore
  const writes: [name: string, headers: Fields, code: string | undefined][] = [
    ['a key with write writes',                          { 'X-API-Key': writer },            undefined],
    ['a token with write writes',                        bearer,                             undefined],
    ['a key without write does not',                     { 'X-API-Key': reader },            'forbidden'],
    ['no credential does not write',                     {},                                 'unauthenticated'],
    ['the scopes of the key count, not those beside it', { 'X-API-Key': reader, ...bearer }, 'forbidden'],
  ]
  for (const [name, headers, code] of writes) {
    const answer = await served.run('mutation { write }', headers)
    t.equal(codeOf(answer), code, name)
    t.equal(dataOf(answer, 'write'), code === undefined ? 1 : null)
  }

  await t.test('mode all wants a credential for reads too', async (t) => {
    const { run } = await serveAccess(t, { store, auth: 'all' })
    const answer = await run('{ who }')
    t.equal(answer.status, 401)
    const both = 'Bearer realm="people", ApiKey realm="people"'
    t.equal(answer.headers.get('www-authenticate'), both)
    t.equal(dataOf(await run('{ who }', { 'X-API-Key': writer }), 'who'), 'writer')
  })
  await t.test('mode off ignores credentials and permits everything', async (t) => {
    const { run } = await serveAccess(t, { store, auth: 'off' })
    t.equal(dataOf(await run('{ who }', { 'X-API-Key': 'bad' }), 'who'), 'anonymous')
    t.equal(dataOf(await run('mutation { write }'), 'write'), 1)
  })
})

t.test('an unavailable database is 503, but a token does not need it', async (t) => {
  const away = (): Promise<never> => Promise.reject(new StoreUnavailable('away'))
  const store = { keys: { find: away, addUsage: away }, logins: { find: away } } as unknown as Store
  const { run, logIn } = await serveAccess(t, { store })
  const withKey = (key: string) => run('{ who }', { 'X-API-Key': key })
  for (const answer of [await withKey(makeApiKey()), await logIn('ann', 'secret')]) {
    t.equal(answer.status, 503)
    t.equal(answer.headers.get('retry-after'), '1')
  }
  t.equal((await withKey('no key at all')).status, 401)
})
