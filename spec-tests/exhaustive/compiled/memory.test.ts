import { parse, type DocumentNode } from 'graphql'
import t, { type Test } from 'tap'
import { executeText } from '../../../src/compiled/index.js'
import { collectGarbage } from '../../collect-garbage.js'
import { atOnce, outcomeOf, schemaWith, toArgs } from '../../compiled/outcome.js'

// Each row does much of one thing.

const megabyte = 1_048_576

const schema = schemaWith(
  'type Query { text(of: String): String number: Int self: Query list: [Query] texts: [String] }',
)

/** What is in use once all that can be collected has been. */
async function inUse(): Promise<{ readonly heap: number; readonly buffers: number }> {
  for (let left = 3; left > 0; left--) await collectGarbage()
  const { heapUsed, arrayBuffers, external } = process.memoryUsage()
  return { heap: heapUsed, buffers: Math.max(arrayBuffers, external) }
}

/** At most so many megabytes more are in use after some work than before it. */
async function grows(
  t: Test,
  most: { readonly heap: number; readonly buffers: number },
  work: () => unknown,
): Promise<void> {
  const before = await inUse()
  await work()
  const after = await inUse()
  const [heap, buffers] = [after.heap - before.heap, after.buffers - before.buffers]
  t.ok(heap < most.heap * megabyte, `the heap grew by ${heap} bytes`)
  t.ok(buffers < most.buffers * megabyte, `buffers grew by ${buffers} bytes`)
}

function executeOnce(query: string, number: number): string | undefined {
  return atOnce(executeText(toArgs(schema, query, { rootValue: { number } }))).text
}

void t.test('100,000 different documents leave nothing behind', async (t) => {
  let wrong = 0
  // The tables of weak maps keep their size.
  for (let at = 0; at < 20_000; at++) executeOnce(`{ b${at}: number }`, at)
  await grows(t, { heap: 4, buffers: 1 }, () => {
    for (let at = 0; at < 100_000; at++) {
      if (executeOnce(`{ a${at}: number }`, at) !== `{"a${at}":${at}}`) wrong++
    }
  })
  t.equal(wrong, 0, 'each has its own answer')
})

void t.test('documents that are kept keep their plans, within a bound', async (t) => {
  const documents: DocumentNode[] = []
  const fields = Array.from({ length: 50 }, (_, at) => `a${at}: number`).join(' ')
  for (let at = 0; at < 1000; at++) documents.push(parse(`{ b${at}: text ${fields} }`))
  const run = (document: DocumentNode): void => {
    atOnce(executeText({ schema, document, rootValue: { number: 1, text: 'a' } }))
  }
  // 1.5 KB for each of 51,000 fields.
  await grows(t, { heap: 75, buffers: 1 }, () => {
    for (const document of documents) run(document)
  })
})

void t.test('10,000 combinations of @skip and @include are bounded, and right', async (t) => {
  const names = Array.from({ length: 14 }, (_, at) => `v${at}`)
  const declared = names.map((name) => `$${name}: Boolean!`).join(' ')
  const fields = names.map(
    (name, at) => `f${at}: number @${at % 2 ? 'skip' : 'include'}(if: $${name})`,
  )
  const document = parse(`query (${declared}) { text ${fields.join(' ')} }`)
  let wrong = 0
  await grows(t, { heap: 4, buffers: 1 }, () => {
    for (let bits = 0; bits < 10_000; bits++) {
      const flags = names.map((name, at) => [name, (bits >> at) % 2 === 1] as const)
      const present = flags.flatMap(([, flag], at) =>
        flag === (at % 2 === 0) ? [`,"f${at}":1`] : [],
      )
      const { text } = atOnce(
        executeText({
          schema,
          document,
          rootValue: { text: 'a', number: 1 },
          variableValues: Object.fromEntries(flags),
        }),
      )
      if (text !== `{"text":"a"${present.join('')}}`) wrong++
    }
  })
  t.equal(wrong, 0)
})

void t.test('an answer of 100 MB gives its buffer back', async (t) => {
  const long = 'a text of 64 bytes, without anything to escape: it is only long. '.repeat(16_384)
  let length = 0
  await grows(t, { heap: 2, buffers: 2 }, () => {
    const rootValue = { texts: Array.from({ length: 100 }, () => long) }
    const { text } = atOnce(executeText(toArgs(schema, '{ texts }', { rootValue })))
    length = text?.length ?? 0
  })
  t.equal(length, 100 * (long.length + 3) + '{"texts":[]}'.length - 1)
})

void t.test('an answer of 100 MB that comes late gives its parts back', async (t) => {
  const long = 'ein Text, in dem nicht alles ASCII ist: äöü. '.repeat(20_000)
  let isSame = false
  await grows(t, { heap: 2, buffers: 2 }, async () => {
    const rootValue = { list: Array.from({ length: 100 }, async () => ({ text: long })) }
    const { text } = await executeText(toArgs(schema, '{ list { text } }', { rootValue }))
    const item = `{"text":${JSON.stringify(long)}}`
    isSame = text === `{"list":[${Array.from({ length: 100 }, () => item).join()}]}`
  })
  t.ok(isSame, 'the text is right')
})

void t.test('an operation that executes itself 200 deep leaves nothing behind', async (t) => {
  const args = toArgs(schema, '{ number text self { number } }')
  const run = (depth: number): string | undefined => {
    const text = (): unknown => (depth === 200 ? 'end' : run(depth + 1)?.length)
    return atOnce(executeText({ ...args, rootValue: { number: depth, text } })).text
  }
  const first = run(0)
  await grows(t, { heap: 1, buffers: 1 }, () => t.equal(run(0), first))
  t.equal(first, '{"number":0,"text":"36","self":null}')
})

void t.test('executions that never end are collected once nothing holds them', async (t) => {
  const args = toArgs(schema, '{ number list { text } texts }')
  const start = (): void => {
    const text = new Promise<string>(() => undefined)
    const texts = Array.from({ length: 100 }, (_, at) => `text ${at}`)
    void executeText({ ...args, rootValue: { number: 1, list: [{ text }, { text }], texts } })
  }
  start()
  await grows(t, { heap: 2, buffers: 1 }, () => {
    for (let left = 5000; left > 0; left--) start()
  })
})

void t.test('a list of 200,000 promises is right, and leaves nothing behind', async (t) => {
  const args = toArgs(schema, '{ list { number } }')
  let isSame = false
  await grows(t, { heap: 2, buffers: 1 }, async () => {
    const list = Array.from({ length: 200_000 }, async (_, number) => ({ number }))
    const { text } = await executeText({ ...args, rootValue: { list } })
    isSame = text === `{"list":[${list.map((_, number) => `{"number":${number}}`).join()}]}`
  })
  t.ok(isSame)
})

void t.test('the stack serves deeper lists than graphql-js can complete', async (t) => {
  const levels = 300
  const args = toArgs(schema, `${'{ list '.repeat(levels)}{ number }${' }'.repeat(levels)}`, {
    rootValue: Array.from({ length: levels }).reduce((inner: object) => ({ list: [inner] }), {
      number: 1,
    }),
  })
  const text = `${'{"list":['.repeat(levels)}{"number":1}${']}'.repeat(levels)}`
  t.strictSame(await outcomeOf(executeText, args), { waits: false, text, errors: [] })
})
