import * as graphql from 'graphql'
import * as graphql16 from 'graphql-16'
import { GraphQLDateTime, GraphQLJSON } from 'graphql-scalars'
import t from 'tap'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import type { TypeResolvers } from '../../../src/graphql/schema/resolvers.js'
import { thrower } from '../../base/thrower.js'
import { majors } from '../majors.js'
import { clientOf } from '../../handler/client-of.js'

/** Outside a stamp is text such as "s:a", inside it is an object. */
interface Stamp {
  readonly stamp: string
}

function write(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'stamp' in value)
    return `s:${String(value.stamp)}`
  throw new TypeError('not a stamp inside')
}

function read(value: unknown): Stamp {
  if (typeof value === 'string' && value.startsWith('s:')) return { stamp: value.slice(2) }
  throw new TypeError('not a stamp outside')
}

function readLiteral(node: { readonly kind: string; readonly value?: unknown }): Stamp {
  return read(node.kind === 'StringValue' ? node.value : undefined)
}

function toLiteral(value: unknown): graphql.ConstValueNode {
  return { kind: 'StringValue', value: String(value) }
}

const fail = thrower(new TypeError('the other vocabulary was called'))

const old = { serialize: write, parseValue: read, parseLiteral: readLiteral }
const young = {
  coerceOutputValue: write,
  coerceInputValue: read,
  coerceInputLiteral: readLiteral,
  valueToLiteral: toLiteral,
}

const isYoung = 'replaceVariables' in graphql

// oxfmt-ignore
const vocabularies: readonly [name: string, scalar: TypeResolvers<unknown>][] = [
  ['the names of 16',                        old],
  ['the names of 16, no parser of literals', { serialize: write, parseValue: read }],
  ['the names of 17',                        young],
  ['the names of 17, no parser of literals', { coerceOutputValue: write, coerceInputValue: read }],
  ['both',                                   { ...old, ...young }],
  ['both, of which the new ones count',      { serialize: fail, parseValue: fail, parseLiteral: fail, ...young }],
  ['output of 16, input of 17',              { serialize: write, coerceInputValue: read }],
  ['output of 17, input of 16',              { coerceOutputValue: write, parseValue: read }],
  ['a literal of 16, a value of 17',         { ...young, coerceInputLiteral: undefined as never, parseLiteral: readLiteral }],
  // 16 reads the old names alone, and is what `graphql` may be.
  ['a GraphQLScalarType of 17',              new graphql.GraphQLScalarType({ name: 'Other', ...(isYoung ? young : old) })],
  ['a GraphQLScalarType of 17, old names',   new graphql.GraphQLScalarType({ name: 'Stamp', ...old })],
  ['a GraphQLScalarType of 16',              new graphql16.GraphQLScalarType({ name: 'Stamp', ...old }) as unknown as graphql.GraphQLScalarType],
]

const sdl = `
  directive @at(stamp: Stamp! = "s:directive") on FIELD
  scalar Stamp
  scalar Other
  extend scalar Stamp @specifiedBy(url: "https://example.com/stamp")
  input Box { at: Stamp  many: [Stamp!]  inner: Box  byDefault: Stamp! = "s:field" }
  type Query {
    one(at: Stamp): String
    many(at: [Stamp!]!): String
    box(box: Box!): String
    byDefault(at: Stamp! = "s:argument"): String
    listByDefault(at: [Stamp!]! = ["s:1", "s:2"]): String
    boxByDefault(box: Box! = { inner: { at: "s:deep" } }): String
    out: Stamp
    outs: [Stamp!]!
  }
  extend type Query { more(at: Stamp! = "s:extended"): String }
`

function seen(_source: unknown, args: unknown): string {
  return JSON.stringify(args)
}

void t.test('extensions of a scalar apply', async (t) => {
  const { schema } = clientWith(graphql, old)
  // graphql 16 ignores this extension in the document of the scalar itself.
  const specifiedByURL = graphql.version.startsWith('16.') ? undefined : 'https://example.com/stamp'
  t.match(schema.getType('Stamp'), { specifiedByURL })
})

