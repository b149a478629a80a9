import { postBytes } from '../hosts/raw-client.js'
import { bodyAttacks, runAttacks, type Attack, type AttackRow } from './run-attacks.js'

const list = (count: number, entry: (at: number) => string): string =>
  `[${Array.from({ length: count }, (_, at) => entry(at)).join()}]`
const ask = (query: string, variables = '{}'): string =>
  `{"query":${JSON.stringify(query)},"variables":${variables}}`
const hello = ask('{ hello }')
/** As many fields as a document may have, in as many characters. */
const huge = `query ($text: String) { echo(text: $text) person { ${'id '.repeat(1900)} } }${' '.repeat(55_000)}`
const measure = 'query ($v: Input) { measure(input: $v) }'
const numbers = (count: number): string => `{"v":{"list":[${Array(count).fill(1).join()}]}}`
const introspection = '{ __schema { types { name fields { name type { name } args { name } } } } }'

// oxfmt-ignore
const usual: readonly AttackRow[] = [
  ['10,000 requests',                                list(10_000, () => hello),                                            413, 'BATCH_TOO_LONG'],
  ['500,000 numbers',                                list(500_000, () => '1'),                                             413, 'BATCH_TOO_LONG'],
  ['200,000 times null',                             list(200_000, () => 'null'),                                          413, 'BATCH_TOO_LONG'],
  ['a list 100 deep',                                '['.repeat(100) + hello + ']'.repeat(100),                            200],
  ['ten documents 5,000 deep',                       list(10, () => ask(`${'{ person '.repeat(5000)}{ id }${'}'.repeat(5000)}`)), 200],
  ['ten documents with lists of values 5,000 deep',  list(10, () => ask(`{ measure(input: { lists: ${'['.repeat(5000)}1${']'.repeat(5000)} }) }`)), 200],
  ['ten sets of variables 100 deep',                 list(10, () => ask(measure, `{"v":${'{"input":'.repeat(100)}{}${'}'.repeat(100)}}`)), 200],
  ['ten sets of variables named like members of a prototype', list(10, () => ask(measure, '{"__proto__":{"v":1},"constructor":{"prototype":1}}')), 200],
  ['lists 100,000 deep',                             '['.repeat(100_000) + ']'.repeat(100_000),                            400, 'JSON_TOO_DEEP'],
  ['no requests in many spaces',                     `[${' '.repeat(1_000_000)}]`,                                         422, 'BATCH_EMPTY'],
  ['ten times the same huge document',               list(10, () => ask(huge)),                                            200],
  ['ten different huge documents',                   list(10, (at) => ask(huge + ' '.repeat(at))),                                200],
  ['ten huge documents that do not parse',           list(10, (at) => ask(`${huge}}${' '.repeat(at)}`)),                                200],
  ['ten times variables of 100 kB',                  list(10, () => ask(measure, numbers(45_000))),                        [200, 422]],
  ['ten results, each as long as may be',            list(10, () => ask('query ($t: String) { people(limit: 200) { echo(text: $t) } }', `{"t":"${'x'.repeat(50_000)}"}`)), [200, 422]],
  ['ten lists of 10,000 variables without lines',    list(10, () => ask('{ hello }', list(10_000, () => '{}'))),           200],
]

// oxfmt-ignore
const many: readonly AttackRow[] = [
  ['1,000 requests',                                 list(1000, () => hello),                                              200],
  ['1,000 requests that do not parse',               list(1000, (at) => ask(`{ ${'('.repeat(at % 100)}`)),                 200],
  ['1,000 introspections',                           list(1000, () => ask(introspection)),                                 [200, 422]],
  ['1,000 queries that wait',                        list(1000, () => ask('{ wait(ms: 60000) }')),                         200],
  ['1,000 mutations',                                list(1000, () => ask('mutation { rename(name: "x") { id } }')),       200],
  ['1,000 errors that are masked',                   list(1000, () => ask('{ person { broken } }')),                       200],
]

/** Sends a body for a client of lines; how many lines come back. */
// oxfmt-ignore
const lines: readonly (readonly [name: string, body: string, status: number, lines: number])[] = [
  ['1,000 sets of variables for one huge document',  ask(huge, list(1000, (at) => `{"text":"${at}"}`)),                    200, 1000],
  ['1,000 sets of variables for a document that costs little', ask(`query ($text: String) { echo(text: $text) }${' '.repeat(60_000)}`, list(1000, (at) => `{"text":"${at}"}`)), 200, 1000],
  ['1,000 sets of variables for one that is invalid', ask(`{ x }${' '.repeat(60_000)}`, list(1000, () => '{}')),           200, 1000],
  ['300,000 sets of variables',                      ask('{ hello }', list(300_000, () => '{}')),                          413, 0],
  ['no sets of variables, 10,000 times',             list(10_000, () => ask('{ hello }', '[]')),                           200, 0],
]

const lineAttacks = lines.map(([name, body, status, count]): Attack => ({
  name,
  async run(t, { connect }) {
    const bytes = postBytes(body, 'Accept: application/jsonl\r\n')
    const response = await (await connect()).ask(bytes)
    t.equal(response.status, status)
    const text = response.body.toString()
    if (status === 200) t.equal(text.split('\n').length - 1, count)
    t.notMatch(text, /secret|node_modules/)
  },
}))

runAttacks('a server bears batches of every kind', bodyAttacks(usual), {
  words: ['--batch'],
  rounds: 2,
})
runAttacks('a server bears long batches', [...bodyAttacks(many), ...lineAttacks], {
  words: ['--batch', '--batch-max-operations=1000', '--batch-max-concurrent=1000', '--timeout=500'],
  rounds: 2,
})
