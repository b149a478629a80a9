import { onEachStore } from './on-each-store.js'
import { serveRoutes } from './serve-routes.js'
import { writer, type Json } from './serve-schema.js'
import { ada, withAda } from './with-ada.js'

const home = ada.address
const nothing = { age: null, email: null, address: null }

onEachStore('/person', (test) => {
  test('GET answers the person, with an ETag of its version', async (t, open) => {
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

  test('POST without an id creates', async (t, open) => {
    const { send, id } = await withAda(t, open)
    const { status, headers, body } = await send('POST /person', { name: 'Eve', age: 1 })
    t.equal(status, 201)
    t.not(body.id, id)
    t.strictSame(body, { id: body.id, name: 'Eve', ...nothing, age: 1 })
    t.equal(headers.get('location'), `/person/${body.id}`)
    t.equal(headers.get('etag'), '"1"')
    t.strictSame((await send(`GET /person/${body.id}`)).body, body)
  })

  test('POST with an id merges', async (t, open) => {
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
    test(`${line} replaces`, async (t, open) => {
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

  test('PATCH merges, as either media type', async (t, open) => {
    for (const type of ['application/merge-patch+json', 'application/json']) {
      const { send, id } = await withAda(t, open)
      const patch = { email: null, address: { street: null } }
      const answer = await send(`PATCH /person/${id}`, patch, { 'Content-Type': type })
      t.equal(answer.status, 200, type)
      t.strictSame(answer.body, { id, ...ada, email: null, address: { ...home, street: null } })
      t.equal(answer.headers.get('etag'), '"2"')
    }
  })

  test('DELETE answers the person that was deleted', async (t, open) => {
    const { send, id } = await withAda(t, open)
    const { status, body } = await send(`DELETE /person/${id}`)
    t.equal(status, 200)
    t.strictSame(body, { id, ...ada })
    t.equal((await send(`GET /person/${id}`)).status, 404)
    t.equal((await send(`DELETE /person/${id}`)).status, 404)
  })

  test('a POST can override its method with PUT, PATCH and DELETE', async (t, open) => {
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

  test('an unknown person is 404', async (t, open) => {
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
          [404, 'NOT_FOUND', 'No person has this id.'],
          id,
        )
      }
    }
  })

  test('values that fail their checks are 422, each with a pointer', async (t, open) => {
    const { send, id } = await withAda(t, open)
    const bad = { name: '', age: 151, email: 'ada', address: { city: '' } }
    for (const [line, body] of /* oxfmt-ignore */ [
      ['POST /person',        bad],
      ['POST /person',        { id, ...bad }],
      [`PUT /person/${id}`,   bad],
      ['PUT /person',         { id, ...bad }],
      [`PATCH /person/${id}`, bad],
    ] as const) {
      const answer = await send(line, body)
      t.equal(answer.status, 422, line)
      t.equal(answer.body.code, 'BAD_USER_INPUT', line)
      const pointers = answer.body.errors.map((error: Json) => error.pointer)
      t.strictSame(pointers, ['#/name', '#/age', '#/email', '#/address/city'], line)
      t.equal(answer.body.errors[1].detail, 'age must be from 0 to 150, not 151.')
    }
    const noName = await send(`PATCH /person/${id}`, { name: null })
    t.strictSame([noName.status, noName.body.errors[0].pointer], [422, '#/name'])
    t.strictSame((await send(`GET /person/${id}`)).body, { id, ...ada })
    t.equal((await send(`PUT /person/${id}`, { id: '999999', name: 'Eve' })).status, 409)
    t.equal((await send('PUT /person', { name: 'Eve' })).status, 422)
  })

  test('a write at another version is 412 and writes nothing', async (t, open) => {
    const { send, id } = await withAda(t, open)
    for (const [line, body] of /* oxfmt-ignore */ [
      ['POST /person',         { id, name: 'Eve' }],
      [`PUT /person/${id}`,    { name: 'Eve' }],
      ['PUT /person',          { id, name: 'Eve' }],
      [`PATCH /person/${id}`,  { name: 'Eve' }],
      [`DELETE /person/${id}`, undefined],
    ] as const) {
      for (const tag of ['"2"', '"0"', 'W/"1"', '"x"']) {
        const answer = await send(line, body, { 'If-Match': tag })
        t.strictSame([answer.status, answer.body.code], [412, 'CONFLICT'], `${line} ${tag}`)
      }
    }
    t.equal((await send(`GET /person/${id}`)).headers.get('etag'), '"1"')
    const good = await send(`PATCH /person/${id}`, { name: 'Eve' }, { 'If-Match': '"1"' })
    t.strictSame([good.status, good.headers.get('etag')], [200, '"2"'])
    t.equal((await send(`DELETE /person/${id}`, undefined, { 'If-Match': '"2"' })).status, 200)
  })

  test('of many concurrent writes at one version one is done', async (t, open) => {
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

  test('a response and its ETag have one version, even during writes', async (t, open) => {
    const { store } = await open({ seeded: true })
    /** The method, and behind it at once the write of somebody else. */
    const overtaken =
      <Args extends readonly unknown[], Value>(method: (...args: Args) => Promise<Value>) =>
      async (...args: Args): Promise<Value> => {
        const value = await method(...args)
        await store.people.update('1', { address: { city: 'Elsewhere' } })
        return value
      }
    const { byIds, update, replace } = store.people
    const people = {
      ...store.people,
      byIds: overtaken(byIds),
      update: overtaken(update),
      replace: overtaken(replace),
    }
    const send = await serveRoutes(t, { ...store, people })
    const address = { street: null, city: 'Here', country: null }
    for (const [line, body, version, city] of /* oxfmt-ignore */ [
      ['GET /person/1',   undefined,                1, 'Milan'],
      ['PUT /person/1',   { name: 'Ada', address }, 3, 'Here'],
      ['PATCH /person/1', { name: 'Eve' },          5, 'Elsewhere'],
      ['PATCH /person/1', { address },              7, 'Here'],
      ['PUT /person/1',   { name: 'Ada' },          9, undefined],
    ] as const) {
      const answer = await send(line, body)
      t.strictSame(
        [answer.headers.get('etag'), answer.body.address?.city],
        [`"${version}"`, city],
        line,
      )
    }
  })

  test('writes need the scope', async (t, open) => {
    const { store } = await open({ seeded: true })
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

onEachStore('the methods of a path', (test) => {
  test('are listed by OPTIONS, and others are 405', async (t, open) => {
    const { store } = await open({ seeded: true })
    const send = await serveRoutes(t, store)
    for (const [path, allow] of /* oxfmt-ignore */ [
      ['/people',    'GET, HEAD, OPTIONS'],
      ['/person',    'POST, PUT, OPTIONS'],
      ['/person/1',  'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'],
      ['/message',   'POST, OPTIONS'],
      ['/message/1', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const { status, headers } = await send(`OPTIONS ${path}`)
      t.strictSame([status, headers.get('allow')], [204, allow], path)
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
        if (allow.includes(method)) continue
        const refused = await send(`${method} ${path}`, method === 'GET' ? undefined : {})
        t.strictSame([refused.status, refused.headers.get('allow')], [405, allow], path)
      }
    }
  })
})
