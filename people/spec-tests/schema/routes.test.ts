import type { Test } from 'tap'
import { onEachStore, type OpenStore } from './on-each-store.js'
import { serveRoutes, type Send } from './serve-routes.js'
import { serveSchema, writer, type Json } from './serve-schema.js'

const home = { street: '1 Square', city: 'London', country: 'UK' }
const ada = { name: 'Ada', age: 36, email: 'ada@example.org', address: home }
const nothing = { age: null, email: null, address: null }

async function withAda(t: Test, open: OpenStore): Promise<{ send: Send; id: string }> {
  const { store } = await open(t)
  const { id } = await store.people.create(ada)
  return { send: await serveRoutes(t, store), id }
}

/** The target of the `Link` to the next page. */
function next(headers: Headers): string | undefined {
  return /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
}

onEachStore('GET /people', (t, open) => {
  t.test('answers ids and names, and links to what follows', async (t) => {
    const { store } = await open(t, { seeded: true })
    const send = await serveRoutes(t, store)
    const cases: readonly [
      target: string,
      first: number,
      count: number,
      link: string | undefined,
    ][] = [
      ['/people', 1, 10, '/people?after=10'],
      ['/people?limit=1', 1, 1, '/people?limit=1&after=1'],
      ['/people?limit=100', 1, 100, undefined],
      ['/people?limit=99', 1, 99, '/people?limit=99&after=99'],
      ['/people?limit=50&after=50', 51, 50, undefined],
      ['/people?after=50&limit=49', 51, 49, '/people?limit=49&after=99'],
      ['/people?limit=10&after=90', 91, 10, undefined],
      ['/people?after=89', 90, 10, '/people?after=99'],
      ['/people?limit=10&after=95', 96, 5, undefined],
      ['/people?after=100', 101, 0, undefined],
    ]
    for (const [target, first, count, link] of cases) {
      const { status, headers, body } = await send(`GET ${target as '/'}`)
      t.equal(status, 200, target)
      t.equal(next(headers), link, target)
      t.equal(headers.has('link'), link !== undefined, target)
      t.strictSame(
        body.map((person: Json) => person.id),
        Array.from({ length: count }, (_, at) => String(first + at)),
        target,
      )
      for (const person of body) t.strictSame(Object.keys(person), ['id', 'name'], target)
      t.equal(next((await send(`HEAD ${target as '/'}`)).headers), link, `HEAD ${target}`)
    }
  })

  for (const limit of [1, 7, 10, 50, 100]) {
    t.test(`leads by its links through all persons, ${limit} at a time`, async (t) => {
      const { store } = await open(t, { seeded: true })
      const send = await serveRoutes(t, store)
      const ids: string[] = []
      let pages = 0
      let target: string | undefined = `/people?limit=${limit}`
      for (; target !== undefined && pages <= 100; pages++) {
        const { headers, body } = await send(`GET ${target as '/'}`)
        ids.push(...body.map((person: Json) => person.id))
        target = next(headers)
      }
      t.equal(pages, Math.ceil(100 / limit))
      t.equal(new Set(ids).size, 100)
    })
  }

  t.test('refuses parameters that fail their checks', async (t) => {
    const { store } = await open(t, { seeded: true })
    const send = await serveRoutes(t, store)
    for (const [query, parameter] of [
      ['limit=0', 'limit'],
      ['limit=-1', 'limit'],
      ['limit=101', 'limit'],
      ['limit=abc', 'limit'],
      ['limit=1.5', 'limit'],
      ['limit=1000000000', 'limit'],
      ['after=999', 'after'],
      ['after=%00', 'after'],
    ] as const) {
      const { status, body } = await send(`GET /people?${query}`)
      t.equal(status, 422, query)
      t.equal(body.code, 'BAD_USER_INPUT', query)
      t.equal(body.errors[0].parameter, parameter, query)
    }
  })
})

