import t from 'tap'
import { mergeHeaders, type CurrentHeaders, type HeaderField } from '../../src/hosts/node/index.js'

interface Row {
  readonly name: string
  readonly ours: readonly string[]
  readonly theirs?: CurrentHeaders
  readonly merged: readonly HeaderField[]
}

const rows: readonly Row[] = [
  { name: 'nothing on either side', ours: [], merged: [] },
  {
    name: 'a field of ours alone keeps its case',
    ours: ['X-Content-Type-Options', 'nosniff'],
    merged: [['X-Content-Type-Options', 'nosniff']],
  },
  {
    name: 'a field of ours replaces theirs',
    ours: ['Cache-Control', 'no-store'],
    theirs: { 'cache-control': 'max-age=60' },
    merged: [['Cache-Control', 'no-store']],
  },
  {
    name: 'a default of ours does not weaken a no-store of theirs',
    ours: ['Cache-Control', 'private, no-cache'],
    theirs: { 'cache-control': 'private, No-Store' },
    merged: [['Cache-Control', 'private, No-Store']],
  },
  {
    name: 'a default of ours replaces a lifetime of theirs',
    ours: ['Cache-Control', 'no-cache'],
    theirs: { 'cache-control': 'max-age=60' },
    merged: [['Cache-Control', 'no-cache']],
  },
  {
    name: 'a default of ours does not weaken a private of theirs, and its lifetime goes',
    ours: ['Cache-Control', 'no-cache'],
    theirs: { 'cache-control': 'Private, max-age=60' },
    merged: [['Cache-Control', 'private, no-cache']],
  },
  {
    name: 'what the embedder says in so many words replaces a private of theirs',
    ours: ['Cache-Control', 'public, max-age=5'],
    theirs: { 'cache-control': 'private' },
    merged: [['Cache-Control', 'public, max-age=5']],
  },
  {
    name: 'several lines are one, which means the same',
    ours: ['Link', '<a>', 'X', '1', 'link', '<b>'],
    merged: [
      ['Link', '<a>, <b>'],
      ['X', '1'],
    ],
  },
  {
    name: 'Vary holds the names of both, each once',
    ours: ['Vary', 'Accept', 'vary', 'Cookie, origin'],
    theirs: { vary: 'Origin,Accept-Encoding, ' },
    merged: [['Vary', 'Origin, Accept-Encoding, Accept, Cookie']],
  },
  {
    name: 'Vary of theirs may be a list',
    ours: ['Vary', 'Accept'],
    theirs: { vary: ['Origin', 'Cookie'] },
    merged: [['Vary', 'Origin, Cookie, Accept']],
  },
  {
    name: 'Vary of anything is Vary of everything',
    ours: ['Vary', 'Accept'],
    theirs: { vary: 'Origin, *' },
    merged: [['Vary', '*']],
  },
  {
    name: 'cookies of both sides stand',
    ours: ['Set-Cookie', 'b=2', 'Set-Cookie', 'c=3'],
    theirs: { 'set-cookie': 'a=1' },
    merged: [['Set-Cookie', ['a=1', 'b=2', 'c=3']]],
  },
  {
    name: 'cookies of theirs may be a list',
    ours: ['Set-Cookie', 'c=3'],
    theirs: { 'set-cookie': ['a=1', 'b=2'] },
    merged: [['Set-Cookie', ['a=1', 'b=2', 'c=3']]],
  },
  {
    name: 'with a cookie of theirs, no cache may store the response',
    ours: ['Cache-Control', 'public, max-age=60', 'CDN-Cache-Control', 'max-age=60', 'X', '1'],
    theirs: { 'set-cookie': 'a=1' },
    merged: [
      ['Cache-Control', 'no-store'],
      ['X', '1'],
    ],
  },
  {
    name: 'with a cookie of theirs, our default is no-store',
    ours: ['Cache-Control', 'no-cache'],
    theirs: { 'set-cookie': ['a=1'] },
    merged: [['Cache-Control', 'no-store']],
  },
  {
    name: 'with a cookie of theirs, private stays',
    ours: ['Cache-Control', 'private, max-age=60', 'Expires', '0'],
    theirs: { 'set-cookie': 'a=1' },
    merged: [['Cache-Control', 'private, max-age=60']],
  },
  {
    name: 'with a cookie of theirs, one of ours that may be stored does not help',
    ours: ['Set-Cookie', 'b=2', 'Cache-Control', 'public'],
    theirs: { 'set-cookie': 'a=1' },
    merged: [
      ['Set-Cookie', ['a=1', 'b=2']],
      ['Cache-Control', 'no-store'],
    ],
  },
  ...['public, private="x-user"', 'public, no-cache="x-private"', 'ext-private'].map(
    (control): Row => ({
      name: `with a cookie of theirs, ${control} is not private`,
      ours: ['Cache-Control', control],
      theirs: { 'set-cookie': 'a=1' },
      merged: [['Cache-Control', 'no-store']],
    }),
  ),
  {
    name: 'theirs may be a Headers object, with several cookies',
    ours: ['Set-Cookie', 'c=3', 'Vary', 'Accept'],
    theirs: new Headers([
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['Vary', 'Origin'],
    ]),
    merged: [
      ['Set-Cookie', ['a=1', 'b=2', 'c=3']],
      ['Vary', 'Origin, Accept'],
    ],
  },
  {
    name: 'names of theirs may have capitals, and values may be numbers',
    ours: ['Cache-Control', 'no-store'],
    theirs: { 'SET-COOKIE': [], Expires: 0, 'X-Accel-Expires': undefined, 'X-Their': 1 },
    merged: [
      ['expires', undefined],
      ['Cache-Control', 'no-store'],
    ],
  },
  ...['no-store', 'no-cache', 'private, no-cache', 'private, max-age=5', 'public'].map(
    (control): Row => ({
      name: `where ours says ${control}, a lifetime of theirs for some caches goes`,
      ours: ['Cache-Control', control],
      theirs: { 'acme-cdn-cache-control': 'max-age=60', 'surrogate-control': ['max-age=60'] },
      merged: [
        ['acme-cdn-cache-control', undefined],
        ['surrogate-control', undefined],
        ['Cache-Control', control],
      ],
    }),
  ),
  {
    name: 'what they forbid some caches stays beside a default of ours',
    ours: ['Cache-Control', 'no-cache'],
    theirs: { 'cdn-cache-control': 'no-store', 'surrogate-control': 'private' },
    merged: [['Cache-Control', 'no-cache']],
  },
  {
    name: 'what the embedder says in so many words replaces what they forbid some caches',
    ours: ['Cache-Control', 'public, max-age=5'],
    theirs: { 'cdn-cache-control': 'no-store' },
    merged: [
      ['cdn-cache-control', undefined],
      ['Cache-Control', 'public, max-age=5'],
    ],
  },
  {
    name: 'without a Cache-Control of ours, what they say to caches stays',
    ours: ['X', '1'],
    theirs: { 'cache-control': 'public', expires: 'x' },
    merged: [['X', '1']],
  },
  { name: 'what only they have is theirs', ours: [], theirs: { vary: 'Origin' }, merged: [] },
]

for (const { name, ours, theirs = {}, merged } of rows) {
  void t.test(name, async (t) => {
    t.strictSame(mergeHeaders(ours, theirs), merged)
  })
}
