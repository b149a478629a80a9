import t from 'tap'
import { decodeValue, findParameters, hasPath, pathOf, queryOf } from '../../src/http/target.js'
import { Random } from '../fuzz/random.js'

const names = ['query', 'variables'] as const

type Parameter = (typeof names)[number]

function readParameter(query: string, name: Parameter): string | null {
  const value = findParameters(`/graphql?${query}`, names)[name]
  return value === undefined ? null : decodeValue(value)
}

// oxfmt-ignore
const queries = [
  '', 'query', 'query=', 'query=a&query=b', 'query=a=b&variables==', '&&query=a&&', 'q%75ery=a', 'qu+ery=a&query=b',
  'query=%zz&variables=%', 'query=%c3%28', 'query=%ed%a0%80', 'query=%ef%bb%bfa', 'query=a%00b', 'query=a+b%2Bc%20d',
  'query=%F0%9F%8F%83ü', 'query=a;variables=b', 'query=a#b', 'QUERY=a', '__proto__=a&query=b',
]
for (const query of queries) {
  void t.test(`reads ${JSON.stringify(query)} as URLSearchParams does`, async (t) => {
    const expected = new URLSearchParams(query)
    for (const name of names) t.equal(readParameter(query, name), expected.get(name), name)
  })
}

void t.test('names with invalid escapes cost no exception', async (t) => {
  const decode = globalThis.decodeURIComponent
  let thrown = 0
  t.teardown(() => (globalThis.decodeURIComponent = decode))
  globalThis.decodeURIComponent = (text) => {
    try {
      return decode(text)
    } catch (invalid) {
      thrown += 1
      throw invalid
    }
  }
  const query = `${'%&%zz=1&%ff&%c3%28&'.repeat(100)}q%75ery=a`
  t.strictSame(findParameters(`?${query}`, names), { query: 'a' })
  t.equal(thrown, 0)
})

void t.test('reads random text as URLSearchParams does', async (t) => {
  const random = new Random(42)
  // oxfmt-ignore
  const pieces = ['query', 'variables', '=', '&', '%', '+', 'c3', 'a9', '%c3%a9', '%E2%82%AC', '"', '%3D', ' ', 'é', '\u{1F3C3}']
  const makeText = (): string => random.list(11, () => random.pick(pieces)).join('')
  const texts = Array.from({ length: 2000 }, makeText)
  const wrong = texts.filter((text) => {
    const expected = new URLSearchParams(text)
    return names.some((name) => readParameter(text, name) !== expected.get(name))
  })
  t.strictSame(wrong, [])
})

// oxfmt-ignore
const targets: readonly [target: string, path: string, query: string][] = [
  ['/graphql',              '/graphql',       ''],
  ['/graphql?a=b?c',        '/graphql',       'a=b?c'],
  ['/?',                    '/',              ''],
  ['http://host/graphql?x', '/graphql',       'x'],
  ['HTTPS://host:1',        '/',              ''],
  ['http://host?a=/b',      '/',              'a=/b'],
  ['http://[',              '/',              ''],
  ['//host/graphql',        '//host/graphql', ''],
  ['*',                     '*',              ''],
  ['',                      '',               ''],
]
for (const [target, path, query] of targets) {
  void t.test(`splits the target ${JSON.stringify(target)}`, async (t) => {
    t.equal(pathOf(target), path)
    t.equal(queryOf(target), query)
    for (const other of ['/', '/graphql', '/graphq', '/graphql/', '*', path]) {
      t.equal(hasPath(target, other), path === other, `has the path ${other}`)
    }
  })
}
