import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import * as graphql from 'graphql'
import * as graphql16 from 'graphql-16'
import t from 'tap'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import { defaultLimits, mostNesting } from '../../../src/graphql/limits/limits.js'
import { testClient, type TestResponse } from '../../../src/hosts/testing.js'
import { createHandler } from '../../../src/index.js'
import type { LimitName, LimitReport, Options } from '../../../src/index.js'
import { thrower } from '../../base/thrower.js'
import { clientOf } from '../../handler/client-of.js'
import { everything, majors } from '../majors.js'

const sdl = `
  directive @tag repeatable on
    QUERY | FIELD | FRAGMENT_SPREAD | INLINE_FRAGMENT | FRAGMENT_DEFINITION | VARIABLE_DEFINITION
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  scalar Any
  type Query { a: Int any(of: Any): Int ints(of: [Int]): Int text: String n: Node list(first: Int): [Node] }
  type Node { a: Int n: Node query: Query }
`
const schema = buildSchema(sdl)

function clientFor(options: Partial<Options> = {}) {
  return testClient(createHandler({ schema, ...options }))
}

function times(count: number, text: string): string {
  return Array.from({ length: count }, () => text).join(' ')
}

/** The same, with its index for `#`. */
function each(count: number, text: string): string {
  return Array.from({ length: count }, (_, at) => text.replaceAll('#', String(at))).join(' ')
}

function brackets(levels: number): string {
  return `${'['.repeat(levels)}${']'.repeat(levels)}`
}

const aliases = (count: number): string => `{ ${each(count, 'a#: a')} }`

/** Introspection of a size: each fragment spreads the one before it twice. */
function introspection(size: number): string {
  const bits = (size - 1).toString(2)
  const spreads = Array.from(bits, (bit, at) => (bit === '1' ? `...f${bits.length - 1 - at}` : ''))
  const fragments = Array.from(bits, (_, at) => {
    const selected = at === 0 ? '__typename' : `...f${at - 1} ...f${at - 1}`
    return `fragment f${at} on __Schema { ${selected} }`
  })
  return `{ __schema { ${spreads.join(' ')} } } ${fragments.join(' ')}`
}

/** A name for as many fields as fit, and others for the pairs that are left. */
function pairs(count: number): string {
  const fields: string[] = []
  for (let left = count; left > 0;) {
    const size = Math.floor((1 + Math.sqrt(1 + 8 * left)) / 2)
    fields.push(times(size, `x${fields.length}: n { a }`))
    left -= (size * (size - 1)) / 2
  }
  return `{ a ${fields.join(' ')} }`
}

/** For each limit a small one, the status of its refusal, and a document of any such figure. */
// oxfmt-ignore
const limits: {
  readonly [limit in LimitName]: readonly [small: number, status: number, document: (figure: number) => string]
} = {
  maxTokens:             [12, 400, (figure) => `{ any(of: [${times(figure - 9, '1')}]) }`],
  maxLines:              [3,  400, (figure) => `{ a${'\n'.repeat(figure - 1)}}`],
  maxNumberLength:       [5,  400, (figure) => `{ any(of: ${'1'.repeat(figure)}) }`],
  maxNesting:            [4,  400, (figure) => `{ any(of: ${brackets(figure - 2)}) }`],
  maxDepth:              [3,  422, (figure) => `${'{ n '.repeat(figure - 1)} { a } ${'}'.repeat(figure - 1)}`],
  maxAliases:            [2,  422, aliases],
  maxNameLength:         [3,  422, (figure) => `{ ${'x'.repeat(figure)}: a }`],
  maxRootFields:         [2,  422, aliases],
  maxFieldPairs:         [2,  422, pairs],
  maxDirectives:         [2,  422, (figure) => `{ ${times(figure, 'a @tag')} }`],
  maxDirectivesPerPlace: [2,  422, (figure) => `{ a ${times(figure, '@tag')} }`],
  maxDefinitions:        [3,  422, (figure) => `{ ${each(figure - 1, '...f#')} } ${each(figure - 1, 'fragment f# on Query { a }')}`],
  maxVariables:          [2,  422, (figure) => `query (${each(figure, '$v#: Int')}) { ints(of: [${each(figure, '$v#')}]) }`],
  maxSchemaFields:       [1,  422, (figure) => `{ ${each(figure, 's#: __schema { __typename }')} }`],
  maxTypeFields:         [2,  422, (figure) => `{ ${each(figure, 't#: __type(name: "Query") { name }')} }`],
  maxIncremental:        [2,  422, (figure) => `{ ${times(figure, '... @defer { a }')} }`],
  maxCost:               [5,  422, (figure) => `{ list(first: ${figure - 1}) { a } }`],
  maxIntrospectionSize:  [5,  422, introspection],
}
const names = Object.keys(limits) as LimitName[]

