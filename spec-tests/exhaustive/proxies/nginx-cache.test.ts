import { passing, startNginx } from './nginx.js'
import { startOrigin, type Origin } from './origin.js'
import { testWith } from './proxy.js'
import { checkRows, get, query, read, twice } from './row.js'

/** A cache of nginx that is told what is valid, beside what answers say. */
function caching({ port }: Origin, more: string): string {
  const server = passing(port, `proxy_cache graphql; ${more}`)
  return `proxy_cache_path FOLDER/cache keys_zone=graphql:1m; ${server}`
}

const silent = '/graphql/silent'
const stored = '/graphql/stored'
const valid = ['proxy_cache_valid 200 10m;', 'proxy_cache_valid any 10m;', ''] as const
const times = {
  [valid[0]]: { data: 1, partial: 2, refused: 2 },
  [valid[1]]: { data: 1, partial: 1, refused: 1 },
  [valid[2]]: { data: 2, partial: 2, refused: 2 },
}

for (const more of valid) {
  testWith('nginx', `a cache of nginx with ${more || 'proxy_cache alone'}`, async (t, program) => {
    const origin = await startOrigin(t)
    const nginx = await startNginx(t, program, caching(origin, more))
    const { data, partial, refused } = times[more]
    await checkRows(t, nginx, origin, [
      twice('200 without Cache-Control', silent, '{ counter }', 200, data),
      twice('294 without Cache-Control', silent, '{ fail }', 294, partial),
      twice('422 without Cache-Control', silent, '{ nope }', 422, refused),
      twice('200 as graphwire sends it', '/graphql', '{ counter }', 200, 2),
      twice('294 as graphwire sends it', '/graphql', '{ fail }', 294, 2),
      twice('422 as graphwire sends it', '/graphql', '{ nope }', 422, 2),
      twice('200 with max-age', stored, '{ counter }', 200, 1),
      twice('294 with max-age', stored, '{ fail }', 294, 1),
      twice('422 with max-age', stored, '{ nope }', 422, 1),
    ])
  })
}

testWith('nginx', 'a cache of nginx', async (t, program) => {
  const origin = await startOrigin(t)
  const nginx = await startNginx(t, program, caching(origin, ''))
  const json = { accept: 'application/json' }
  const types = [get('{ a: fail }'), get('{ a: fail }', json)] as const
  // oxfmt-ignore
  await checkRows(t, nginx, origin, [
    [
      'keeps a variant for each Accept: 294',
      [...types, ...types, types[0]],
      294,
      { path: stored, reached: 2, headers: { 'content-type': 'application/graphql-response+json' } },
    ],
    ['keeps a variant for each Accept: 200', [...types], 200, { path: stored, reached: 0, headers: { 'content-type': 'application/json' } }],
    ['does not know Authorization', [
      get('{ b: counter }', { authorization: 'Bearer one' }),
      get('{ b: counter }', { authorization: 'Bearer two' }),
    ], 200, { path: stored, reached: 1 }],
    ['keeps no answer to QUERY',            [query('{ c: counter }'), query('{ c: counter }')], 200, { path: stored }],
    ['keeps If-None-Match from the server', [read({ 'if-none-match': '"3"' })],                 200, { path: '/person/1', headers: { etag: '"3"' } }],
  ])
})

testWith('nginx', 'a cache of nginx that ignores Cache-Control', async (t, program) => {
  const origin = await startOrigin(t)
  const more = 'proxy_ignore_headers Cache-Control; proxy_cache_valid any 10m;'
  const nginx = await startNginx(t, program, caching(origin, more))
  await checkRows(t, nginx, origin, [
    twice('keeps 294 for as long as configured', '/graphql', '{ fail }', 294, 1),
  ])
})
