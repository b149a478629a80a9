import { onEachStore } from './on-each-store.js'
import { serveRoutes, type Send } from './serve-routes.js'
import type { Json } from './serve-schema.js'
import { ada, withAda } from './with-ada.js'

type Line = Parameters<Send>[0]

const nothing = { age: null, email: null, address: null }
const bath = { street: null, city: 'Bath', country: null }
const eve = { name: 'Eve', address: { city: 'Bath' } }
const replaced = { name: 'Eve', ...nothing, address: bath }
const patch = { email: null, address: { street: null } }
const patched = { ...ada, email: null, address: { ...ada.address, street: null } }
const asPatch = { 'Content-Type': 'application/merge-patch+json' }
const override = { 'X-HTTP-Method-Override': 'PATCH' }

/** ID stands for that of Ada. */
// oxfmt-ignore
const writes: readonly [line: Line, body: object | undefined, after: object, headers?: { [name: string]: string }][] = [
  ['POST /person',      { id: 'ID', ...patch }, patched],
  ['PUT /person/ID',    eve,                    replaced],
  ['PUT /person',       { id: 'ID', ...eve },   replaced],
  ['PATCH /person/ID',  patch,                  patched],
  ['PATCH /person/ID',  patch,                  patched, asPatch],
  ['POST /person/ID',   patch,                  patched, override],
]

/** Puts an id into a line and the body of a request. */
function withId(id: string, line: Line, body: object | undefined): [line: Line, body: unknown] {
  const text = body && JSON.stringify(body).replace('"ID"', JSON.stringify(id))
  return [line.replace('ID', encodeURIComponent(id)) as Line, text]
}

onEachStore('GET answers the person, with an ETag of its version', async (t, open) => {
  const { send, id } = await withAda(open)
  const { status, headers, body } = await send(`GET /person/${id}`)
  t.strictSame([status, headers.get('etag'), body], [200, '"1"', { id, ...ada }])
  t.strictSame(Object.keys(body), ['id', 'name', 'age', 'email', 'address'])
  const again = await send(`GET /person/${id}`, undefined, { 'If-None-Match': '"1"' })
  t.strictSame([again.status, again.body], [304, undefined])
})

onEachStore('POST without an id creates', async (t, open) => {
  const { send, id } = await withAda(open)
  const { status, headers, body } = await send('POST /person', { name: 'Eve', age: 1 })
  t.equal(status, 201)
  t.not(body.id, id)
  t.strictSame(body, { id: body.id, name: 'Eve', ...nothing, age: 1 })
  t.equal(headers.get('location'), `/person/${body.id}`)
  t.equal(headers.get('etag'), '"1"')
  t.strictSame((await send(`GET /person/${body.id}`)).body, body)
})

onEachStore('writes answer what can be read later, and need the version', async (t, open) => {
  const { store, send } = await withAda(open)
  for (const [line, body, after, headers] of writes) {
    const { id } = await store.people.create(ada)
    const ask = (tag: string) => send(...withId(id, line, body), { ...headers, 'If-Match': tag })
    for (const tag of ['"2"', '"0"', 'W/"1"', '"x"']) {
      const refused = await ask(tag)
      t.strictSame([refused.status, refused.body.code], [412, 'CONFLICT'], `${line} ${tag}`)
    }
    const written = await ask('"1"')
    t.strictSame([written.status, written.headers.get('etag')], [200, '"2"'], line)
    t.notOk(written.headers.has('location'))
    t.strictSame(written.body, { id, ...after })
    t.strictSame((await send(`GET /person/${id}`)).body, written.body)
  }
})

onEachStore('DELETE answers the person that was deleted', async (t, open) => {
  const { send, id } = await withAda(open)
  const remove = (tag: string) => send(`DELETE /person/${id}`, undefined, { 'If-Match': tag })
  t.equal((await remove('"2"')).status, 412)
  const { status, body } = await remove('"1"')
  t.strictSame([status, body], [200, { id, ...ada }])
  t.equal((await send(`GET /person/${id}`)).status, 404)
})