/** Every limit off, that of nesting as far as it goes. */
const noLimits = Object.fromEntries(
  names.map((name) => [name, name === 'maxNesting' ? mostNesting : Infinity]),
) as { [limit in LimitName]: number }

/** The refusal of a document by a limit, as clients see it. */
function refusal(limit: LimitName, allowed: number, found = allowed + 1): object {
  const extensions = { code: 'DOCUMENT_LIMIT_EXCEEDED', limit, allowed, found }
  const message = new RegExp(
    `^The document .*\\b${found}\\b.*, more than the limit of ${allowed}\\.$`,
  )
  return { errors: [{ message, extensions }] }
}

for (const name of names) {
  const [small, status, documentOf] = limits[name]
  for (const given of [small, undefined]) {
    const allowed = given ?? defaultLimits[name]
    void t.test(`${name} holds exactly: ${given ?? 'its default,'} ${allowed}`, async (t) => {
      const send = clientFor({ ...noLimits, [name]: given })
      const taken = await send({ json: { query: documentOf(allowed) } })
      t.equal(taken.status, 200, taken.body)
      for (const round of ['checked', 'known']) {
        const refused = await send({ json: { query: documentOf(allowed + 1) } })
        t.equal(refused.status, status, round)
        t.match(refused.json(), refusal(name, allowed), round)
        t.notMatch(refused.body, '"data"', round)
      }
    })
  }

  void t.test(`${name} is turned off by the largest number`, async (t) => {
    const figure = Math.min(defaultLimits[name] + 1, mostNesting)
    t.equal((await clientFor(noLimits)({ json: { query: documentOf(figure) } })).status, 200)
  })
}

void t.test('a limit of nothing can be set', async (t) => {
  const send = clientFor({ maxAliases: 0, maxDirectives: 0, maxSchemaFields: 0 })
  t.equal((await send({ json: { query: '{ a }' } })).status, 200)
  for (const query of ['{ b: a }', '{ a @tag }', '{ __schema { __typename } }']) {
    t.equal((await send({ json: { query } })).status, 422, query)
  }
})

