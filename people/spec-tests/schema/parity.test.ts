import { onEachStore } from './on-each-store.js'
import { serveRoutes } from './serve-routes.js'
import { serveSchema, type Json } from './serve-schema.js'

onEachStore('GraphQL and the routes', (test) => {
  test('say the same about all 100 seeded persons', async (t, open) => {
    const { store } = await open({ seeded: true })
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

  test('show what the other has written', async (t, open) => {
    const { store } = await open({ seeded: true })
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
