import { onEachStore } from './on-each-store.js'
import { serveRoutes } from './serve-routes.js'
import type { Json } from './serve-schema.js'

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
    t.strictSame(
      ids,
      Array.from({ length: count }, (_, at) => String(first + at)),
      query,
    )
    for (const person of body) t.strictSame(Object.keys(person), ['id', 'name'], query)
  }
})