// oxfmt-ignore
const figures: readonly [title: string, limit: LimitName, query: string, found: number][] = [
  ['aliases, once a spread',                'maxAliases',            '{ ...f n { a } ... { ...f } ...f } fragment f on Query { x: a y: a }',  6],
  ['aliases within an aliased field',       'maxAliases',            '{ x: n { y: a } }',                                                     2],
  ['aliases of fragments within fragments', 'maxAliases',            '{ ...f ...f } fragment f on Query { x: a ...g ...g } fragment g on Query { y: a }', 6],
  ['aliases of the larger operation',       'maxAliases',            'query A { x: a } query B { x: a y: a }',                                2],
  ['pairs within others and in fragments',  'maxFieldPairs',         '{ n { n { a } } ...f ...f } fragment f on Query { n { a } }',          3],
  ['pairs of aliases, without leaves',      'maxFieldPairs',         '{ x: n { a a } x: n { a } n { a } }',                                  1],
  ['aliases of an unused fragment',         'maxAliases',            '{ a } fragment f on Query { x: a y: a z: a }',                          3],
  ['nothing of a fragment that is not there', 'maxAliases',          '{ x: a ...f }',                                                         1],
  ['an alias in an unused fragment',        'maxNameLength',         '{ abc: a } fragment f on Query { abcd: a }',                            4],
  ['a variable',                            'maxNameLength',         'query ($abcde: Int) { any(of: [$abcde]) }',                             5],
  ['the name of an operation',              'maxNameLength',         'query ABCDEF { a } query B { a }',                                      6],
  ['a number with its sign and exponent',   'maxNumberLength',       '{ any(of: [12, -1.5e-10]) }',                                           8],
  ['no digits of texts and names',          'maxNumberLength',       '{ any(of: ["1234", a1234, 1]) # 1234\n }',                              1],
  ['depth through a fragment',              'maxDepth',              '{ n { ...f } } fragment f on Node { n { a } }',                         3],
  ['depth where it is spread deeper',       'maxDepth', '{ ...g n { n { ...f } } } fragment g on Query { n { ...f } } fragment f on Node { n { a } }', 4],
  ['depth without inline fragments',        'maxDepth',              '{ ... { ... { n { ... on Node { a } } } } }',                           2],
  [
    'depth without lists and non-nulls around a type of introspection',
    'maxDepth',
    '{ __schema { types { ...T } } } fragment T on __Type { ofType { ofType { ...on __Type { ofType { name } } } } }',
    4,
  ],
  ['depth of fields that are only named alike', 'maxDepth',          '{ n { ...N } } fragment N on Node { ofType: n { ofType: n { a } } }',   4],
  ['depth of introspection',                'maxDepth',              '{ __schema { types { fields { name } } } }',                            4],
  ['nesting through a fragment',            'maxNesting',            '{ ...f } fragment f on Query { n { a } }',                              3],
  ['nesting behind strings',                'maxNesting',            '{ a: any(of: ["a"]) b: any(of: ["""b"""]) c: any(of: ["\\""]) }',      3],
  ['nesting of inline fragments',           'maxNesting',            '{ ... { ...f } } fragment f on Query { ... { a } }',                    4],
  ['root fields by response name',          'maxRootFields',         '{ a a x: a ...f } fragment f on Query { a y: a ... { z: a } }',         4],
  ['root fields, not those below',          'maxRootFields',         '{ n { a n { a } } }',                                                   1],
  [
    'directives on all places',
    'maxDirectives',
    'query ($v: Int @tag) @tag { any(of: [$v]) ...f @tag ... @tag { a @tag @include(if: true) } } fragment f on Query @tag { a }',
    7,
  ],
  ['directives of a fragment once',         'maxDirectives',         '{ ...f ...f ...f } fragment f on Query { a @tag }',                     1],
  ['directives at an operation',            'maxDirectivesPerPlace', 'query @tag @tag @tag { a @tag }',                                       3],
  ['directives at a variable',              'maxDirectivesPerPlace', 'query ($v: Int @tag @tag) { any(of: [$v]) }',                           2],
  ['directives at a spread',                'maxDirectivesPerPlace', '{ ...f @tag @tag } fragment f on Query { a }',                          2],
  ['directives at a fragment',              'maxDirectivesPerPlace', '{ ...f } fragment f on Query @tag @tag { a }',                          2],
  ['directives at an inline fragment',      'maxDirectivesPerPlace', '{ ... @tag @tag { a } }',                                               2],
  ['variables of the larger operation',     'maxVariables',          'query A($a: Int) { any(of: [$a]) } query B($a: Int, $b: Int) { any(of: [$a, $b]) }', 2],
  ['__schema through spreads',              'maxSchemaFields',       '{ ...f ... { ...f } } fragment f on Query { __schema { __typename } }', 2],
  ['__type through spreads',                'maxTypeFields',         '{ ...f ...f ...f } fragment f on Query { __type(name: "A") { name } }', 3],
  ['tokens without what is ignored',        'maxTokens',             '\uFEFF{ # } { [\n a,,, \t }',                                           3],
  ['tokens of strings and numbers',         'maxTokens',             '{ any(of: ["} } \\" }", """a \\""" b "" {{""", -1.5e-3, 1-1]) }',       14],
  ['tokens of names without spaces',        'maxTokens',             '{_a:a az:any(of:[zZ])}',                                                15],
  ['tokens of a spread',                    'maxTokens',             '{ ...f } fragment f on Query { a }',                                    11],
  ['brackets that no string has',           'maxNesting',            '{ any(of: ["[[[[", """{{{{""", "\\"[[["]) # {{{{\n }',                  3],
  ['brackets one behind the other',         'maxNesting',            '{ any(of: [[] [] {} {}]) }',                                            4],
]
for (const [title, limit, query, found] of figures) {
  void t.test(`${limit} counts ${title}`, async (t) => {
    const viaFragment = limit === 'maxNesting' && query.includes('fragment')
    const status = viaFragment ? 422 : limits[limit][1]
    const json = { query, ...(query.includes('query B') && { operationName: 'B' }) }
    const below = await clientFor({ ...noLimits, [limit]: found - 1 })({ json })
    t.equal(below.status, status, below.body)
    t.match(below.json(), refusal(limit, found - 1, found))
    t.notMatch((await clientFor({ ...noLimits, [limit]: found })({ json })).body, 'LIMIT_EXCEEDED')
  })
}

