import { join } from 'node:path'
import { chdir } from 'node:process'
import t from 'tap'
import { loadOptions } from '../../../../src/cli/serve/load/load-plan.js'
import type { ServedSchema } from '../../../../src/cli/serve/flags/plan.js'

const graphql = `import { buildSchema } from 'graphql'\n`
const schema = `buildSchema('type Query { a: String }')`

const files: { readonly [name: string]: string } = {
  'ok.graphql': 'type Query { a: String }',
  'bom.graphql': '\ufefftype Query { a: String }',
  'resolvers.mjs': 'export const resolvers = { Query: { a: () => 1 } }',
  'default.mjs': 'export default { Query: { a: () => 1 } }',
  'named.cjs': 'exports.resolvers = { Query: { a: () => 1 } }',
  'whole.cjs': 'module.exports = { Query: { a: () => 1 } }',
  'interop.cjs': 'exports.__esModule = true\nexports.default = { Query: { a: () => 1 } }',
  'data.json': '\ufeff{ "a": "b" }',
  'schema-default.mjs': `${graphql}export default ${schema}`,
  'schema-named.mjs': `${graphql}export const schema = ${schema}`,
  'schema-function.mjs': `${graphql}export default () => ${schema}`,
  'schema-async.mjs': `${graphql}export const schema = async () => ${schema}`,
  'schema-promise.mjs': `${graphql}export default Promise.resolve(${schema})`,
  'options.mjs': `${graphql}export default { schema: ${schema}, maxBodyBytes: 5 }`,
  'options-function.mjs': `${graphql}export default async () => ({ schema: ${schema} })`,
  'options-per-request.mjs': `${graphql}export default { schema: () => ${schema} }`,
  'close-export.mjs': `${graphql}export const schema = ${schema}\nexport const onClose = () => 1`,
  'close-option.mjs': `${graphql}export default () => ({ schema: ${schema}, onClose: () => 1 })`,
  'close.cjs': `const { buildSchema } = require('graphql')\nmodule.exports = { schema: ${schema}, onClose: () => 1 }`,
  'close-resolvers.mjs': 'export default { Query: { a: () => 1 } }\nexport const onClose = () => 1',
  'close-wrong.mjs': `${graphql}export default ${schema}\nexport const onClose = 1`,
  'both.mjs': `${graphql}export const schema = 1\nexport default ${schema}`,

  'unknown.graphql': 'type Query {\n\ta: Foo\n}\n',
  'twice.graphql': 'type Query { a: Int }\ntype Query { b: Int }\n',
  'schemas.graphql': 'schema { query: A }\nschema { query: A }\ntype A { a: Int }\n',
  'syntax.graphql': 'type Query {\n  a Int\n}\n',
  'argument.graphql': 'type Query {\n  a: Int @deprecated(why: "x")\n}\n',
  'interface.graphql': 'interface N { id: ID }\ntype Query implements N {\n  id: Int\n}\n',
  'no-query.graphql': 'type Foo { a: Int }',
  'many.graphql': `type Query {\n${'  a: Foo\n'.repeat(12)}}`,
  'empty.graphql': '',
  'deep.graphql': `type Query { a(b: ${'['.repeat(50_000)}Int${']'.repeat(50_000)}): Int }`,
  'broken.json': '{ "a": 1,\n  "b": x }',
  'array.json': '[]',
  'null.json': 'null',
  'required.graphql': 'type Query { a: String! b: Int! } type Mutation { c: Int! }',
  'required.mjs': 'export default { Query: { b: () => 1 } }',
  'c.json': '{ "a": "x", "b": 2, "c": 1 }',
  'lacking.json': '{ "c": 1,\n  "a": null }',
  'more.json': '{ "b": { "aa": 1 }, "a": "x",\n  "aa": 2 }',
  'inner.json': '{ "a": "x", "b": 0 }',
  'nothing.mjs': '',
  'other.mjs': 'export const other = 1',
  'number.mjs': 'export default 1',
  'string-schema.mjs': 'export default "type Query { a: Int }"',
  'throws.mjs': 'function f() {\n  throw new RangeError("no luck")\n}\nf()\n',
  'throws.cjs': '\nmodule.exports = y.z\n',
  'throws-null.mjs': 'throw null',
  'throws-object.mjs': 'throw { code: 5 }',
  'throws-later.mjs': 'export default async () => {\n  throw new Error("later")\n}',
  'syntax.mjs': 'export const a = 1\nconst = 3\n',
  'syntax.cjs': 'const = 3\n',
  'imports-syntax.mjs': 'import "./syntax.mjs"\n',
  'imports-missing.mjs': 'import "./missing.mjs"\n',
  'imports-name.mjs': 'import { zork } from "node:fs"\n',
  'json.mjs': 'JSON.parse("{")\n',
  'sdl.mjs': `${graphql}export default buildSchema('type Query {')`,
  'invalid.mjs': `${graphql}export default buildSchema('type A { a: Int }')`,
  'unknown-type.mjs': 'export default { Foo: {} }',
  'unknown-field.mjs': 'export default { Query: { b: () => 1 } }',
}

