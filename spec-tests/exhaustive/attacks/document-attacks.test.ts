import t from 'tap'
import { explosive, multiplying, tooLarge, unreadable } from './documents.js'
import { bodyAttacks, documentAttacks, runAttacks } from './run-attacks.js'

t.jobs = 2

const limit = 'DOCUMENT_LIMIT_EXCEEDED'
const times = (count: number, text: string): string =>
  Array.from({ length: count }, () => text).join(' ')
const list = <Item>(length: number, item: Item): Item[] => Array.from({ length }, () => item)

/** Documents whose variables, literals or names are large, and are looked at again and again. */
// oxfmt-ignore
const rows: readonly (readonly [name: string, query: string, variables: object, status: number, code: string])[] = [
  ['a list of 500,000 ids that 140 filters name',        `query($v:[ID!]){${times(140, 'search(filter:{ids:$v}){id}')}}`, { v: list(500_000, 1) },  422, limit],
  ['300,000 input objects',                              'query($v:[Filter!]){search(filter:{any:$v}){id}}',              { v: list(300_000, {}) }, 422, limit],
  ['a list of 5,000 ids for each item of a list',        'query($v:[ID!]!){people(limit:2000){has(ids:$v)}}',             { v: list(5000, 1) },     422, limit],
  ['an alias of 60,000 letters for each item of a list', `{people(limit:9900){${'a'.repeat(60_000)}:id}}`,                {},                       422, limit],
  ['a list of errors behind an alias of 60,000 letters', `{${'a'.repeat(60_000)}:people(limit:4000){broken}}`,            {},                       422, limit],
  ['introspection under an alias of 60,000 letters',     `{__schema{types{fields{${'a'.repeat(60_000)}:name}}}}`,         {},                       422, limit],
  [
    'an argument of 60,000 letters that fails for each item of a list',
    `query($n:Int){people(limit:3200){sought(filter:{text:"${'a'.repeat(60_000)}" width:$n})}}`,
    { n: null },
    422,
    limit,
  ],
  [
    'a text of 60,000 letters that a resolver gives back for each item of a list',
    'query($t:String){people(limit:9000){echo(text:$t)}}',
    { t: 'a'.repeat(60_000) },
    500,
    'INTERNAL_SERVER_ERROR',
  ],
]

const heavyVariables = rows.map(
  ([name, query, variables, ...expected]) =>
    [name, JSON.stringify({ query, variables }), ...expected] as const,
)
const documents = [
  ...documentAttacks([...tooLarge, ...explosive, ...unreadable, ...multiplying]),
  ...bodyAttacks(heavyVariables),
]

for (const graphql of ['16', '17'] as const) {
  const title = `a server with graphql ${graphql} bears documents of every kind`
  runAttacks(title, documents, { graphql })
}