void t.test('a scalar type keeps its address', async (t) => {
  const specifiedByURL = 'https://example.com/other'
  const scalar = new graphql.GraphQLScalarType({ name: 'Other', specifiedByURL })
  const { schema } = clientWith(graphql, scalar)
  t.equal(Reflect.get(schema.getType('Other') ?? {}, 'specifiedByURL'), specifiedByURL)
})

function clientWith(module: typeof graphql, scalar: TypeResolvers<unknown>) {
  const fields = ['one', 'many', 'box', 'byDefault', 'listByDefault', 'boxByDefault', 'more']
  const schema = buildSchema(
    sdl,
    {
      Stamp: scalar,
      Other: scalar,
      Query: {
        ...Object.fromEntries(fields.map((name) => [name, seen])),
        out: () => ({ stamp: 'out' }),
        outs: () => [{ stamp: '1' }, { stamp: '2' }],
      },
    },
    { graphql: module },
  )
  return { schema, ...clientOf({ schema, graphql: module }) }
}

const a = { stamp: 'a' }
const byDefault = { stamp: 'field' }

// oxfmt-ignore
const accepted: readonly [name: string, query: string, variables: object, answer: unknown][] = [
  ['a literal',                 '{ it: one(at: "s:a") }',                        {},             { at: a }],
  ['null',                      '{ it: one(at: null) }',                         {},             { at: null }],
  ['a variable',                'query ($v: Stamp) { it: one(at: $v) }',         { v: 's:a' },   { at: a }],
  ["a variable's default",      'query ($v: Stamp = "s:a") { it: one(at: $v) }', {},             { at: a }],
  ["an argument's default",     '{ it: byDefault }',                             {},             { at: { stamp: 'argument' } }],
  ['a default in an extension', '{ it: more }',                                  {},             { at: { stamp: 'extended' } }],
  ['a default list',            '{ it: listByDefault }',                         {},             { at: [{ stamp: '1' }, { stamp: '2' }] }],
  ["an input field's default",  '{ it: box(box: {}) }',                          {},             { box: { byDefault } }],
  ["an input field's default within a default", '{ it: boxByDefault }',          {}, { box: { inner: { at: { stamp: 'deep' }, byDefault }, byDefault } }],
  ['a nested literal',          '{ it: box(box: { inner: { at: "s:a" } }) }',    {},             { box: { inner: { at: a, byDefault }, byDefault } }],
  [
    'a variable in a nested literal',
    'query ($v: Stamp) { it: box(box: { inner: { at: $v } }) }',
    { v: 's:a' },
    { box: { inner: { at: a, byDefault }, byDefault } },
  ],
  ['a nested variable', 'query ($v: Box!) { it: box(box: $v) }', { v: { inner: { many: ['s:a'] } } }, { box: { inner: { many: [a], byDefault }, byDefault } }],
  ['a list of literals',        '{ it: many(at: ["s:a", "s:a"]) }',              {},             { at: [a, a] }],
  ['one literal for a list',    '{ it: many(at: "s:a") }',                       {},             { at: [a] }],
  ['a list of variables',       'query ($v: Stamp!) { it: many(at: [$v]) }',     { v: 's:a' },   { at: [a] }],
  ['a variable list',           'query ($v: [Stamp!]!) { it: many(at: $v) }',    { v: ['s:a'] }, { at: [a] }],
  ['output',                    '{ it: out }',                                   {},             's:out'],
  ['a list of output',          '{ it: outs }',                                  {},             ['s:1', 's:2']],
]

