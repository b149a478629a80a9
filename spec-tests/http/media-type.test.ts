import t from 'tap'
import { parseAccept } from '../../src/http/accept.js'
import { parseMediaType } from '../../src/http/media-type.js'

// oxfmt-ignore
const good: readonly [text: string, essence: string, parameters: [string, string][]][] = [
  ['application/json',     'application/json', []],
  ['Text/HTML',            'text/html',        []],
  ['a/b;c=d',              'a/b',              [['c', 'd']]],
  ['a/b ;\tC=D ; e="f"',   'a/b',              [['c', 'D'], ['e', 'f']]],
  ['a/b;c="x;y,\\"z\\\\"', 'a/b',              [['c', 'x;y,"z\\']]],
  ['a/b;c="\\"";d=e',       'a/b',              [['c', '"'], ['d', 'e']]],
  ['a/b;;c=d;',            'a/b',              [['c', 'd']]],
  ['a/b;c=""',             'a/b',              [['c', '']]],
  ['*/*',                  '*/*',              []],
]
for (const [text, essence, parameters] of good) {
  void t.test(`parses ${JSON.stringify(text)}`, async (t) => {
    const found = parseMediaType(text)
    t.equal(`${found?.type}/${found?.subtype}`, essence)
    t.strictSame(found?.parameters, parameters)
  })
}

void t.test('takes the backslash off a line separator, too', async (t) => {
  t.strictSame(parseMediaType('a/b;c="\\\u2028"')?.parameters, [['c', '\u2028']])
})

// oxfmt-ignore
const bad = [
  '', 'a', 'a/', '/b', 'a/b/c', 'a b/c', 'a/b;c', 'a/b;c=', 'a/b; c =d', 'a/b;c= d', 'a/b;="x"', 'a/b;c="x', 'a/b;c=x"y"',
  'a/b;c="x"y', 'a/b,c/d', 'ä/b', 'a/b;c="\u0001"', 'a\u00a0/b',
]
for (const text of bad) {
  void t.test(`refuses ${JSON.stringify(text)}`, async (t) => {
    t.equal(parseMediaType(text), undefined)
  })
}

// oxfmt-ignore
const weights: readonly [weight: string, quality: number | undefined][] = [
  ['',               1],
  [';q=1',           1],
  [';q=1.',          1],
  [';q=1.000',       1],
  [';q=0',           0],
  [';q=0.',          0],
  [';q=0.000',       0],
  [';q=0.5',         0.5],
  [';q=.5',          0.5],
  [';Q=0.125',       0.125],
  [' ; q=0.5 ; x=y', 0.5],
  [';q="0.5"',       0.5],
  [';q=1.001',       undefined],
  [';q=2',           undefined],
  [';q=-1',          undefined],
  [';q=0.1234',      undefined],
  [';q=',            undefined],
  [';q=1e0',         undefined],
  [';q=.',           undefined],
  [';q=NaN',         undefined],
]
for (const [weight, quality] of weights) {
  void t.test(`a range with ${JSON.stringify(weight)} has the quality ${quality}`, async (t) => {
    t.equal(parseAccept(`a/b${weight}`)?.[0]?.quality, quality)
  })
}

void t.test('an Accept of megabytes is read to its end', async (t) => {
  for (const piece of ['"', ',', ' ', 'a/b;c="\\', '\\']) {
    const found = parseAccept(piece.repeat(1e6))
    t.ok(found === undefined || Array.isArray(found))
  }
})
