import { readFileSync } from 'node:fs'
import t from 'tap'

interface Payload {
  readonly extensions: { readonly is_final: boolean }
}

const page = readFileSync(new URL('../../../docs/incremental.md', import.meta.url), 'utf8')
const [code = ''] = /function toRelay[^]*?\n\}\n/.exec(page) ?? []
const { toRelay } = (await import(`data:text/javascript,export ${encodeURIComponent(code)}`)) as {
  toRelay: (part: unknown) => readonly Payload[]
}

const more = { extensions: { is_final: false } }
const final = { extensions: { is_final: true } }

// oxfmt-ignore
const rows: readonly [title: string, part: object, payloads: readonly object[]][] = [
  ['the first part',       { data: { a: 1 }, hasNext: true },                                                          [{ data: { a: 1 }, errors: undefined, ...more }]],
  ['a fragment',           { hasNext: true, incremental: [{ data: { b: 2 }, path: ['a'], label: 'L' }] },              [{ data: { b: 2 }, path: ['a'], label: 'L', ...more }]],
  ['the last of two',      { hasNext: false, incremental: [{ data: {}, path: ['a'] }, { data: {}, path: ['b'] }] },    [{ data: {}, path: ['a'], ...more }, { data: {}, path: ['b'], ...final }]],
  ['each item by itself',  { hasNext: false, incremental: [{ items: ['x', 'y'], path: ['a', 3], label: 'L' }] },       [{ data: 'x', path: ['a', 3], label: 'L', ...more }, { data: 'y', path: ['a', 4], label: 'L', ...final }]],
  ['what failed',          { hasNext: false, incremental: [{ data: null, path: ['a'], errors: [{ message: 'x' }] }] }, [{ data: null, path: ['a'], errors: [{ message: 'x' }], ...final }]],
]
for (const [title, part, payloads] of rows) {
  void t.test(`the adapter for Relay: ${title}`, async (t) => {
    t.strictSame(toRelay(part), payloads)
  })
}