chdir(t.testdir({ ...files, 'latin1.graphql': Buffer.from('\u00e9', 'latin1') }))

function load(file: string, resolvers?: string, data?: string) {
  const source: ServedSchema = file.endsWith('.graphql')
    ? { kind: 'sdl', file, resolvers }
    : { kind: 'module', file }
  return loadOptions(source, data)
}

type Names = readonly [file: string, resolvers?: string | undefined, data?: string]

// oxfmt-ignore
const loaded: readonly Names[] = [
  ['ok.graphql'],
  ['bom.graphql'],
  ['ok.graphql',         'resolvers.mjs'],
  ['ok.graphql',         'default.mjs'],
  ['ok.graphql',         'named.cjs'],
  ['ok.graphql',         'whole.cjs'],
  ['ok.graphql',         'interop.cjs'],
  ['ok.graphql',         undefined, 'data.json'],
  ['schema-default.mjs'],
  ['schema-named.mjs'],
  ['schema-function.mjs'],
  ['schema-async.mjs'],
  ['schema-promise.mjs'],
  ['options.mjs'],
  ['options-function.mjs'],
  ['options-per-request.mjs'],
  ['both.mjs'],
  ['schema-default.mjs', undefined, 'data.json'],
]

// oxfmt-ignore
const complete: readonly Names[] = [
  ['required.graphql', undefined,      'inner.json'],
  ['required.graphql', undefined,      'c.json'],
  ['required.graphql', 'required.mjs', 'data.json'],
]
for (const [file, resolvers, data] of complete) {
  void t.test(`${file} with ${resolvers ?? 'nothing'} has all its data in ${data}`, async (t) => {
    t.hasProp(await load(file, resolvers, data), 'rootValue')
  })
}

for (const [file, resolvers, data] of loaded) {
  void t.test(`${[file, resolvers, data].filter(Boolean).join(' with ')} is loaded`, async (t) => {
    const { rootValue, schema: given } = await load(file, resolvers, data)
    t.same(rootValue, data === undefined ? undefined : { a: 'b' })
    const a = typeof given === 'function' ? undefined : given.getQueryType()?.getFields()['a']
    t.equal(typeof a?.resolve, resolvers === undefined ? 'undefined' : 'function')
  })
}

void t.test('a module may bring any option of the handler', async (t) => {
  t.match(await load('options.mjs'), { maxBodyBytes: 5 })
})

// oxfmt-ignore
const closed: readonly Names[] = [
  ['close-export.mjs'],
  ['close-option.mjs'],
  ['close.cjs'],
  ['ok.graphql', 'close-resolvers.mjs'],
]
for (const names of closed) {
  void t.test(`${names.join(' with ')} has an onClose`, async (t) => {
    t.match(await load(...names), { onClose: Function })
  })
}

