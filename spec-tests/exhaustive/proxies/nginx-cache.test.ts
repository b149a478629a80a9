import { passing, testNginx } from './nginx.js'
import type { Origin } from './origin.js'
import { get, query, read, twice } from './row.js'

/** A cache of nginx that is told what is valid, beside what answers say. */
function caching(more = ''): (origin: Origin) => string {
  return ({ port }) => {
    const server = passing(port, `proxy_cache graphql; ${more}`)
    return `proxy_cache_path FOLDER/cache keys_zone=graphql:1m; ${server}`
  }
}

const silent = '/graphql/silent'
const stored = '/graphql/stored'
// oxfmt-ignore
const times: readonly [more: string, data: number, partial: number, refused: number][] = [
  ['proxy_cache_valid 200 10m;', 1, 2, 2],
  ['proxy_cache_valid any 10m;', 1, 1, 1],
  ['',                           2, 2, 2],
]

for (const [more, data, partial, refused] of times) {
  testNginx(`a cache of nginx with ${more || 'proxy_cache alone'}`, caching(more), [
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
}

const types = [get('{ a: fail }'), get('{ a: fail }', { accept: 'application/json' })] as const
// oxfmt-ignore
testNginx('a cache of nginx', caching(), [
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

const ignoring = caching('proxy_ignore_headers Cache-Control; proxy_cache_valid any 10m;')
testNginx('a cache of nginx that ignores Cache-Control', ignoring, [
  twice('keeps 294 for as long as configured', '/graphql', '{ fail }', 294, 1),
])
