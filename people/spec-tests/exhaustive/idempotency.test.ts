import { request as send } from 'node:http'
import { versionInfo } from 'graphql'
import t from 'tap'
import { keyLimits, readKey } from '../../idempotency.js'
import { start, type Started } from './service/started.js'

// oxfmt-ignore
const keys: readonly [lines: readonly string[], key: string | undefined][] = [
  [['"8e03978e-40d5-43dd-bc93-6894a57f9324"'],  '8e03978e-40d5-43dd-bc93-6894a57f9324'],
  [['8e03978e-40d5-43dd-bc93-6894a57f9324'],    '8e03978e-40d5-43dd-bc93-6894a57f9324'],
  [[' "a b, c" '],                              'a b, c'],
  [[String.raw`"a\"\\b"`],                      String.raw`a"\b`],
  [['"k"'],                                     'k'],
  [['k'],                                       'k'],
  [[`"${'k'.repeat(keyLimits.length)}"`],       'k'.repeat(keyLimits.length)],
  [[`"${'k'.repeat(keyLimits.length + 1)}"`],   undefined],
  [['k'.repeat(100_000)],                       undefined],
  [[`"${'\\"'.repeat(keyLimits.length)}"`],     '"'.repeat(keyLimits.length)],
  [[],                                          undefined],
  [[''],                                        undefined],
  [['""'],                                      undefined],
  [['"k'],                                      undefined],
  [['k"'],                                      undefined],
  [[String.raw`"\k"`],                          undefined],
  [['"k";a=1'],                                 undefined],
  [['"k", "l"'],                                undefined],
  [['"k"', '"k"'],                              undefined],
  [['k l'],                                     undefined],
  [['k,l'],                                     undefined],
  [['"é"'],                                     undefined],
  [['"a\tb"'],                                  undefined],
]
for (const [lines, key] of keys) {
  void t.test(`the key of ${JSON.stringify(lines).slice(0, 60)}`, async (t) => {
    t.equal(readKey(lines), key)
  })
}

