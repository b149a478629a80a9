import t from 'tap'
import { mergeHeaders, type CurrentHeaders, type HeaderField } from '../../src/hosts/node/index.js'

// oxfmt-ignore
type Row = readonly [name: string, ours: readonly string[], theirs: CurrentHeaders | undefined, merged: readonly HeaderField[]]

const control = (value: string) => ['Cache-Control', value] as const
const cookie = { 'set-cookie': 'a=1' }
const three: HeaderField = ['Set-Cookie', ['a=1', 'b=2', 'c=3']]
const cookies = new Headers(['a=1', 'b=2'].map((value) => ['Set-Cookie', value]))

// oxfmt-ignore
const rows: readonly Row[] = [
  ['nothing on either side',               [],                  undefined,          []],
  ['a field of ours alone keeps its case', ['X-Frame', 'DENY'], undefined,          [['X-Frame', 'DENY']]],
  ['a field of ours replaces theirs',          control('no-store'),          { 'cache-control': 'max-age=60' },         [control('no-store')]],
  ['our default does not weaken a no-store',   control('private, no-cache'), { 'cache-control': 'private, No-Store' },  [control('private, No-Store')]],
  ['our default replaces a lifetime of theirs', control('no-cache'),          { 'cache-control': 'max-age=60' },         [control('no-cache')]],
  ['nor a private, whose lifetime goes',       control('no-cache'),          { 'cache-control': 'Private, max-age=6' }, [control('private, no-cache')]],
  ['what the embedder says replaces a private', control('public, max-age=5'), { 'cache-control': 'private' },            [control('public, max-age=5')]],
  ['several lines are one, which means the same', ['Link', '<a>', 'X', '1', 'link', '<b>'], undefined, [['Link', '<a>, <b>'], ['X', '1']]],
  ['Vary has the names of both, each once',  ['Vary', 'Accept', 'vary', 'Cookie, origin'], { vary: 'Origin,X-A, ' }, [['Vary', 'Origin, X-A, Accept, Cookie']]],
  ['Vary of theirs may be a list',           ['Vary', 'Accept'], { vary: ['Origin', 'Cookie'] },      [['Vary', 'Origin, Cookie, Accept']]],
  ['Vary of anything is Vary of everything', ['Vary', 'Accept'], { vary: 'Origin, *' },               [['Vary', '*']]],
  ['theirs may be a Headers object',         ['Vary', 'Accept'], new Headers({ vary: 'Origin' }),     [['Vary', 'Origin, Accept']]],
  ['which has several cookies',              ['Set-Cookie', 'c=3'],                       cookies,    [three]],
  ['cookies of both sides stand',            ['Set-Cookie', 'b=2', 'Set-Cookie', 'c=3'],  cookie,     [three]],
  ['cookies of theirs may be a list',        ['Set-Cookie', 'c=3'], { 'set-cookie': ['a=1', 'b=2'] }, [three]],
  ['with a cookie of theirs, no cache stores it', [...control('public'), 'CDN-Cache-Control', 'public', 'X', '1'], cookie, [control('no-store'), ['X', '1']]],
  ['with a cookie of theirs, our default is no-store', control('no-cache'), { 'set-cookie': ['a=1'] }, [control('no-store')]],
  ['with a cookie of theirs, private stays', [...control('private, max-age=60'), 'Expires', '0'], cookie, [control('private, max-age=60')]],
  ['one of ours that may be stored does not help', ['Set-Cookie', 'b=2', ...control('public')], cookie, [['Set-Cookie', ['a=1', 'b=2']], control('no-store')]],
  ...['public, private="x-user"', 'public, no-cache="x-private"', 'ext-private'].map(
    (value): Row => [`with a cookie of theirs, ${value} is not private`, control(value), cookie, [control('no-store')]],
  ),
  ['names may have capitals, and values may be numbers', control('no-store'), { 'SET-COOKIE': [], Expires: 0, 'X-Accel-Expires': undefined, 'X-Their': 1 }, [
    ['expires', undefined], control('no-store'),
  ]],
  ...['no-store', 'no-cache', 'private, no-cache', 'private, max-age=5', 'public'].map((value): Row => [
    `where ours says ${value}, a lifetime of theirs for some caches goes`,
    control(value), { 'acme-cdn-cache-control': 'max-age=60', 'surrogate-control': ['max-age=60'] },
    [['acme-cdn-cache-control', undefined], ['surrogate-control', undefined], control(value)],
  ]),
  ['what they forbid some caches stays', control('no-cache'), { 'cdn-cache-control': 'no-store', 'surrogate-control': 'private' }, [control('no-cache')]],
  ['what the embedder says replaces that', control('public'), { 'cdn-cache-control': 'no-store' }, [['cdn-cache-control', undefined], control('public')]],
  ['without a Cache-Control of ours, what they say to caches stays', ['X', '1'], { 'cache-control': 'public', expires: 'x' }, [['X', '1']]],
  ['what only they have is theirs',                                  [],         { vary: 'Origin' },                          []],
]

for (const [name, ours, theirs = {}, merged] of rows) {
  void t.test(name, async (t) => {
    t.strictSame(mergeHeaders(ours, theirs), merged)
  })
}
