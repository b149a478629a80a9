import { Ajv2020 } from 'ajv/dist/2020.js'
import t from 'tap'
import { readTargetFile } from '../../../src/conformance/index.js'
import { readFixtures } from '../read-fixtures.js'

const ajv = new Ajv2020({ validateFormats: false })
const validate = ajv.compile(readFixtures('meta/target.schema.json') as object)

// oxfmt-ignore
const accepted: readonly [json: object, read: object][] = [
  [{},                                                 {}],
  [{ $schema: './target.schema.json' },                {}],
  [{ url: 'HTTP://localhost:4000/graphql' },           { url: 'HTTP://localhost:4000/graphql' }],
  [{ url: 'http://a/?querying=1#?query=' },            { url: 'http://a/?querying=1#?query=' }],
  [{ edition: 'next', standard: true },                { edition: 'next', standard: true }],
  [{ capabilities: ['get'], insecure: false },         { capabilities: ['get'], insecure: false }],
  [{ headers: { 'X-A': 'b', c: ['d', ''] } },          { headers: [['X-A', 'b'], ['c', 'd'], ['c', '']] }],
  [{ timeout: 60_000 },                                { timeout: 60_000 }],
  [{ edition: '2026-08' },                             { edition: '2026-09' }],
  [{ edition: 'september2026' },                       { edition: '2026-09' }],
  [{ knownFailures: [{ id: 'a.b', reason: 'ours' }] }, { knownFailures: new Map([['a.b', 'ours']]) }],
]

for (const [json, read] of accepted) {
  void t.test(`${JSON.stringify(json)} is read, and the schema agrees`, async (t) => {
    t.strictSame(readTargetFile(JSON.stringify(json)), read)
    t.ok(validate(json), JSON.stringify(validate.errors))
  })
}

// oxfmt-ignore
const refused: readonly [json: unknown, message: string][] = [
  [[],                                   'expected an object such as { "url": "http://localhost:4000/graphql" }, got an empty list.'],
  [{ url: 'ftp://a' },                   'url: Not an http or https URL: "ftp://a".'],
  [{ url: 'http://me:secret@a/' },       'url: The URL has credentials'],
  [{ url: 1 },                           'url: expected a string or undefined, got a number.'],
  [{ url: 'http://a/?b=c&query={a}' },   'url: The URL has the parameter query'],
  [{ url: 'http://a/?extensions' },      'url: The URL has the parameter extensions'],
  [{ edition: '2020' },                  'edition: expected "2024-01", "2025-05", "2026-04", "2026-09", "next" or undefined, got "2020".'],
  [{ standard: 1 },                      'standard: expected a boolean or undefined, got 1.'],
  [{ insecure: null },                   'insecure: expected a boolean or undefined, got null.'],
  [{ capabilities: 'get' },              'capabilities: expected a list of names such as ["get", "mutationType"], or undefined, got "get".'],
  [{ capabilities: [''] },               'capabilities[0]: expected text, got "".'],
  [{ headers: { 'a b': 'c' } },          'headers: the member "a b" must be the name of a header.'],
  [{ headers: { a: 'b\r\nc: d' } },      'headers.a: expected a value of a header or a list of them, or undefined, got a string.'],
  [{ headers: { a: 1 } },                'headers.a: expected a value of a header'],
  [{ headers: { a: [1] } },              'headers.a[0]: expected a value of a header, got a number.'],
  [{ timeout: 0 },                       'timeout: expected a whole number from 1 to 60000 or undefined, got 0.'],
  [{ timeout: 1.5 },                     'timeout: expected a whole number'],
  [{ timeout: 60_001 },                  'timeout: expected a whole number'],
  [{ knownFailures: { 'a.b': 'ours' } }, 'knownFailures: expected a list such as'],
  [{ knownFailures: [{ id: 'a.b' }] },   'knownFailures[0].reason: expected text, got undefined.'],
  [{ knownFailures: [{ id: 'a', reason: 'b', more: 1 }] }, 'knownFailures[0].more is not an option.'],
  [{ uri: 'http://a' },                  'uri is not an option. Did you mean "url"?'],
  [{ constructor: 1 },                   'constructor is not an option.'],
]

for (const [json, message] of refused) {
  void t.test(`${JSON.stringify(json)} is refused, and the schema agrees`, async (t) => {
    t.throws(() => readTargetFile(JSON.stringify(json)), { name: 'TypeError', message })
    t.notOk(validate(json))
  })
}

const one = '{"id":"a.b","reason":"ours"}'
// oxfmt-ignore
const texts: readonly [title: string, text: string, message: RegExp][] = [
  ['a file that is not JSON is refused', '{ url: 1 }',                        /^not valid JSON: /],
  ['a case cannot be listed twice',      `{"knownFailures":[${one},${one}]}`, /expected each id once/],
]
for (const [title, text, message] of texts) {
  void t.test(title, async (t) => {
    t.throws(() => readTargetFile(text), { name: 'TypeError', message })
  })
}