void t.test('a chain of fragments that is too long to walk is refused', async (t) => {
  const chain = Array.from(
    { length: 20_000 },
    (_, at) => `fragment f${at} on Query { ...f${at + 1} }`,
  )
  const query = `{ ...f0 } ${chain.join(' ')} fragment f20000 on Query { a }`
  const refused = await clientFor({ ...noLimits, maxNesting: 50, maxDocumentLength: 1e6 })({
    json: { query },
  })
  t.equal(refused.status, 422, refused.body)
  t.match(refused.json(), refusal('maxNesting', 50))
})

/** Each fragment spreads the one before it several times. */
function doubling(levels: number, spreads: number, field: string): string {
  const fragments = Array.from({ length: levels }, (_, at) => {
    const inner = at === 0 ? field : times(spreads, `...f${at - 1}`)
    return `fragment f${at} on Query { ${inner} }`
  })
  return `{ ...f${levels - 1} } ${fragments.join(' ')}`
}

for (const [limit, field] of [
  ['maxAliases', 'x: a'],
  ['maxSchemaFields', '__schema { __typename }'],
  ['maxTypeFields', '__type(name: "A") { name }'],
] as const) {
  void t.test(`spreads within spreads that make 2^60 and 2^1200: ${limit}`, async (t) => {
    const send = clientFor({ ...noLimits, [limit]: 7, maxDocumentLength: 1e6 })
    for (const query of [doubling(61, 2, field), doubling(241, 32, field)]) {
      const response = await send({ json: { query } })
      t.equal(response.status, 422)
      t.match(response.json(), refusal(limit, 7, Number.MAX_SAFE_INTEGER))
    }
  })
}

for (const query of [
  '{ ...f } fragment f on Query { ...f }',
  '{ a } fragment f on Query { a ...f }',
  '{ ...f } fragment f on Query { x: a ...g } fragment g on Query { ...f ...f }',
  '{ n { ...f } } fragment f on Node { a n { n { ...f } } }',
]) {
  void t.test(`validation refuses a cycle, and no limit does: ${query}`, async (t) => {
    const response = await clientFor()({ json: { query } })
    t.equal(response.status, 422)
    const code = 'GRAPHQL_VALIDATION_FAILED'
    t.match(response.json(), { errors: [{ message: /within itself/, extensions: { code } }] })
  })
}

for (const [title, query] of [
  ['17', graphql.getIntrospectionQuery({ ...everything, experimentalDirectiveDeprecation: true })],
  ['16', graphql16.getIntrospectionQuery(everything)],
  ['17 of types in 11 lists', graphql.getIntrospectionQuery({ ...everything, typeDepth: 11 })],
] as const) {
  void t.test(`the introspection query of graphql ${title} passes by default`, async (t) => {
    const response = await clientFor()({ json: { query } })
    t.equal(response.status, 200, response.body)
    const reports: LimitReport[] = []
    const watched = clientFor({ reportOnly: 'all', onLimit: (report) => reports.push(report) })
    await watched({ json: { query } })
    t.strictSame(reports, [])
  })
}

for (const name of names.filter((one) => one !== 'maxNesting')) {
  for (const reportOnly of [[name], 'all'] as const) {
    void t.test(`reportOnly ${JSON.stringify(reportOnly)} takes and reports ${name}`, async (t) => {
      const [small, , documentOf] = limits[name]
      const query = documentOf(small + 1)
      const reports: unknown[] = []
      const published: unknown[] = []
      const listen = (report: unknown): void => void published.push(report)
      const onLimit = (report: LimitReport): void => void reports.push(report)
      const send = clientFor({ ...noLimits, [name]: small, reportOnly, onLimit })
      subscribe('graphwire:limit', listen)
      t.teardown(() => unsubscribe('graphwire:limit', listen))
      const expected = { limit: name, allowed: small, found: small + 1, document: query }
      t.equal((await send({ json: { query } })).status, 200)
      await send({ json: { query: documentOf(small) } })
      t.strictSame([published, reports], [[expected], [expected]], 'what is at the limit is none')
      await send({ json: { query } })
      const isOfRequest = name === 'maxCost' || name === 'maxIntrospectionSize'
      t.equal(reports.length, isOfRequest ? 2 : 1, 'a known document, whose cost is new')
    })
  }
}

