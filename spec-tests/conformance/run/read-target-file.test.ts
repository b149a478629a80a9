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
  [[],                                   'expected a JSON object, such as { "url": "http://localhost:4000/graphql", "standard": false }'],
  [
    { url: 'ftp://a' },
    'url: expected an http or https URL without credentials and parameters of GraphQL, such as "http://localhost:4000/graphql", found "ftp://a"',
  ],
  [
    { url: 'http://me:secret@a/' },
    'url: expected an http or https URL without credentials and parameters of GraphQL, such as "http://localhost:4000/graphql", found "http://(hidden)@a/"',
  ],
  [{ url: 'http://a/?b=c&query={a}' },   'url: expected an http or https URL without credentials and'],
  [{ url: 'http://a/?extensions' },      'url: expected an http or https URL without credentials and'],
  [{ edition: '2020' },                  'edition: expected one of "2024-01", "2025-05", "2026-04", "2026-09", "next", found "2020"'],
  [{ standard: 1 },                      'standard: expected true or false, found 1'],
  [{ insecure: null },                   'insecure: expected true or false, found null'],
  [{ capabilities: 'get' },              'capabilities: expected a list of names such as ["get", "mutationType"], found "get"'],
  [{ capabilities: [''] },               'capabilities: expected a list of names'],
  [{ headers: { 'a b': 'c' } },          'headers: expected names with their values'],
  [{ headers: { a: 'b\r\nc: d' } },      'headers: expected names with their values'],
  [{ headers: { a: 1 } },                'headers: expected names with their values'],
  [{ timeout: 0 },                       'timeout: expected a whole number of milliseconds from 1 to 60000, found 0'],
  [{ timeout: 1.5 },                     'timeout: expected a whole number'],
  [{ timeout: 60_001 },                  'timeout: expected a whole number'],
  [{ knownFailures: { 'a.b': 'ours' } }, 'knownFailures: expected a list such as'],
  [{ knownFailures: [{ id: 'a.b' }] },   'knownFailures: expected a list such as'],
  [{ knownFailures: [{ id: 'a', reason: 'b', more: 1 }] }, 'knownFailures: expected a list such as'],
  [{ uri: 'http://a' },                  'unknown member "uri": expected some of url, edition, standard'],
  [{ constructor: 1 },                   'unknown member "constructor"'],
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
  ['all mistakes are reported at once',  '{"uri":1,"timeout":"x"}',           /^unknown member.*\ntimeout: /],
  ['a case cannot be listed twice',      `{"knownFailures":[${one},${one}]}`, /without repeated ids/],
]
for (const [title, text, message] of texts) {
  void t.test(title, async (t) => {
    t.throws(() => readTargetFile(text), { name: 'TypeError', message })
  })
}
