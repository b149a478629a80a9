import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import t from 'tap'
import { reach, readSources } from './sources.js'

/*
 * How large the house may be. Growing a number is a decision with a reason. Beside these: functions of a request
 * (exhaustive/hosts/functions), files with a single importer (no-cycles), bytes of the package (exhaustive/package).
 */

// oxfmt-ignore
const lines: { readonly [room: string]: number } = {
  'src/base':              951,
  'src/shapes':            469,
  'src/http':            1_379,
  'src/graphql':         6_263,
  'src/compiled':        3_131,
  'src/persisted':         254,
  'src/streams':           810,
  'src/websocket':       1_533,
  'src/over-http':       2_079,
  'src/options':         1_767,
  'src/handler':         4_401,
  'src/surface':           357,
  'src/hosts':           5_961,
  'src/standard':          236,
  'src/conformance':     6_423,
  'src/cli':             6_407,
  'packages/ide':          263,
  'packages/json-schema':  511,
  'packages/mcp':        1_094,
  'packages/otel':         682,
  'packages/nest':         305,
  'packages/pubsub':     1_586,
  'packages/rate-limit': 489,
  'packages/response-cache': 1_051,
  'packages/rest':       2_901,
  'packages/uploads':      694,
}

const sources = readSources()

void t.test('no room is larger than its budget', async (t) => {
  const found = new Map<string, number>()
  for (const { name, text } of sources) {
    const room = name.split('/').slice(0, 2).join('/')
    if (room.endsWith('.ts')) continue
    found.set(room, (found.get(room) ?? 0) + text.split('\n').length - 1)
  }
  t.strictSame([...found.keys()].toSorted(), Object.keys(lines).toSorted())
  for (const [room, count] of found) t.ok(count <= (lines[room] ?? 0), `${room}: ${count} lines`)
})

void t.test('at most 6 names of types are declared twice', async (t) => {
  const declared = sources.flatMap(({ text }) =>
    [...text.matchAll(/^(?:export )?(?:interface|type|class) (\w+)/gm)].map(([, name]) => name),
  )
  const twice = new Set(declared.filter((name, at) => declared.indexOf(name) !== at))
  t.ok(twice.size <= 6, [...twice].join(', '))
})

void t.test('a folder has at most 40 files', async (t) => {
  const folders = sources.map(({ name }) => dirname(name))
  for (const folder of new Set(folders)) {
    const { length } = folders.filter((one) => one === folder)
    t.ok(length <= 40, `${folder}: ${length} files`)
  }
})

// oxfmt-ignore
const modules: { readonly [entry: string]: number } = {
  '.':               176,
  './base':           17,
  './compiled':       57,
  './conformance':    69,
  './fastify':        47,
  './fetch':          47,
  './http':           30,
  './koa':            47,
  './lambda':         18,
  './node':          228,
  './surface':       148,
  './surface/parts': 151,
  './testing':        15,
  './websocket':      40,
}

const root = new URL('../../', import.meta.url)
const { exports } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  readonly exports: { readonly [entry: string]: string | { readonly default: string } }
}

void t.test('an entry loads no more modules than its budget', async (t) => {
  const entries = Object.entries(exports).filter(([entry]) => !entry.endsWith('.json'))
  t.strictSame(entries.map(([entry]) => entry).toSorted(), Object.keys(modules).toSorted())
  for (const [entry, target] of entries) {
    const path = typeof target === 'string' ? target : target.default
    const files = [...reach(new URL(path, root))].filter((name) => name.startsWith('file:'))
    const { length } = files
    t.ok(length > 1 && length <= (modules[entry] ?? 0), `${entry}: ${length} modules`)
  }
})

void t.test('a code is explained without the engine and graphql', async (t) => {
  const loaded = reach(new URL('dist/src/cli/explain/run-explain.js', root))
  t.notOk(loaded.has('graphql'), `${loaded.size} modules`)
})