void t.test('a document beyond several limits is reported for each', async (t) => {
  const reports: LimitReport[] = []
  const options = { maxTokens: 3, maxAliases: 1, maxRootFields: 1, maxDirectives: 0 }
  const reportOnly = ['maxTokens', 'maxAliases', 'maxDirectives'] as const
  const send = clientFor({ ...options, reportOnly, onLimit: (report) => reports.push(report) })
  const response = await send({ json: { query: '{ x: a y: a @tag }' } })
  t.match(response.json(), refusal('maxRootFields', 1))
  const found = reports.map((report) => `${report.limit} ${report.found}`)
  t.strictSame(found, ['maxTokens 10', 'maxAliases 2'])
})

void t.test("reportOnly 'all' still refuses what nests too deep", async (t) => {
  const send = clientFor({ reportOnly: 'all', maxNesting: 3, onLimit: () => {} })
  const [, , documentOf] = limits.maxNesting
  t.equal((await send({ json: { query: documentOf(4) } })).status, 400)
  const query = '{ ...f } fragment f on Query { n { n { a } } }'
  t.equal((await send({ json: { query } })).status, 422)
})

void t.test('without onLimit a report is printed', async (t) => {
  const warned = t.capture(console, 'warn', () => {})
  const send = clientFor({ maxAliases: 1, reportOnly: 'all' })
  t.equal((await send({ json: { query: aliases(2) } })).status, 200)
  const text = `maxAliases is 1, but this document has 2: ${JSON.stringify(aliases(2))}`
  const printed = warned().map(({ args }) => args)
  t.strictSame(printed, [[`graphwire: ${text}`]])
})

void t.test('an onLimit that throws is a bug and fails no request', async (t) => {
  const bug = new Error('the reporter is broken')
  const options = { maxAliases: 1, reportOnly: ['maxAliases'], onLimit: thrower(bug) } as const
  const { ask, bugs } = clientOf({ schema, ...options })
  t.equal((await ask(aliases(2))).status, 200)
  t.strictSame(bugs, [bug])
})

function errorsOf(response: TestResponse): { message: string; extensions: { code: string } }[] {
  return (response.json() as { errors: ReturnType<typeof errorsOf> }).errors
}

for (const [code, query] of [
  ['GRAPHQL_VALIDATION_FAILED', `{ ${each(9, 'no#')} }`],
  ['BAD_USER_INPUT', `query (${each(9, '$v#: Int!')}) { ints(of: [${each(9, '$v#')}]) }`],
] as const) {
  void t.test(`of the faults with ${code} maxErrors are reported`, async (t) => {
    for (const maxErrors of [undefined, 1, 3]) {
      const response = await clientFor({ maxErrors })({ json: { query } })
      t.equal(response.status, 422)
      const errors = errorsOf(response)
      t.equal(errors.length, (maxErrors ?? 5) + 1)
      t.match(errors.at(-1)?.message, /^Too many .*error limit reached/)
      t.ok(errors.every(({ extensions }) => extensions.code === code))
    }
    t.equal(errorsOf(await clientFor({ maxErrors: 9 })({ json: { query } })).length, 9)
  })
}

const longName = 'x'.repeat(300)
for (const [title, json] of /* oxfmt-ignore */ [
  ['validation', { query: `{ ${longName} }` }],
  ['syntax',     { query: `{ a } ${longName}` }],
  ['variables',  { query: 'query ($v: Int!) { list(first: $v) { a } }', variables: { v: longName } }],
] as const) {
  void t.test(`what graphql says of ${title} is cut`, async (t) => {
    for (const maxMessageLength of [undefined, 20]) {
      const [error] = errorsOf(await clientFor({ maxMessageLength })({ json }))
      t.equal(error?.message.length, (maxMessageLength ?? 200) + '...'.length)
      t.match(error?.message, /\.\.\.$/)
    }
    const whole = errorsOf(await clientFor({ maxMessageLength: Infinity })({ json }))
    t.match(whole[0]?.message, longName)
  })
}

void t.test('a document is as long as maxDocumentLength at most, by any method', async (t) => {
  for (const maxDocumentLength of [undefined, 100]) {
    const limit = maxDocumentLength ?? 65_536
    const send = clientFor({ maxDocumentLength, maxUrlLength: 1e6 })
    for (const length of [limit, limit + 1]) {
      const query = '{ a }'.padEnd(length)
      const target = `/graphql?query=${encodeURIComponent(query)}`
      const json = { query }
      for (const request of [{ json }, { method: 'QUERY', json }, { target }]) {
        const response = await send(request)
        t.equal(response.status, length === limit ? 200 : 413)
        if (length === limit) continue
        const extensions = { code: 'DOCUMENT_TOO_LONG', allowed: limit, found: limit + 1 }
        t.match(response.json(), { errors: [{ extensions }] })
      }
    }
  }
})