// oxfmt-ignore
const refused: readonly [name: string, query: string, variables: object][] = [
  ['a literal',                 '{ one(at: "a") }',                        {}],
  ['a literal of another kind', '{ one(at: { stamp: "a" }) }',             {}],
  ['a variable',                'query ($v: Stamp) { one(at: $v) }',       { v: 'a' }],
  ["a variable's default",      'query ($v: Stamp = "a") { one(at: $v) }', {}],
  ['a nested literal',          '{ box(box: { inner: { at: "a" } }) }',    {}],
  ['a nested variable',         'query ($v: Box!) { box(box: $v) }',       { v: { inner: { many: ['a'] } } }],
  ['a list of literals',        '{ many(at: ["s:a", "a"]) }',              {}],
  ['a variable list',           'query ($v: [Stamp!]!) { many(at: $v) }',  { v: ['s:a', { stamp: 'a' }] }],
]

for (const [major, module] of majors) {
  for (const [vocabulary, scalar] of vocabularies) {
    void t.test(`${major}, ${vocabulary}`, async (t) => {
      const { schema, ask } = clientWith(module, scalar)
      for (const [name, query, variables, answer] of accepted) {
        const response = await ask(query, variables)
        const it = response.json<{ data?: { it?: string } }>().data?.it
        const got: unknown = name.includes('output') ? it : JSON.parse(it ?? 'null')
        t.strictSame(got, answer, `${name}: ${response.body}`)
      }
      for (const [name, query, variables] of refused) {
        const response = await ask(query, variables)
        t.equal(response.status, 422, `refused: ${name}: ${response.body}`)
      }
      const [node] = graphql.parse('{ a @at }').definitions
      const { selections } = (node as graphql.OperationDefinitionNode).selectionSet
      const values = module.getDirectiveValues(schema.getDirective('at')!, selections[0]!)
      t.same(values, { stamp: { stamp: 'directive' } }, "a directive's default")
    })
  }
}