// oxfmt-ignore
const broken: readonly [names: Names, message: RegExp][] = [
  [['unknown.graphql'],                      /^unknown\.graphql:2:5: .*Foo.*\n 2 \| \ta: Foo\n {3}\| \t {3}\^$/],
  [['twice.graphql'],                        /^twice\.graphql:1:6: .*Query.*\n 1 \| [^\n]+\n.*\^\n 2 \| [^\n]+\n.*\^$/],
  [['syntax.graphql'],                       /^syntax\.graphql:3?2?:\d: .*\n 2 \| {3}a Int\n {3}\| {5}\^$/],
  [['argument.graphql'],                     /^argument\.graphql:2:22: .*why.*\n 2 \| .*\n {3}\| {22}\^$/],
  [['interface.graphql'],                    /^interface\.graphql:1:19: .*\n 1 \| .*\n.*\^\n 3 \| {3}id: Int\n/],
  [['no-query.graphql'],                     /^no-query\.graphql: .*Query/],
  [['many.graphql'],                         /\n\.\.\. and \d+ more\.$/],
  [['empty.graphql'],                        /^empty\.graphql:1:1: /],
  [['deep.graphql'],                         /^deep\.graphql: the schema is nested too deeply\.$/],
  [['latin1.graphql'],                       /^latin1\.graphql: not valid UTF-8\.$/],
  [['none.graphql'],                         /^none\.graphql: no such file \(looked for \/.*none\.graphql\)\.$/],
  [['none.mjs'],                             /^none\.mjs: no such file /],
  [['ok.graphql', 'none.mjs'],               /^none\.mjs: no such file /],
  [['ok.graphql', undefined, 'none.json'],   /^none\.json: no such file /],
  [['ok.graphql', undefined, 'broken.json'], /^broken\.json: Unexpected token /],
  [['ok.graphql', undefined, 'array.json'],  /^array\.json: expected a JSON object .* an empty list\.$/],
  [['ok.graphql', undefined, 'null.json'],   /^null\.json: expected a JSON object .* null\.$/],
  [['required.graphql', undefined, 'lacking.json'], /^lacking\.json: The root field a is String!, but has no value\.$/],
  [['required.graphql', undefined, 'data.json'],    /^data\.json: The root field b is Int!, but has no value\.$/],
  [['required.graphql', undefined, 'more.json'],    /^more\.json:\d+:\d+: The schema has no root field "aa"\. Did you mean "?a"?\?\n \d+ \| .*"aa".*\n +\| +\^$/],
  [['ok.graphql', 'unknown-type.mjs'],       /^unknown-type\.mjs: .*"Foo"/],
  [['ok.graphql', 'unknown-field.mjs'],      /^unknown-field\.mjs: .*"Query\.b"/],
  [['ok.graphql', 'number.mjs'],             /^number\.mjs: expected resolvers by type .* a number\.$/],
  [['ok.graphql', 'other.mjs'],              /^other\.mjs: .*named resolvers, got other\.$/],
  [['close-wrong.mjs'],                      /^close-wrong\.mjs: onClose: expected a function or undefined, got 1/],
  [['nothing.mjs'],                          /^nothing\.mjs: .*named schema, got no exports\.$/],
  [['other.mjs'],                            /^other\.mjs: .*named schema, got other\.$/],
  [['number.mjs'],                           /^number\.mjs: expected a GraphQLSchema, .*got number\.$/],
  [['string-schema.mjs'],                    /^string-schema\.mjs: expected a GraphQLSchema, .* string\.$/],
  [['schemas.graphql'],                      /^schemas\.graphql:2:1: .*one schema definition/],
  [['throws.mjs'],                           /^throws\.mjs: RangeError: no luck\n +at f \(.*throws\.mjs:2:9\)$/],
  [['throws.cjs'],                           /^throws\.cjs: ReferenceError: y is not defined\n +at .*throws\.cjs:2:18\)$/],
  [['throws-null.mjs'],                      /^throws-null\.mjs: threw null\.$/],
  [['throws-object.mjs'],                    /^throws-object\.mjs: threw an object\.$/],
  [['throws-later.mjs'],                     /^throws-later\.mjs: Error: later\n +at .*throws-later\.mjs:2:9\)$/],
  [['syntax.mjs'],                           /^syntax\.mjs: SyntaxError: .* Run `node syntax\.mjs` to see where\.$/],
  [['syntax.cjs'],                           /^syntax\.cjs: SyntaxError: .* Run `node syntax\.cjs` to see where\.$/],
  [['imports-syntax.mjs'],                   /^imports-syntax\.mjs: SyntaxError: .* Run `node imports-syntax\.mjs` /],
  [['imports-missing.mjs'],                  /^imports-missing\.mjs: Error: .*missing\.mjs' imported from /],
  [['imports-name.mjs'],                     /^imports-name\.mjs: SyntaxError: .*zork.* Run `node imports-name\.mjs` /],
  [['json.mjs'],                             /^json\.mjs: SyntaxError: .*\n +at .*json\.mjs:1:6/],
  [['sdl.mjs'],                              /^GraphQL request:1:13: .*\n 1 \| type Query \{\n/],
  [['invalid.mjs'],                          /^invalid\.mjs: .*Query/],
]

for (const [[file, resolvers, data], message] of broken) {
  void t.test(`${[file, resolvers, data].filter(Boolean).join(' with ')} is refused`, async (t) => {
    const error = await load(file, resolvers, data).catch((thrown: unknown) => thrown)
    t.match(error, { kind: 'configuration', message })
    t.notMatch((error as Error).message, /dist\/src|node:internal/)
  })
}

void t.test('a TypeScript module is loaded where Node can, and else says what to do', async (t) => {
  const file = 'schema.ts'
  const made = t.testdir({ [file]: `${graphql}export const schema: object = ${schema}` })
  const loading = load(join(made, file))
  if ((process.features as { typescript?: unknown }).typescript) await t.resolves(loading)
  else await t.rejects(loading, { message: /cannot load TypeScript\. .*the file first\.$/ })
})