onEachStore('an unknown person is 404', async (t, open) => {
  const { send } = await withAda(open)
  const reads: typeof writes = [
    ['GET /person/ID', undefined, {}],
    ['DELETE /person/ID', undefined, {}],
    ['PUT /person/ID', eve, {}, { 'If-Match': '"1"' }],
  ]
  for (const id of ['999999', 'x', '01', '\0', '99999999999999999999']) {
    for (const [line, body, , headers] of [...reads, ...writes]) {
      const { status, body: problem } = await send(...withId(id, line, body), headers)
      const { code, detail } = problem
      const expected = [404, 'NOT_FOUND', 'No person has this id.']
      t.strictSame([status, code, detail], expected, `${line} ${id}`)
    }
  }
})

onEachStore('invalid values are 422, each with a pointer', async (t, open) => {
  const { send, id } = await withAda(open)
  const bad = { name: '', age: 151, email: 'ada', address: { city: '' } }
  for (const [line, body] of [['POST /person', {}] as const, ...writes]) {
    const [target, sent] = withId(id, line, { ...('id' in body! && { id: 'ID' }), ...bad })
    const answer = await send(target, sent, line === 'POST /person/ID' ? override : {})
    t.strictSame([answer.status, answer.body.code], [422, 'BAD_USER_INPUT'], line)
    const pointers = answer.body.errors.map((error: Json) => error.pointer)
    t.strictSame(pointers, ['#/name', '#/age', '#/email', '#/address/city'], line)
    t.equal(answer.body.errors[1].detail, 'age must be from 0 to 150, not 151.')
  }
  t.strictSame((await send(`GET /person/${id}`)).body, { id, ...ada })
})

onEachStore('a response and its ETag have one version, even during writes', async (t, open) => {
  const { store } = await open({ seeded: true })
  const people: Json = { ...store.people }
  for (const name of ['byIds', 'update', 'replace'] as const) {
    const method: Json = store.people[name]
    people[name] = async (...args: readonly Json[]) => {
      const value = await method(...args)
      // Right after it, another client writes.
      await store.people.update('1', { address: { city: 'Elsewhere' } })
      return value
    }
  }
  const send = serveRoutes({ ...store, people })
  const address = { street: null, city: 'Here', country: null }
  for (const [line, body, version, city] of /* oxfmt-ignore */ [
    ['GET /person/1',   undefined,                1, 'Milan'],
    ['PUT /person/1',   { name: 'Ada', address }, 3, 'Here'],
    ['PATCH /person/1', { name: 'Eve' },          5, 'Elsewhere'],
    ['PATCH /person/1', { address },              7, 'Here'],
    ['PUT /person/1',   { name: 'Ada' },          9, undefined],
  ] as const) {
    const { headers, body: person } = await send(line, body)
    t.strictSame([headers.get('etag'), person.address?.city], [`"${version}"`, city], line)
  }
})

// oxfmt-ignore
const pages: readonly [query: string, first: number, count: number, link: string | undefined][] = [
  ['',                   1,   10,  '/people?after=10'],
  ['?limit=1',           1,   1,   '/people?limit=1&after=1'],
  ['?limit=100',         1,   100, undefined],
  ['?limit=99',          1,   99,  '/people?limit=99&after=99'],
  ['?limit=50&after=50', 51,  50,  undefined],
  ['?after=50&limit=49', 51,  49,  '/people?limit=49&after=99'],
  ['?after=89',          90,  10,  '/people?after=99'],
  ['?limit=10&after=95', 96,  5,   undefined],
  ['?after=100',         101, 0,   undefined],
]

onEachStore('GET /people answers ids and names, and links to what follows', async (t, open) => {
  const { store } = await open({ seeded: true })
  const send = serveRoutes(store)
  for (const [query, first, count, link] of pages) {
    const { status, headers, body } = await send(`GET /people${query}`)
    t.equal(status, 200, query)
    t.equal(headers.get('link') ?? undefined, link && `<${link}>; rel="next"`, query)
    const ids = body.map((person: Json) => person.id)
    const expected = Array.from({ length: count }, (_, at) => String(first + at))
    t.strictSame(ids, expected, query)
    for (const person of body) t.strictSame(Object.keys(person), ['id', 'name'], query)
  }
})