for (const [major, module] of majors) {
  void t.test(`${major}: scalars of the package graphql-scalars`, async (t) => {
    const schema = buildSchema(
      `scalar Date scalar JSON
      type Query { next(day: Date! = "2026-01-01T00:00:00Z"): Date  json(value: JSON = { a: [1] }, n: Int): String }`,
      {
        Date: GraphQLDateTime,
        JSON: GraphQLJSON,
        Query: {
          next: (_source, { day }: { readonly day: Date }) => new Date(day.getTime() + 86_400_000),
          json: (_source, { value }) => JSON.stringify(value),
        },
      },
      { graphql: module },
    )
    const { ask } = clientOf({ schema, graphql: module })
    const query = `query ($v: Int, $day: Date) {
      next  literal: next(day: "2026-02-01T00:00:00Z")  variable: next(day: $day)
      json  nested: json(value: { a: [$v, 2], b: null, c: "x" })
    }`
    const response = await ask(query, { v: 1, day: '2026-03-01T00:00:00Z' })
    t.strictSame(response.json(), {
      data: {
        next: '2026-01-02T00:00:00.000Z',
        literal: '2026-02-02T00:00:00.000Z',
        variable: '2026-03-02T00:00:00.000Z',
        json: '{"a":[1]}',
        nested: '{"a":[1,2],"b":null,"c":"x"}',
      },
    })
    t.match((await ask('{ next(day: "yesterday") }')).body, 'GRAPHQL_VALIDATION_FAILED')
  })

  void t.test(`${major}: variables in a literal reach coerceInputLiteral as such`, async (t) => {
    const schema = buildSchema(
      `scalar Any  scalar Stamp  input Box { n: Int }
      type Query { print(any: Any, box: Box, stamp: Stamp, x: Float): String }`,
      {
        Any: { coerceInputValue: (value) => value, coerceInputLiteral: graphql.print },
        Stamp: { serialize: write, parseValue: () => new Date(0) },
        Query: { print: (_source, { any }) => String(any) },
      },
      { graphql: module },
    )
    const { ask } = clientOf({ schema, graphql: module })
    const query = `query ($text: String, $n: Int, $x: Float, $no: Boolean, $list: [Int], $box: Box, $absent: Int) {
      print(any: { text: $text, n: $n, x: $x, no: $no, list: $list, box: $box, absent: $absent, items: [$absent, $n] })
    }`
    const variables = { text: 'a"b', n: -3, x: 1.5, no: false, list: [1, null], box: { n: 2 } }
    const { data } = (await ask(query, variables)).json<{ data: { print: string } }>()
    const literal = String.raw`{text:"a\"b"n:-3x:1.5no:falselist:[1null]box:{n:2}items:[null-3]}`
    t.equal(data.print.replaceAll(/[\s,]/g, ''), literal)
    // What a variable's own scalar has parsed is not a literal any more; 17 still has what was sent.
    const parsed = await ask('query ($v: Stamp) { print(any: { a: $v }) }', { v: 's:a' })
    const isOld = !('replaceVariables' in module)
    t.match(parsed.body, isOld ? 'has invalid value' : String.raw`{ a: \"s:a\" }`)
  })

  void t.test(`${major}: the built-in types stay as they are`, async (t) => {
    const options = { graphql: module }
    const parse = (): number => 13
    for (const name of ['Int', 'ID', '__Type']) {
      const resolvers = { [name]: { serialize: parse, parseValue: parse } }
      const build = () => buildSchema('scalar Int type Query { a: Int b: ID }', resolvers, options)
      t.throws(build, { message: `Resolvers for "${name}": built-in types cannot be changed.` })
    }
  })

  void t.test(`${major}: a default that the scalar refuses is found at the start`, async (t) => {
    for (const [place, wrong] of [
      ['Query.a(at:)', 'scalar Stamp type Query { a(at: Stamp = "a"): Int }'],
      ['Box.at', 'scalar Stamp input Box { at: Stamp = "a" } type Query { a(box: Box): Int }'],
      ['@at(at:)', 'scalar Stamp directive @at(at: Stamp = "a") on FIELD type Query { a: Int }'],
    ] as const) {
      const options = { graphql: module }
      const start = () =>
        clientOf({ schema: buildSchema(wrong, { Stamp: old }, options), ...options })
      t.throws(start, { name: 'SchemaError', message: `${place} has invalid default value` })
    }
  })

  void t.test(`${major}: what a parser throws is quoted, a plain Error as well`, async (t) => {
    const refuse = thrower(new Error('the text of a plain Error'))
    const parsers = { parseValue: refuse, parseLiteral: refuse }
    const schema = buildSchema(
      'scalar Code input Box { code: Code } type Query { a(code: Code, box: Box): Int }',
      { Code: { serialize: String, ...parsers } },
      { graphql: module },
    )
    const { ask, bugs } = clientOf({ schema, graphql: module })
    for (const query of [
      '{ a(code: 1) }',
      '{ a(box: { code: 1 }) }',
      'query ($byDefault: Code = 1) { a(code: $byDefault) }',
      'query ($code: Code) { a(code: $code) }',
      'query ($box: Box) { a(box: $box) }',
    ]) {
      const response = await ask(query, { code: 1, box: { code: 1 } })
      t.equal(response.status, 422)
      t.match(response.body, 'the text of a plain Error')
    }
    t.strictSame(bugs, [])
  })

  void t.test(`${major}: the schema is printed the same with resolvers as without`, async (t) => {
    const { printSchema } = module
    const whole = `
      "What it is for." schema @note { query: Root mutation: Change } directive @note on SCHEMA
      type Root { z: Z color: Color } type Change { z(z: Z): Z } union Any = Root | Change
      "A last letter." scalar Z interface Node { id: ID! } enum Color { RED GREEN }`
    const bare = buildSchema(whole, {}, { graphql: module })
    const full = buildSchema(whole, { Z: old, Color: { RED: 1 } }, { graphql: module })
    t.equal(printSchema(full), printSchema(bare))
    t.strictSame(Object.keys(full.getTypeMap()), Object.keys(bare.getTypeMap()))
    const directivesOf = (schema: graphql.GraphQLSchema) => schema.getDirectives().map(String)
    t.strictSame(directivesOf(full), directivesOf(bare))
    t.equal(full.getQueryType()?.name, 'Root')
    t.equal(full.getMutationType()?.name, 'Change')
    t.strictSame(module.validateSchema(full), [])
  })
}
