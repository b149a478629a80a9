import { onEachStore } from './on-each-store.js'
import { serveRoutes } from './serve-routes.js'
import type { Json } from './serve-schema.js'

/** The target of the `Link` to the next page. */
function next(headers: Headers): string | undefined {
  return /^<(.*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
}

onEachStore('GET /people', (test) => {
  test('answers ids and names, and links to what follows', async (t, open) => {
    const { store } = await open({ seeded: true })
    const send = await serveRoutes(t, store)
    // oxfmt-ignore
    const cases: readonly [
      target: string,
      first: number,
      count: number,
      link: string | undefined,
    ][] = [
      ['/people',                   1,   10,  '/people?after=10'],
      ['/people?limit=1',           1,   1,   '/people?limit=1&after=1'],
      ['/people?limit=100',         1,   100, undefined],
      ['/people?limit=99',          1,   99,  '/people?limit=99&after=99'],
      ['/people?limit=50&after=50', 51,  50,  undefined],
      ['/people?after=50&limit=49', 51,  49,  '/people?limit=49&after=99'],
      ['/people?limit=10&after=90', 91,  10,  undefined],
      ['/people?after=89',          90,  10,  '/people?after=99'],
      ['/people?limit=10&after=95', 96,  5,   undefined],
      ['/people?after=100',         101, 0,   undefined],
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
    test(`leads by its links through all persons, ${limit} at a time`, async (t, open) => {
      const { store } = await open({ seeded: true })
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

  test('refuses parameters that fail their checks', async (t, open) => {
    const { store } = await open({ seeded: true })
    const send = await serveRoutes(t, store)
    for (const [query, parameter] of /* oxfmt-ignore */ [
      ['limit=0',          'limit'],
      ['limit=-1',         'limit'],
      ['limit=101',        'limit'],
      ['limit=abc',        'limit'],
      ['limit=1.5',        'limit'],
      ['limit=1000000000', 'limit'],
      ['after=999',        'after'],
      ['after=%00',        'after'],
    ] as const) {
      const { status, body } = await send(`GET /people?${query}`)
      t.equal(status, 422, query)
      t.equal(body.code, 'BAD_USER_INPUT', query)
      t.equal(body.errors[0].parameter, parameter, query)
    }
  })
})