onEachStore('/person', (t, open) => {
  t.test('GET answers the person, with an ETag of its version', async (t) => {
    const { send, id } = await withAda(t, open)
    const { status, headers, body } = await send(`GET /person/${id}`)
    t.equal(status, 200)
    t.strictSame(body, { id, ...ada })
    t.equal(headers.get('etag'), '"1"')
    const again = await send(`GET /person/${id}`, undefined, { 'If-None-Match': '"1"' })
    t.strictSame([again.status, again.body], [304, undefined])
    const head = await send(`HEAD /person/${id}`)
    t.strictSame([head.status, head.headers.get('etag'), head.body], [200, '"1"', undefined])
  })

  t.test('POST without an id creates', async (t) => {
    const { send, id } = await withAda(t, open)
    const { status, headers, body } = await send('POST /person', { name: 'Eve', age: 1 })
    t.equal(status, 201)
    t.not(body.id, id)
    t.strictSame(body, { id: body.id, name: 'Eve', ...nothing, age: 1 })
    t.equal(headers.get('location'), `/person/${body.id}`)
    t.equal(headers.get('etag'), '"1"')
    t.strictSame((await send(`GET /person/${body.id}`)).body, body)
  })

  t.test('POST with an id merges', async (t) => {
    const { send, id } = await withAda(t, open)
    const patch = { id, age: null, address: { city: 'Bath' } }
    const { status, headers, body } = await send('POST /person', patch)
    t.equal(status, 200)
    t.strictSame(body, { id, ...ada, age: null, address: { ...home, city: 'Bath' } })
    t.equal(headers.get('etag'), '"2"')
    t.notOk(headers.has('location'))
  })

  for (const [line, method] of [
    ['PUT /person/ID', 'PUT'],
    ['PUT /person', 'PUT'],
  ] as const) {
    t.test(`${line} replaces`, async (t) => {
      const { send, id } = await withAda(t, open)
      const target = line.replace('ID', id).slice(method.length + 1) as '/'
      const { status, headers, body } = await send(`PUT ${target}`, {
        ...(target === ('/person' as string) && { id }),
        name: 'Eve',
        address: { city: 'Bath' },
      })
      t.equal(status, 200)
      t.equal(headers.get('etag'), '"2"')
      const address = { street: null, city: 'Bath', country: null }
      t.strictSame(body, { id, name: 'Eve', ...nothing, address })
      t.strictSame((await send(`GET /person/${id}`)).body, body)
    })
  }

  t.test('PATCH merges, as either media type', async (t) => {
    for (const type of ['application/merge-patch+json', 'application/json']) {
      const { send, id } = await withAda(t, open)
      const patch = { email: null, address: { street: null } }
      const answer = await send(`PATCH /person/${id}`, patch, { 'Content-Type': type })
      t.equal(answer.status, 200, type)
      t.strictSame(answer.body, { id, ...ada, email: null, address: { ...home, street: null } })
      t.equal(answer.headers.get('etag'), '"2"')
    }
  })

  t.test('DELETE answers the person that was deleted', async (t) => {
    const { send, id } = await withAda(t, open)
    const { status, body } = await send(`DELETE /person/${id}`)
    t.equal(status, 200)
    t.strictSame(body, { id, ...ada })
    t.equal((await send(`GET /person/${id}`)).status, 404)
    t.equal((await send(`DELETE /person/${id}`)).status, 404)
  })

  t.test('a POST may stand for PUT, PATCH and DELETE', async (t) => {
    const { send, id } = await withAda(t, open)
    const as = (method: string) => ({ 'X-HTTP-Method-Override': method })
    const patched = await send(`POST /person/${id}`, { age: 37 }, as('PATCH'))
    t.strictSame([patched.status, patched.body], [200, { id, ...ada, age: 37 }])
    const replaced = await send(`POST /person/${id}`, { name: 'Eve' }, as('PUT'))
    t.strictSame([replaced.status, replaced.body], [200, { id, name: 'Eve', ...nothing }])
    const deleted = await send(`POST /person/${id}`, undefined, as('DELETE'))
    t.strictSame([deleted.status, deleted.body], [200, { id, name: 'Eve', ...nothing }])
    t.equal((await send(`POST /person/${id}`, {})).status, 405)
  })

  t.test('an unknown person is 404', async (t) => {
    const { send } = await withAda(t, open)
    const whole = { name: 'Eve' }
    for (const id of ['999999', 'x', '01', '%00', '99999999999999999999']) {
      const of = decodeURIComponent(id)
      const answers = [
        await send(`GET /person/${id}`),
        await send('POST /person', { id: of, ...whole }),
        await send(`PUT /person/${id}`, whole),
        await send('PUT /person', { id: of, ...whole }),
        await send(`PATCH /person/${id}`, whole),
        await send(`DELETE /person/${id}`),
        await send(`PUT /person/${id}`, whole, { 'If-Match': '"1"' }),
      ]
      for (const { status, body } of answers) {
        t.strictSame(
          [status, body.code, body.detail],
          [404, 'NOT_FOUND', 'Nobody has this id.'],
          id,
        )
      }
    }
  })

  t.test('values that fail their checks are 422, each with a pointer', async (t) => {
    const { send, id } = await withAda(t, open)
    const bad = { name: '', age: 151, email: 'ada', address: { city: '' } }
    for (const [line, body] of [
      ['POST /person', bad],
      ['POST /person', { id, ...bad }],
      [`PUT /person/${id}`, bad],
      ['PUT /person', { id, ...bad }],
      [`PATCH /person/${id}`, bad],
    ] as const) {
      const answer = await send(line as 'PUT /', body)
      t.equal(answer.status, 422, line)
      t.equal(answer.body.code, 'BAD_USER_INPUT', line)
      const pointers = answer.body.errors.map((error: Json) => error.pointer)
      t.strictSame(pointers, ['#/name', '#/age', '#/email', '#/address/city'], line)
      t.equal(answer.body.errors[1].detail, 'age must be 0 to 150, not 151.')
    }
    const noName = await send(`PATCH /person/${id}`, { name: null })
    t.strictSame([noName.status, noName.body.errors[0].pointer], [422, '#/name'])
    t.strictSame((await send(`GET /person/${id}`)).body, { id, ...ada })
    t.equal((await send(`PUT /person/${id}`, { id: '999999', name: 'Eve' })).status, 409)
    t.equal((await send('PUT /person', { name: 'Eve' })).status, 422)
  })

  t.test('a write at another version is 412 and writes nothing', async (t) => {
    const { send, id } = await withAda(t, open)
    for (const [line, body] of [
      ['POST /person', { id, name: 'Eve' }],
      [`PUT /person/${id}`, { name: 'Eve' }],
      ['PUT /person', { id, name: 'Eve' }],
      [`PATCH /person/${id}`, { name: 'Eve' }],
      [`DELETE /person/${id}`, undefined],
    ] as const) {
      for (const tag of ['"2"', '"0"', 'W/"1"', '"x"']) {
        const answer = await send(line as 'PUT /', body, { 'If-Match': tag })
        t.strictSame([answer.status, answer.body.code], [412, 'CONFLICT'], `${line} ${tag}`)
      }
    }
    t.equal((await send(`GET /person/${id}`)).headers.get('etag'), '"1"')
    const good = await send(`PATCH /person/${id}`, { name: 'Eve' }, { 'If-Match': '"1"' })
    t.strictSame([good.status, good.headers.get('etag')], [200, '"2"'])
    t.equal((await send(`DELETE /person/${id}`, undefined, { 'If-Match': '"2"' })).status, 200)
  })

  t.test('of many concurrent writes at one version one is done', async (t) => {
    const { send, id } = await withAda(t, open)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        send(`PATCH /person/${id}`, { name: `Writer ${at}` }, { 'If-Match': '"1"' }),
      ),
    )
    const done = answers.filter(({ status }) => status === 200)
    t.equal(done.length, 1)
    t.equal(answers.filter(({ status }) => status === 412).length, 19)
    t.strictSame((await send(`GET /person/${id}`)).body, done[0]?.body)
  })

  t.test('writes need the scope', async (t) => {
    const { store } = await open(t, { seeded: true })
    const reader = await serveRoutes(t, store, { ...writer, scopes: new Set(['read']) })
    const anonymous = { ...writer, scopes: new Set<never>(), key: undefined, isKnown: false }
    const stranger = await serveRoutes(t, store, anonymous)
    t.equal((await reader('DELETE /person/1')).status, 403)
    const denied = await stranger('DELETE /person/1')
    t.equal(denied.status, 401)
    t.ok(denied.headers.has('www-authenticate'))
    t.equal((await reader('GET /person/1')).status, 200)
  })
})