await t.test('requests with a key', async (t) => {
  const service = await start(t)
  const count = async (): Promise<number> => {
    const people = (await (await service.ask('/people?limit=100&after=100')).json()) as object[]
    return people.length
  }
  const post = (key: string, body: unknown, headers = {}) =>
    service.send('POST', '/person', body, { 'Idempotency-Key': key, ...headers })

  await t.test('the same request gets the same response', async (t) => {
    const [first, again] = [await post('"one"', { name: 'A' }), await post('"one"', { name: 'A' })]
    t.strictSame([first.status, again.status], [201, 201])
    for (const name of ['content-type', 'etag', 'location', 'cache-control', 'vary']) {
      t.ok(first.headers.get(name), name)
      t.equal(again.headers.get(name), first.headers.get(name), name)
    }
    t.equal(first.headers.get('idempotency-replayed'), null)
    t.equal(again.headers.get('idempotency-replayed'), 'true')
    t.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
    t.not(again.headers.get('ratelimit'), first.headers.get('ratelimit'), 'it is counted')
    t.equal(await again.text(), await first.text())
    t.equal(await count(), 1)
    const word = await post('one', { name: 'A' })
    t.equal(word.headers.get('idempotency-replayed'), 'true', 'a word is the same key as a string')
  })

  // oxfmt-ignore
  const others: readonly [what: string, method: string, path: string, body: unknown, headers: object][] = [
    ['another body',      'POST',  '/person',    { name: 'B' }, {}],
    ['another target',    'POST',  '/message',   { to: '1', text: 'A' }, {}],
    ['another method',    'PUT',   '/person/1',  { name: 'A' }, {}],
    ['another condition', 'PATCH', '/person/1',  { name: 'A' }, { 'If-Match': '"1"' }],
    ['GraphQL',           'POST',  '/graphql',   { query: 'mutation { renamePerson(id: 1, name: "A") { id } }' }, {}],
  ]
  for (const [what, method, path, body, headers] of others) {
    await t.test(`the key of one request with ${what} is 422`, async (t) => {
      const options = { 'Idempotency-Key': '"one"', ...headers }
      const response = await service.send(method, path, body, options)
      t.equal(response.status, 422)
      t.match(await response.text(), '"code":"IDEMPOTENCY_KEY_REUSED"')
    })
  }

  // oxfmt-ignore
  const invalid: readonly [title: string, path: string, body: unknown][] = [
    ['a route', '/person',  { name: 'B' }],
    ['GraphQL', '/graphql', { query: 'mutation { createPerson(input: { name: "B" }) { id } }' }],
  ]
  for (const [title, path, body] of invalid) {
    await t.test(`a malformed key is 400: ${title}`, async (t) => {
      const before = await count()
      for (const key of ['"', 'a,b', `"${'k'.repeat(300)}"`]) {
        const response = await service.send('POST', path, body, { 'Idempotency-Key': key })
        t.equal(response.status, 400)
        t.match(await response.text(), '"code":"IDEMPOTENCY_KEY_INVALID"')
      }
      t.equal(await count(), before)
    })
  }

  await t.test('two lines of the field are 400', async (t) => {
    const status = await sendRaw(service, ['Idempotency-Key', '"a', 'Idempotency-Key', 'b"'])
    t.equal(status, 400)
  })

  await t.test('a mutation of GraphQL is done once, as a whole', async (t) => {
    const query =
      'mutation { a: createPerson(input: { name: "G" }) { id } b: sendMessage(to: 1, text: "x") { id } c: updatePerson(id: 1, ifVersion: 99, input: {}) { id } }'
    const ask = () => service.send('POST', '/graphql', { query }, { 'Idempotency-Key': 'g' })
    const before = await count()
    const [first, again] = [await ask(), await ask()]
    const body = (await first.json()) as { errors: object[] }
    t.match(body, {
      data: { a: {}, b: {}, c: null },
      errors: [{ extensions: { code: 'CONFLICT' } }],
    })
    t.equal(again.status, first.status)
    t.strictSame(await again.json(), body)
    t.equal(await count(), before + 1)
  })

  await t.test('failures are kept, too', async (t) => {
    const ask = () => service.send('DELETE', '/person/4711', undefined, { 'Idempotency-Key': 'd' })
    t.equal((await ask()).status, 404)
    t.equal((await ask()).headers.get('idempotency-replayed'), 'true')
    const invalidPerson = () => post('age', { name: 'A', age: 200 })
    t.equal((await invalidPerson()).status, 422)
    t.equal((await invalidPerson()).headers.get('idempotency-replayed'), 'true')
  })

  await t.test('a key covers the condition and the override', async (t) => {
    const ask = async (headers: { readonly [name: string]: string }) => {
      const all = { 'Idempotency-Key': 'c', 'X-HTTP-Method-Override': 'PATCH', ...headers }
      return (await service.send('POST', '/person/9', { name: 'C' }, all)).status
    }
    t.equal(await ask({ 'If-Match': '"1"' }), 200)
    t.equal(await ask({ 'If-Match': '"1"' }), 200)
    t.equal(await ask({ 'If-Match': '"2"' }), 422)
    t.equal(await ask({ 'If-Match': '"1"', 'X-HTTP-Method-Override': 'PUT' }), 422)
  })

  await t.test('what is refused before it runs does not use up its key', async (t) => {
    t.equal((await post('early', { name: 5 })).status, 422)
    t.equal((await post('early', { name: 'E' }, { 'X-API-Key': 'gw_unknown' })).status, 401)
    const response = await post('early', { name: 'E' })
    t.equal(response.status, 201)
    t.equal(response.headers.get('idempotency-replayed'), null)
  })

  await t.test('a key is that of its sender', async (t) => {
    const { query, headers } = {
      query: '{ person(id: 1) { id } }',
      headers: { 'Idempotency-Key': '"' },
    }
    t.equal(
      (await service.send('POST', '/graphql', { query }, headers)).status,
      200,
      'a query has none',
    )
    const anonymous = await post('one', { name: 'A' }, { 'X-API-Key': '' })
    t.equal(anonymous.status, 401)
  })

  await t.test('a response that is too long undoes the writes', async (t) => {
    const address = 'address { street city country }'
    const three = `friends(limit: 6) { friends(limit: 6) { friends(limit: 6) { name email age ${address} } } }`
    const query = `mutation { a: createPerson(input: { name: "L" }) { id } b: renamePerson(id: 1, name: "L") { x: ${three} y: ${three} z: ${three} } }`
    const before = await count()
    const ask = () => service.send('POST', '/graphql', { query }, { 'Idempotency-Key': 'long' })
    for (const response of [await ask(), await ask()]) {
      t.equal(response.status, 422)
      t.match(await response.text(), '"code":"IDEMPOTENCY_RESPONSE_TOO_LARGE"')
    }
    t.equal(await count(), before)
    t.equal((await post('long', { name: 'short' })).status, 201, 'and leave the key free')
  })

  const hasParts = versionInfo.major >= 17
  await t.test('a response in parts undoes the writes', { skip: !hasParts }, async (t) => {
    const query = 'mutation { a: createPerson(input: { name: "P" }) { id ... @defer { name } } }'
    const before = await count()
    const headers = { 'Idempotency-Key': 'parts', Accept: 'multipart/mixed' }
    const response = await service.send('POST', '/graphql', { query }, headers)
    t.match(await response.text(), '"code":"IDEMPOTENCY_RESPONSE_TOO_LARGE"')
    t.equal(await count(), before)
  })

  await t.test('the log and the metrics count them', async (t) => {
    const figures = await (await service.ask('/metrics')).text()
    for (const outcome of ['done', 'kept', 'other', 'undone']) {
      t.match(figures, new RegExp(`people_idempotency_keys_total\\{outcome="${outcome}"\\} \\d`))
    }
    t.match(service.said.err, '"idempotency":"kept"')
    t.notMatch(service.said.err, /"one"|keys?_?value/)
  })
})

