import { inspect } from 'node:util'
import * as graphql from 'graphql'
import t from 'tap'
import type { InputValue } from '../../../../src/graphql/limits/cost/input-value.js'
import { majors } from '../../majors.js'
import { InputSizes, toRequestedSize } from '../../../../src/graphql/limits/cost/input-size.js'

for (const [major, module] of majors) {
  void t.test(`a variable is read once, however many fields use it (${major})`, async (t) => {
    const schema = module.buildSchema(
      'input Window { limit: Int any: [Window] } type Query { a(window: Window): Int }',
    )
    const type = schema.getType('Window') as graphql.GraphQLInputObjectType
    let reads = 0
    const windows = [{ limit: 5 }, { limit: 50 }]
    const items: InputValue = {
      get value() {
        reads += 1
        return windows
      },
    }
    const sizes = new InputSizes(['limit'], () => items)
    const literal = module.parseValue('{ any: $windows }')
    const found = sizes.read({ literal }, type)
    t.same(found, { size: 50, longest: 2 })
    const before = reads
    t.same(sizes.read({ literal }, type), found)
    t.equal(reads, before)
  })

  void t.test(`a list of scalars is measured and not walked (${major})`, async (t) => {
    const schema = module.buildSchema(
      'input Filter { ids: [ID!] } type Query { a(filter: Filter): Int }',
    )
    const type = schema.getType('Filter') as graphql.GraphQLInputObjectType
    let walked = 0
    const value = new Proxy(['1', '2', '3'], {
      get(list, name, proxy) {
        if (name !== 'length') walked++
        return Reflect.get(list, name, proxy) as unknown
      },
    })
    const sizes = new InputSizes(['limit'], () => ({ value }))
    t.same(sizes.read({ literal: module.parseValue('{ ids: $ids }') }, type), {
      size: undefined,
      longest: 3,
    })
    t.equal(walked, 0)
  })

  void t.test(`defaults that go round come to an end (${major})`, async (t) => {
    const type: graphql.GraphQLInputObjectType = new module.GraphQLInputObjectType({
      name: 'Round',
      fields: () => ({
        limit: { type: module.GraphQLInt, defaultValue: 30 },
        round: { type, defaultValue: { round: {} } },
      }),
    })
    const sizes = new InputSizes(['limit'], () => undefined)
    t.same(sizes.read({ value: {} }, type), { size: 30, longest: 0 })
  })
}

void t.test('what a size argument asks for', async (t) => {
  const most = Number.MAX_SAFE_INTEGER
  for (const [value, size, isExact] of /* oxfmt-ignore */ [
    [5,                5,       true],
    [0,                0,       true],
    [0.5,              1,       true],
    [1.5,              2,       true],
    [Number.MIN_VALUE, 1,       true],
    [Infinity,         most,    true],
    [-Infinity,        0,       false],
    [NaN,              0,       false],
    [-1,               0,       false],
    [-0.5,             0,       false],
    [5n,               5,       false],
    [2n ** 70n,        most,    false],
    [-5n,              0,       false],
    ['5',              5,       false],
    ['0.5',            1,       false],
    ['5 of them',      5,       false],
    ['99999e-5',       99_999,  false],
    ['1e5',            100_000, false],
    ['-5',             0,       false],
    ['-5e',            0,       false],
    ['Infinity',       most,    false],
    ['',               0,       false],
    ['many',           0,       false],
    [true,             0,       false],
    [[5],              0,       false],
    [{ size: 5 },      0,       false],
  ] as const) {
    t.same(toRequestedSize({ value }), { size, isExact }, inspect(value))
  }
  for (const nothing of [null, undefined]) t.equal(toRequestedSize({ value: nothing }), undefined)
  for (const [text, size, isExact] of /* oxfmt-ignore */ [
    ['5',        5,       true],
    ['-0',       0,       true],
    ['0.5',      1,       true],
    ['1e5',      100_000, true],
    ['99999e-5', 99_999,  true],
    ['1e999',    most,    true],
    ['-5',       0,       false],
    ['"5"',      5,       false],
    ['MANY',     0,       false],
    ['true',     0,       false],
    ['[5]',      0,       false],
  ] as const) {
    t.same(toRequestedSize({ literal: graphql.parseValue(text) }), { size, isExact }, text)
  }
  t.equal(toRequestedSize({ literal: graphql.parseValue('null') }), undefined)
})