onEachStore('/message', (t, open) => {
  t.test('POST sends, and GET answers the same', async (t) => {
    const { send, id } = await withAda(t, open)
    const { status, headers, body } = await send('POST /message', { to: id, text: 'Hello' })
    t.equal(status, 201)
    t.equal(headers.get('location'), `/message/${body.id}`)
    t.match(body.sentAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    t.strictSame(body, { id: body.id, to: { id, name: 'Ada' }, text: 'Hello', sentAt: body.sentAt })
    const read = await send(`GET /message/${body.id}`)
    t.strictSame([read.status, read.body], [200, body])
    const tag = read.headers.get('etag') ?? ''
    t.match(tag, /^"[^"]+"$/)
    const again = await send(`GET /message/${body.id}`, undefined, { 'If-None-Match': tag })
    t.equal(again.status, 304)
  })

  t.test('POST to nobody is 404, and a text that fails its checks is 422', async (t) => {
    const { send, id } = await withAda(t, open)
    const nobody = await send('POST /message', { to: '999999', text: 'Hello' })
    t.strictSame([nobody.status, nobody.body.code], [404, 'NOT_FOUND'])
    t.equal(nobody.body.errors[0].pointer, '#/to')
    const empty = await send('POST /message', { to: id, text: '' })
    t.strictSame([empty.status, empty.body.errors[0].pointer], [422, '#/text'])
    for (const text of ['\\ud800', '\\u0000']) {
      const broken = await send('POST /message', `{"to":"${id}","text":"${text}"}`)
      t.strictSame([broken.status, broken.body.errors[0].pointer], [422, '#/text'])
    }
    t.equal((await send('POST /message', { to: id })).status, 422)
  })

  t.test('GET is 404 where there is none, or its receiver is gone', async (t) => {
    const { send, id } = await withAda(t, open)
    const none = await send('GET /message/999999')
    t.strictSame([none.status, none.body.detail], [404, 'No message has this id.'])
    const { body } = await send('POST /message', { to: id, text: 'Hello' })
    await send(`DELETE /person/${id}`)
    t.equal((await send(`GET /message/${body.id}`)).status, 404)
  })
})

onEachStore('GraphQL and the routes', (t, open) => {
  t.test('say the same about all 100 seeded persons', async (t) => {
    const { store } = await open(t, { seeded: true })
    const send = await serveRoutes(t, store)
    const ask = serveSchema(store)
    const fields = 'id name age email address { street city country }'
    const page = await ask(`{ people(limit: 100) { ${fields} version } }`)
    const people: readonly Json[] = page.data.people
    t.equal(people.length, 100)
    const listed = await send('GET /people?limit=100')
    t.strictSame(
      listed.body,
      people.map(({ id, name }) => ({ id, name })),
    )
    for (const { version, ...person } of people) {
      const { body, headers } = await send(`GET /person/${person.id}`)
      t.strictSame(body, person)
      t.strictSame(Object.keys(body), ['id', 'name', 'age', 'email', 'address'])
      t.equal(headers.get('etag'), `"${version}"`)
      const one = await ask(`query ($id: ID!) { person(id: $id) { ${fields} } }`, { id: person.id })
      t.strictSame(one.data.person, body)
    }
  })

  t.test('show what the other has written', async (t) => {
    const { store } = await open(t, { seeded: true })
    const send = await serveRoutes(t, store)
    const ask = serveSchema(store)
    await ask('mutation { renamePerson(id: 7, name: "Eve") { id } }')
    const { body, headers } = await send('GET /person/7')
    t.strictSame([body.name, headers.get('etag')], ['Eve', '"2"'])
    await send('PUT /person/7', { name: 'Rob', age: 7 })
    const { data } = await ask('{ person(id: 7) { name age email version } }')
    t.strictSame(data.person, { name: 'Rob', age: 7, email: null, version: 3 })
  })
})