await t.test('the stored responses of each principal are limited', async (t) => {
  const env = { IDEMPOTENCY_KEYS: '1', RATE_LIMIT: 'off' }
  const service = await start(t, [], { env })
  const write = (key: string) =>
    service.send('POST', '/person', { name: key }, { 'Idempotency-Key': key })
  t.equal((await write('one')).status, 201)
  const refused = await write('two')
  t.equal(refused.status, 429)
  const { code, detail } = (await refused.json()) as { code: string; detail: string }
  t.equal(code, 'IDEMPOTENCY_KEYS_EXHAUSTED')
  t.match(detail, /^Nothing was written: .* write without a key\.$/)
  const retryAfter = Number(refused.headers.get('retry-after'))
  t.ok(retryAfter > 86_000 && retryAfter <= 86_400, `${retryAfter}`)
  t.equal((await write('one')).headers.get('idempotency-replayed'), 'true')
  t.equal((await service.send('POST', '/person', { name: 'without' })).status, 201)
  const people = (await (await service.ask('/people?limit=100&after=100')).json()) as {
    name: string
  }[]
  t.strictSame(
    people.map(({ name }) => name),
    ['one', 'without'],
  )
  t.match(
    await (await service.ask('/metrics')).text(),
    'people_idempotency_keys_total{outcome="full"} 1',
  )
})

/** The status of a POST with these lines. */
function sendRaw({ origin, demoKey }: Started, lines: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port, host } = new URL(origin)
    const body = '{"name":"A"}'
    const headers = [
      'Host',
      host,
      'Content-Type',
      'application/json',
      'X-API-Key',
      demoKey,
      'Content-Length',
      String(body.length),
      ...lines,
    ]
    send({ hostname, port, method: 'POST', path: '/person', headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end(body)
  })
}
