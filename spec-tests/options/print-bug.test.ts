import t, { type Test } from 'tap'
import { createBugPrinter } from '../../src/options/print-bug.js'
import type { BugReporter, RequestInfo } from '../../src/options/request-info.js'
import { testClient } from '../../src/hosts/testing.js'
import { buildSchema, createHandler } from '../../src/index.js'
import { thrower } from '../base/thrower.js'

const megabyte = 'x'.repeat(1_000_000)
/** Stacks of as many lines, all different, take the square of them to compare. */
const manyLines = Array.from({ length: 100_000 }, (_, at) => `\n    at line${at}`).join('')

function printed(t: Test, ...bugs: readonly Readonly<Parameters<BugReporter>>[]) {
  const lines = t.capture(console, 'error', () => {})
  const print = createBugPrinter()
  for (const bug of bugs) print(...bug)
  return lines().map(({ args }) => {
    t.equal(args.length, 1, 'no text of a client is a format')
    return String(args[0])
  })
}

const fails = thrower(new Error('no log'))
const unprintable = Object.defineProperty(new Error('failed'), 'message', { get: fails })
const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' })
const request = new Error('request failed')
const long = `Invalid cursor ${manyLines}`
const wrapped = new Error(long, { cause: new Error(`${long}x`) })

const listsOf = (value: unknown): unknown[] => Array.from({ length: 20 }, () => value)
const many = Object.fromEntries(Array.from({ length: 1e5 }, (_, at) => [at, 1]))

// oxfmt-ignore
const bugs: readonly (readonly [title: string, bug: unknown, ...texts: readonly string[]])[] = [
  ['an error',                              request,                                                                      'Error: request failed', 'print-bug.test'],
  ['an error with a cause',                 new Error('query failed', { cause: refused }),                                'query failed', 'connect ECONNREFUSED', 'code:'],
  ['errors of fetch',                       new TypeError('fetch failed', { cause: new AggregateError([refused], '2') }), 'fetch failed', 'AggregateError'],
  ['an error with members',                 Object.assign(new Error('status 500'), { response: { status: 500 } }),        'status 500', 'status: 500'],
  ['an error that quotes a megabyte',       new Error(`Invalid cursor ${megabyte}`),                                      'Error: Invalid cursor xx', '...', 'print-bug.test'],
  ['a cause that quotes a megabyte',        new Error('failed', { cause: new Error(megabyte) }),                          'Error: failed', '[cause]: Error: xx'],
  ['one of several that quotes a megabyte', new AggregateError([new Error('first'), new Error(megabyte)], 'all'),         'AggregateError: all', 'Error: first', 'Error: xx'],
  ['a member that quotes a megabyte',       Object.assign(new Error('failed'), { query: megabyte }),                      'Error: failed', 'xx'],
  ['an inner error in a member',            Object.assign(new Error('failed'), { original: wrapped }),                    'Error: failed'],
  ['lines of stacks that a client wrote',   wrapped,                                                                      'Error: Invalid cursor'],
  ['a list of a million',                   Object.assign(new Error('failed'), { rows: Array(1e6).fill(1) }),             'Error: failed', 'more items'],
  ['an object of many members',             Object.assign(new Error('failed'), { rows: many }),      'Error: failed'],
  ['texts of many short lines',             Object.assign(new Error('failed'), { rows: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [at, '\n'.repeat(1000)])) }), 'Error: failed'],
  ['a map of large objects',                Object.assign(new Error('failed'), { rows: new Map([[1, many]]) }), 'Error: failed'],
  ['a set of many',                         Object.assign(new Error('failed'), { rows: new Set(Array(1e5).keys()) }),     'Error: failed'],
  ['members named by symbols',              Object.assign(new Error('failed'), { [Symbol('rows')]: many }), 'Error: failed'],
  ['lists of lists of lists',               Object.assign(new Error('failed'), Object.fromEntries(listsOf(listsOf(listsOf(1))).entries())), 'Error: failed'],
  ['a promise of a large object',           Object.assign(new Error('failed'), { rows: Promise.resolve(many) }), 'Error: failed'],
  ['a function with many members',          Object.assign(new Error('failed'), { rows: Object.assign(() => 1, many) }), 'Error: failed'],
  ['a boxed text',                          Object.assign(new Error('failed'), { rows: new String(megabyte) }),           'Error: failed'],
  ['parameters of a URL',                   Object.assign(new Error('failed'), { rows: new URLSearchParams('a&'.repeat(1e5)) }), 'Error: failed'],
  ['an object that shows itself',           Object.assign(new Error('failed'), { rows: { [Symbol.for('nodejs.util.inspect.custom')]: () => megabyte } }), 'Error: failed'],
  ['bytes with many members',               Object.assign(new Error('failed'), { rows: Object.assign(new Uint8Array(2), { many }) }), 'Error: failed'],
  ['a list of a million, thrown',           Array(1e6).fill(megabyte),                                                    'object Array'],
  ['a map',                                 Object.assign(new Error('failed'), { rows: new Map([['a', 1]]) }),            'Error: failed', "'a' => 1"],
  ['a text of a megabyte',                  megabyte,                                                                     'xx'],
  ['undefined',                             undefined,                                                                    'undefined'],
  ['an error whose message throws',         unprintable,                                                                  'could not be printed'],
]

