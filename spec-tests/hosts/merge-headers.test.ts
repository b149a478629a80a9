import t from 'tap'
import { mergeHeaders, type CurrentHeaders, type HeaderField } from '../../src/hosts/node/index.js'

// oxfmt-ignore
type Row = readonly [name: string, ours: readonly string[], theirs: CurrentHeaders | undefined, merged: readonly HeaderField[]]

// oxfmt-ignore
const rows: readonly Row[] = [
  ['nothing on either side',               [],                                    undefined,                         []],
  ['a field of ours alone keeps its case', ['X-Content-Type-Options', 'nosniff'], undefined,                         [['X-Content-Type-Options', 'nosniff']]],
  ['a field of ours replaces theirs',      ['Cache-Control', 'no-store'],         { 'cache-control': 'max-age=60' }, [['Cache-Control', 'no-store']]],
  [
    'a default of ours does not weaken a no-store of theirs',
    ['Cache-Control', 'private, no-cache'],
    { 'cache-control': 'private, No-Store' },
    [['Cache-Control', 'private, No-Store']],
  ],
  ['a default of ours replaces a lifetime of theirs', ['Cache-Control', 'no-cache'], { 'cache-control': 'max-age=60' }, [['Cache-Control', 'no-cache']]],
  [
    'a default of ours does not weaken a private of theirs, and its lifetime goes',
    ['Cache-Control', 'no-cache'],
    { 'cache-control': 'Private, max-age=60' },
    [['Cache-Control', 'private, no-cache']],
  ],
  [
    'what the embedder says in so many words replaces a private of theirs',
    ['Cache-Control', 'public, max-age=5'],
    { 'cache-control': 'private' },
    [['Cache-Control', 'public, max-age=5']],
  ],
  ['several lines are one, which means the same', ['Link', '<a>', 'X', '1', 'link', '<b>'], undefined, [['Link', '<a>, <b>'], ['X', '1']]],
  [
    'Vary holds the names of both, each once',
    ['Vary', 'Accept', 'vary', 'Cookie, origin'],
    { vary: 'Origin,Accept-Encoding, ' },
    [['Vary', 'Origin, Accept-Encoding, Accept, Cookie']],
  ],
  ['Vary of theirs may be a list',           ['Vary', 'Accept'],    { vary: ['Origin', 'Cookie'] },   [['Vary', 'Origin, Cookie, Accept']]],
  ['Vary of anything is Vary of everything', ['Vary', 'Accept'],    { vary: 'Origin, *' },            [['Vary', '*']]],
  ['cookies of both sides stand', ['Set-Cookie', 'b=2', 'Set-Cookie', 'c=3'], { 'set-cookie': 'a=1' }, [['Set-Cookie', ['a=1', 'b=2', 'c=3']]]],
  ['cookies of theirs may be a list',        ['Set-Cookie', 'c=3'], { 'set-cookie': ['a=1', 'b=2'] }, [['Set-Cookie', ['a=1', 'b=2', 'c=3']]]],
  [
    'with a cookie of theirs, no cache may store the response',
    ['Cache-Control', 'public, max-age=60', 'CDN-Cache-Control', 'max-age=60', 'X', '1'],
    { 'set-cookie': 'a=1' },
    [['Cache-Control', 'no-store'], ['X', '1']],
  ],
  ['with a cookie of theirs, our default is no-store', ['Cache-Control', 'no-cache'], { 'set-cookie': ['a=1'] }, [['Cache-Control', 'no-store']]],
  [
    'with a cookie of theirs, private stays',
    ['Cache-Control', 'private, max-age=60', 'Expires', '0'],
    { 'set-cookie': 'a=1' },
    [['Cache-Control', 'private, max-age=60']],
  ],
  ['with a cookie of theirs, one of ours that may be stored does not help', ['Set-Cookie', 'b=2', 'Cache-Control', 'public'], { 'set-cookie': 'a=1' }, [
    ['Set-Cookie', ['a=1', 'b=2']],
    ['Cache-Control', 'no-store'],
  ]],
  ...['public, private="x-user"', 'public, no-cache="x-private"', 'ext-private'].map(
    (control): Row => [`with a cookie of theirs, ${control} is not private`, ['Cache-Control', control], { 'set-cookie': 'a=1' }, [['Cache-Control', 'no-store']]],
  ),
  ['theirs may be a Headers object, with several cookies', ['Set-Cookie', 'c=3', 'Vary', 'Accept'], new Headers([
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
    ['Vary', 'Origin'],
  ]), [['Set-Cookie', ['a=1', 'b=2', 'c=3']], ['Vary', 'Origin, Accept']]],
  [
    'names of theirs may have capitals, and values may be numbers',
    ['Cache-Control', 'no-store'],
    { 'SET-COOKIE': [], Expires: 0, 'X-Accel-Expires': undefined, 'X-Their': 1 },
    [['expires', undefined], ['Cache-Control', 'no-store']],
  ],
  ...['no-store', 'no-cache', 'private, no-cache', 'private, max-age=5', 'public'].map(
    (control): Row => [
      `where ours says ${control}, a lifetime of theirs for some caches goes`,
      ['Cache-Control', control],
      { 'acme-cdn-cache-control': 'max-age=60', 'surrogate-control': ['max-age=60'] },
      [['acme-cdn-cache-control', undefined], ['surrogate-control', undefined], ['Cache-Control', control]],
    ],
  ),
  [
    'what they forbid some caches stays beside a default of ours',
    ['Cache-Control', 'no-cache'],
    { 'cdn-cache-control': 'no-store', 'surrogate-control': 'private' },
    [['Cache-Control', 'no-cache']],
  ],
  [
    'what the embedder says in so many words replaces what they forbid some caches',
    ['Cache-Control', 'public, max-age=5'],
    { 'cdn-cache-control': 'no-store' },
    [['cdn-cache-control', undefined], ['Cache-Control', 'public, max-age=5']],
  ],
  ['without a Cache-Control of ours, what they say to caches stays', ['X', '1'], { 'cache-control': 'public', expires: 'x' }, [['X', '1']]],
  ['what only they have is theirs',                                  [],         { vary: 'Origin' },                          []],
]

for (const [name, ours, theirs = {}, merged] of rows) {
  void t.test(name, async (t) => {
    t.strictSame(mergeHeaders(ours, theirs), merged)
  })
}