/** A JSON text of so many levels, the object around it among them. */
function nested(levels: number, start = ''): string {
  return `{${start}"x":${brackets(levels - 1)}}`
}

const query = '{ a }'
const byGet = `/graphql?query=${encodeURIComponent(query)}`
const ofJson = { 'Content-Type': 'application/json' }
const request = {
  body: (levels: number) => ({ body: nested(levels, `"query":"${query}",`), headers: ofJson }),
  variables: (levels: number) => ({ target: `${byGet}&variables=${nested(levels)}` }),
  extensions: (levels: number) => ({ target: `${byGet}&extensions=${nested(levels)}` }),
}
for (const [place, make] of Object.entries(request)) {
  for (const maxJsonNesting of [undefined, 2, 512]) {
    const limit = maxJsonNesting ?? 128
    void t.test(`JSON of the ${place} nests ${limit} levels at most`, async (t) => {
      const send = clientFor({ maxJsonNesting })
      const taken = await send(make(limit))
      t.equal(taken.status, 200, taken.body)
      const refused = await send(make(limit + 1))
      t.equal(refused.status, 400)
      const extensions = { code: 'JSON_TOO_DEEP', allowed: limit }
      t.match(refused.json(), { errors: [{ extensions }] })
    })
  }
}

for (const [title, text] of [
  ['in strings', '{"query":"{ a }","x":"[[[[{{{{\\"[[[[","y":"\\\\"}'],
  ['one behind the other', '{"query":"{ a }","x":[],"y":[],"z":{}}'],
] as const) {
  void t.test(`brackets ${title} do not count as nesting`, async (t) => {
    t.equal((await clientFor({ maxJsonNesting: 2 })({ body: text, headers: ofJson })).status, 200)
  })
}

void t.test('a parsed body nests as little as a text may', async (t) => {
  const handler = createHandler({ schema, maxJsonNesting: 4 })
  const headers = Object.entries(ofJson).flat()
  const head = { method: 'POST', target: '/', headers, raw: undefined }
  const proceed = (json: unknown) => handler({ ...head, body: { read: () => ({ json }) } })
  const endless: { [name: string]: unknown } = { query }
  endless['self'] = endless
  t.match(proceed(JSON.parse(nested(4, `"query":"${query}",`))), { status: 200 })
  for (const json of [JSON.parse(nested(5, `"query":"${query}",`)), endless, [[[[[]]]]]]) {
    t.match(proceed(json), { status: 400, body: /JSON_TOO_DEEP/ })
  }
})

for (const [title, text] of [
  ['ASCII', 'x'.repeat(30)],
  ['two bytes a character', 'é'.repeat(30)],
  ['three bytes', '€'.repeat(30)],
  ['four bytes', '😀'.repeat(30)],
] as const) {
  void t.test(`a response longer than maxResponseBytes is a masked bug: ${title}`, async (t) => {
    const rootValue = { text }
    const bytes = Buffer.byteLength(JSON.stringify({ data: rootValue }))
    const fitting = clientOf({ schema, rootValue, maxResponseBytes: bytes })
    t.match(await fitting.ask('{ text }'), { status: 200 })
    t.strictSame(fitting.bugs, [])
    const { ask, bugs } = clientOf({ schema, rootValue, maxResponseBytes: bytes - 1 })
    const masked = await ask('query Long { text }')
    t.equal(masked.status, 500)
    t.match(masked.json(), { errors: [{ message: 'Internal server error' }] })
    t.notMatch(masked.body, text)
    t.match(bugs, [{ message: /operation Long is longer than maxResponseBytes/ }])
  })
}

void t.test('the limits hold with graphql 16 too', async (t) => {
  const [[, old]] = majors as [[string, typeof graphql]]
  const options = { schema: old.buildSchema(sdl), graphql: old }
  for (const name of names) {
    const [small, status, documentOf] = limits[name]
    const { ask } = clientOf({ ...options, ...noLimits, [name]: small })
    t.equal((await ask(documentOf(small))).status, 200, name)
    t.equal((await ask(documentOf(small + 1))).status, status, name)
  }
  t.equal((await clientOf(options).ask(old.getIntrospectionQuery(everything))).status, 200)
})