for (const runtime of ['Node', 'a runtime without node:util'] as const) {
  for (const [title, bug, ...texts] of bugs) {
    void t.test(`${title} is printed within limits on ${runtime}`, async (t) => {
      if (runtime !== 'Node') t.capture(process, 'getBuiltinModule', () => undefined)
      const [line = ''] = printed(t, [bug, { id: 'id-1' }])
      t.match(line, /^graphwire: bug id-1 /)
      // Without node:util there are no members.
      for (const text of runtime === 'Node' ? texts : texts.slice(0, 1)) t.match(line, text)
      t.ok(line.length < 8300, `${line.length} characters`)
    })
  }
}

void t.test('of many items and errors, the first are shown', async (t) => {
  const errors = ['first', 'second', 'third'].map((message) => new Error(message))
  const items = Object.assign(new Error('failed'), { rows: Array(22).fill(1) })
  t.match(printed(t, [items, { id: 'id' }])[0], '... 2 more items')
  t.capture(process, 'getBuiltinModule', () => undefined)
  const [line] = printed(t, [new AggregateError(errors, 'all'), { id: 'id' }])
  t.match(line, 'Error: second')
  t.notMatch(line, 'Error: third')
})

void t.test('names, paths and ids are cut', async (t) => {
  const path = Array<string>(5000).fill('a'.repeat(200))
  const details = { id: 'i'.repeat(60_000), operationName: 'Q'.repeat(60_000), path }
  const [line = ''] = printed(t, ['bug', details, {} as RequestInfo])
  const place = /operation Q{100}\.\.\. path a{200}\.a{200}\.a{98}\.\.\./
  t.match(line, new RegExp(`^graphwire: error i{100}\\.\\.\\. ${place.source} 'bug'$`))
})

const stack = [
  'Error: failed',
  '    at resolve (file:///app/resolvers.js:1:2)',
  '    at executeField (file:///app/node_modules/graphql/execution/execute.mjs:3:4)',
  '    at new Promise (<anonymous>)',
  '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
]
// oxfmt-ignore
const frames: readonly [what: string, env: string, path: readonly string[] | undefined, stack: readonly string[], shown: readonly string[]][] = [
  ['of a resolver, outside production',            'test',       ['a'],     stack,                             [...stack.slice(0, 2), '    at new Promise (<anonymous>)']],
  ['of a resolver, in production',                 'production', ['a'],     stack,                             stack],
  ['of a hook',                                    'test',       undefined, stack,                             stack],
  ['of a resolver without frames of its own',      'test',       ['a'],     stack.filter((_, at) => at !== 1 && at !== 3), stack.filter((_, at) => at !== 1 && at !== 3)],
]
for (const [what, env, path, lines, shown] of frames) {
  void t.test(`the stack of an error ${what}`, async (t) => {
    const before = process.env['NODE_ENV']
    process.env['NODE_ENV'] = env
    const bug = Object.assign(new Error('failed'), { stack: lines.join('\n') })
    const [line = ''] = printed(t, [bug, { id: 'id', ...(path && { path }) }, {} as RequestInfo])
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
    const head = path === undefined ? 'graphwire: bug id ' : 'graphwire: error id path a '
    t.equal(line, head + shown.join('\n'))
  })
}

void t.test('a message that looks like a frame is read in linear time', async (t) => {
  const before = process.cpuUsage()
  const bug = new Error(`\n    at ${'('.repeat(7_500)}`)
  for (let at = 0; at < 20; at += 1) printed(t, [bug, { id: 'id', path: ['a'] }, {} as RequestInfo])
  t.ok(process.cpuUsage(before).user < 1_000_000)
})

void t.test('of a request ten bugs are printed, and the others counted', async (t) => {
  const one = {} as RequestInfo
  const lines = printed(
    t,
    ...Array.from({ length: 1000 }, (_, at) => [`bug ${at}`, { id: `id-${at}` }, one] as const),
    ['another', { id: 'id' }, {} as RequestInfo],
    ['of the host', { id: 'id' }],
  )
  t.strictSame(lines, [
    ...Array.from({ length: 10 }, (_, at) => `graphwire: bug id-${at} 'bug ${at}'`),
    'graphwire: the request of bug id-0 has more than 10 bugs; further ones are not printed, only counted',
    'graphwire: the request of bug id-0 has 100 bugs so far',
    'graphwire: the request of bug id-0 has 1000 bugs so far',
    "graphwire: bug id 'another'",
    "graphwire: bug id 'of the host'",
  ])
})

const schema = buildSchema('type Query { list(first: Int): [Item] } type Item { broken: Int }', {
  Query: { list: (_, { first }) => Array.from({ length: Number(first) }, () => ({})) },
  Item: { broken: thrower(new Error('failed')) },
})

for (const [title, options] of [
  ['without onBug', {}],
  ['with an onBug that throws', { onBug: fails }],
  ['with an onBug that rejects', { onBug: () => Promise.reject(new Error('no log')) }],
] as const) {
  void t.test(`a list that fails at each item prints little ${title}`, async (t) => {
    const lines = t.capture(console, 'error', () => {})
    const send = testClient(createHandler({ schema, maxFieldErrors: Infinity, ...options }))
    const response = await send({ json: { query: '{ list(first: 9000) { broken } }' } })
    t.equal(response.status, 294)
    await new Promise((resolve) => setImmediate(resolve))
    const texts = lines().map(({ args }) => String(args[0]))
    t.ok(texts.length > 10 && texts.length < 15, `${texts.length} lines`)
    t.match(texts[0], 'path list.0.broken Error: failed')
    t.match(texts.at(-1), /has 10{3,4} bugs so far$/)
  })
}
