import { parse, type ExecutionArgs } from 'graphql'
import t from 'tap'
import { executeText } from '../../src/compiled/index.js'
import { executeByReference } from './differential/executors.js'
import { atOnce, outcomeOf, schemaWith, toArgs } from './outcome.js'
import { attackRows } from './rows/attack-rows.js'
import { sdl } from './rows/attack-schema.js'
import { differenceRows } from './rows/difference-rows.js'
import { differenceOfRow } from './rows/row.js'

for (const row of [...attackRows, ...differenceRows]) {
  void t.test(row.name, async (t) => {
    t.equal(await differenceOfRow(row, executeText), undefined)
    const rootValue = { text: 'next' }
    const next = atOnce(executeText(toArgs(schemaWith(sdl), '{ text }', { rootValue })))
    t.equal(next.text, '{"text":"next"}', 'the next execution is not disturbed')
  })
}

void t.test('toJSON and getters may execute the same document again', async (t) => {
  const schema = schemaWith(sdl)
  const document = parse('{ text any number self { text any } }')
  const run = (execute: typeof executeText, depth: number): string | undefined => {
    const again = (): unknown => (depth === 0 ? 'end' : run(execute, depth - 1))
    const rootValue = {
      get text() {
        return again()
      },
      any: { toJSON: again },
      number: 7,
      self: { text: 'ä'.repeat(depth * 30), any: { toJSON: () => again() } },
    }
    return atOnce(execute({ schema, document, rootValue })).text
  }
  t.equal(run(executeText, 3), run(executeByReference, 3))
})

/** Each fragment doubles: written out, the operation has 2^40 fields. */
function doubling(levels: number): string {
  const fragments = Array.from(
    { length: levels },
    (_, at) => `fragment F${at} on Query { a: self { ...F${at + 1} } b: self { ...F${at + 1} } }`,
  )
  return `{ ...F0 } ${fragments.join(' ')} fragment F${levels} on Query { text }`
}

// oxfmt-ignore
const costly: readonly (readonly [name: string, query: string, root: unknown])[] = [
  ['fragments that double at each level', doubling(40), { self: { text: 'a' } }],
  [
    'fragments that spread one another many times',
    `{ ...F0 } ${Array.from({ length: 300 }, (_, at) => `fragment F${at} on Query { ${`...F${at + 1} `.repeat(20)} }`).join(' ')} fragment F300 on Query { text }`,
    { text: 'a' },
  ],
  ['a field that is written ten thousand times', `{ ${'self { text } '.repeat(10_000)} }`,                                     { self: { text: 'a' } }],
  ['ten thousand aliases',                       `{ ${Array.from({ length: 10_000 }, (_, at) => `a${at}: text`).join(' ')} }`, { text: 'a' }],
  [
    'a thousand fields that each have selections of their own',
    `{ ${Array.from({ length: 1000 }, (_, at) => `a${at}: self { b${at}: list { text number } }`).join(' ')} }`,
    { self: { list: [{ text: 'a' }] } },
  ],
  ['five hundred levels',                    `${'{ self '.repeat(500)}{ text }${' }'.repeat(500)}`,                                      selves(500)],
  ['many conditions that are not variables', `{ ${'... @include(if: true) @skip(if: false) { '.repeat(400)} text ${' }'.repeat(400)} }`, { text: 'a' }],
]

function selves(levels: number): object {
  let root: object = { text: 'a' }
  for (let left = levels; left > 0; left--) root = { self: root }
  return root
}

for (const [name, query, rootValue] of costly) {
  void t.test(`${name} are executed as by graphql-js, and do not take long`, async (t) => {
    const schema = schemaWith(sdl)
    const args: ExecutionArgs = toArgs(schema, query, { rootValue })
    const reference = await outcomeOf(executeByReference, args)
    // What is exponential would not end within the time that a test has.
    t.strictSame(await outcomeOf(executeText, args), reference)
    t.strictSame(await outcomeOf(executeText, args), reference, 'the same again')
  })
}

void t.test('input types that hold one another do not make compiling recurse', async (t) => {
  const inputs = 'input A { b: [B!] a: A } input B { a: A! } type Query { f(a: A): String }'
  const query = 'query ($a: A) { f(a: $a) g: f(a: { a: $a b: [{ a: {} }] }) }'
  const rootValue = { f: (args: object) => JSON.stringify(args) }
  const variableValues = { a: { b: [{ a: {} }] } }
  const args = toArgs(schemaWith(inputs), query, { rootValue, variableValues })
  t.strictSame(await outcomeOf(executeText, args), await outcomeOf(executeByReference, args))
})
