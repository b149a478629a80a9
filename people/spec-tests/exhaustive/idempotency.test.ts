import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { versionInfo } from 'graphql'
import t, { type Test } from 'tap'
import { keyLimits, readKey } from '../../idempotency.js'
import { start } from './service/started.js'
import { lockFile } from './service/with-keys.js'

// oxfmt-ignore
const keys: readonly [lines: readonly string[], key: string | undefined][] = [
  [['"8e03978e-40d5-43dd-bc93-6894a57f9324"'],  '8e03978e-40d5-43dd-bc93-6894a57f9324'],
  [['8e03978e-40d5-43dd-bc93-6894a57f9324'],    '8e03978e-40d5-43dd-bc93-6894a57f9324'],
  [[' "a b, c" '],                              'a b, c'],
  [[String.raw`"a\"\\b"`],                      String.raw`a"\b`],
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
void t.test('a key is one line, a string or a word', async (t) => {
  for (const [lines, key] of keys) t.equal(readKey(lines), key, String(lines).slice(0, 60))
})

await t.test('requests with a key', async (t) => {
  const database = join(t.testdir(), 'people.db')
  const service = await start(t, ['--db', database])
  const namesBehindSeed = async (): Promise<readonly string[]> => {
    const people = await (await service.ask('/people?limit=100&after=100')).json()
    return (people as { name: string }[]).map(({ name }) => name)
  }
  const post = (key: string, body: unknown, headers = {}) =>
    service.send('POST', '/person', body, { 'Idempotency-Key': key, ...headers })
  const mutate = (key: string, query: string, headers = {}) =>
    service.send('POST', '/graphql', { query }, { 'Idempotency-Key': key, ...headers })
  const isReplay = ({ headers }: Response) => headers.get('idempotency-replayed') === 'true'
  const expectRefusal = async (t: Test, response: Response, status: number, code: string) => {
    t.equal(response.status, status)
    t.match(await response.text(), `"code":"IDEMPOTENCY_${code}"`)
  }

  await t.test('the same request gets the same response', async (t) => {
    const [first, again] = [await post('"one"', { name: 'A' }), await post('one', { name: 'A' })]
    t.strictSame([first.status, again.status], [201, 201])
    for (const name of ['content-type', 'etag', 'location', 'cache-control', 'vary']) {
      t.ok(first.headers.get(name), name)
      t.equal(again.headers.get(name), first.headers.get(name), name)
    }
    t.strictSame([isReplay(first), isReplay(again)], [false, true])
    t.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'))
    t.not(again.headers.get('ratelimit'), first.headers.get('ratelimit'), 'it is counted')
    t.equal(await again.text(), await first.text())
    t.strictSame(await namesBehindSeed(), ['A'])
  })

  // oxfmt-ignore
  const others: readonly [what: string, method: string, path: string, body: unknown][] = [
    ['another body',      'POST',  '/person',   { name: 'B' }],
    ['another target',    'POST',  '/message',  { to: '1', text: 'A' }],
    ['another method',    'PUT',   '/person/1', { name: 'A' }],
    ['GraphQL',           'POST',  '/graphql',  { query: 'mutation { renamePerson(id: 1, name: "A") { id } }' }],
  ]
  for (const [what, ...other] of others) {
    await t.test(`the key of one request with ${what} is 422`, async (t) => {
      const response = await service.send(...other, { 'Idempotency-Key': '"one"' })
      await expectRefusal(t, response, 422, 'KEY_REUSED')
    })
  }

  await t.test('a key covers the condition and the override', async (t) => {
    for (const [method, tag, status] of /* oxfmt-ignore */ [
      ['PATCH', '"1"', 200],
      ['PATCH', '"1"', 200],
      ['PATCH', '"2"', 422],
      ['PUT',   '"1"', 422],
    ] as const) {
      const key = { 'Idempotency-Key': 'c', 'X-HTTP-Method-Override': method, 'If-Match': tag }
      const { status: seen } = await service.send('POST', '/person/9', { name: 'C' }, key)
      t.equal(seen, status, `${method} ${tag}`)
    }
  })

  await t.test('a key covers what the client accepts', async (t) => {
    const query = 'mutation { renamePerson(id: 9, name: "C") { id } }'
    for (const [accept, status] of /* oxfmt-ignore */ [
      ['application/json',                  200],
      ['application/json',                  200],
      ['application/graphql-response+json', 422],
      ['text/event-stream',                 422],
    ] as const) {
      const response = await mutate('accept', query, { Accept: accept })
      t.equal(response.status, status, accept)
    }
  })

  await t.test('a malformed key is 400, but for queries', async (t) => {
    for (const key of ['"', 'a,b', `"${'k'.repeat(300)}"`]) {
      await expectRefusal(t, await post(key, { name: 'B' }), 400, 'KEY_INVALID')
      const query = 'mutation { createPerson(input: { name: "B" }) { id } }'
      await expectRefusal(t, await mutate(key, query), 400, 'KEY_INVALID')
    }
    t.strictSame(await namesBehindSeed(), ['A'])
    t.equal((await mutate('"', '{ person(id: 1) { id } }')).status, 200)
    const two = { 'Idempotency-Key': ['"a', 'b"'], 'X-API-Key': service.demoKey }
    const headers = { 'Content-Type': 'application/json', ...two }
    const asked = request(`${service.origin}/person`, { method: 'POST', headers })
    const [answer] = (await once(asked.end('{"name":"B"}'), 'response')) as [IncomingMessage]
    t.equal(answer.resume().statusCode, 400, 'two lines')
  })

  await t.test('a mutation of GraphQL is done once, as a whole', async (t) => {
    const query =
      'mutation { a: createPerson(input: { name: "G" }) { id } b: sendMessage(to: 1, text: "x") { id } c: updatePerson(id: 1, ifVersion: 99, input: {}) { id } }'
    const [first, again] = [await mutate('g', query), await mutate('g', query)]
    const body = await first.json()
    const errors = [{ extensions: { code: 'CONFLICT' } }]
    t.match(body, { data: { a: {}, b: {}, c: null }, errors })
    t.equal(again.status, first.status)
    t.strictSame(await again.json(), body)
    t.strictSame(await namesBehindSeed(), ['A', 'G'])
  })

  await t.test('a key that is in use is 409', async (t) => {
    const unlock = lockFile(t, database)
    const both = ['first', 'second'].map(() => post('used', { name: 'U' }))
    const early = await Promise.race(both)
    t.equal(early.headers.get('retry-after'), '1')
    await expectRefusal(t, early, 409, 'KEY_IN_USE')
    unlock()
    const statuses = new Set((await Promise.all(both)).map(({ status }) => status))
    t.strictSame(statuses, new Set([201, 409]))
  })

  await t.test('failures are kept, too', async (t) => {
    for (const [body, status] of /* oxfmt-ignore */ [
      [{ id: '4711', age: 1 },    404],
      [{ name: 'A', age: 200 },   422],
    ] as const) {
      t.equal((await post(`f${status}`, body)).status, status)
      t.ok(isReplay(await post(`f${status}`, body)))
    }
  })

  await t.test('what is refused before it runs does not use up its key', async (t) => {
    t.equal((await post('early', { name: 5 })).status, 422)
    t.equal((await post('early', { name: 'E' }, { 'X-API-Key': 'gw_unknown' })).status, 401)
    const response = await post('early', { name: 'E' })
    t.strictSame([response.status, isReplay(response)], [201, false])
    t.equal((await post('early', { name: 'E' }, { 'X-API-Key': '' })).status, 401, 'nor gives it')
  })

  const address = 'address { street city country }'
  const three = `friends(limit: 6) { friends(limit: 6) { friends(limit: 6) { name email age ${address} } } }`
  // oxfmt-ignore
  const tooLarge: readonly [what: string, query: string, headers: object, skip: boolean][] = [
    ['that is too long', `mutation { a: createPerson(input: { name: "L" }) { id } b: renamePerson(id: 1, name: "L") { x: ${three} y: ${three} z: ${three} } }`, {}, false],
    ['in parts', 'mutation { a: createPerson(input: { name: "L" }) { id ... @defer { name } } }', { Accept: 'multipart/mixed' }, versionInfo.major < 17],
  ]
  for (const [what, query, headers, skip] of tooLarge) {
    await t.test(`a response ${what} undoes the writes`, { skip }, async (t) => {
      for (const _ of ['once', 'twice']) {
        const text = await (await mutate('long', query, headers)).text()
        t.match(text, '"code":"IDEMPOTENCY_RESPONSE_TOO_LARGE"')
      }
      t.notOk((await namesBehindSeed()).includes('L'))
    })
  }

  await t.test('the log and the metrics count them', async (t) => {
    const figures = await (await service.ask('/metrics')).text()
    for (const outcome of ['done', 'kept', 'other', 'undone', 'running']) {
      t.match(figures, new RegExp(`people_idempotency_keys_total\\{outcome="${outcome}"\\} \\d`))
    }
    t.match(service.said.err, '"idempotency":"kept"')
    t.notMatch(service.said.err, /"one"|keys?_?value/)
  })
})

await t.test('the stored responses of each principal are limited', async (t) => {
  const service = await start(t, [], { env: { IDEMPOTENCY_KEYS: '1' } })
  const write = (key: string) =>
    service.send('POST', '/person', { name: key }, { 'Idempotency-Key': key })
  t.equal((await write('one')).status, 201)
  const refused = await write('two')
  t.equal(refused.status, 429)
  const detail = /^Nothing was written: .* write without a key\.$/
  t.match(await refused.json(), { code: 'IDEMPOTENCY_KEYS_EXHAUSTED', detail })
  const retryAfter = Number(refused.headers.get('retry-after'))
  t.ok(retryAfter > 86_000 && retryAfter <= 86_400, `${retryAfter}`)
  const figures = await (await service.ask('/metrics')).text()
  t.match(figures, 'people_idempotency_keys_total{outcome="full"} 1')
})
