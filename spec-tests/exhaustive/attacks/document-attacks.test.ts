import t from 'tap'
import { explosive, multiplying, times, tooLarge, unreadable } from './documents.js'
import { bodyAttacks, bodyOf, documentAttacks, runAttacks, type AttackRow } from './run-attacks.js'

t.jobs = 2

const limit = 'DOCUMENT_LIMIT_EXCEEDED'
const long = 'a'.repeat(60_000)
const listOf = (length: number, item: unknown) => ({ v: Array.from({ length }, () => item) })

/** Documents whose variables, literals or names are large, and are looked at again and again. */
// oxfmt-ignore
const heavy: readonly AttackRow[] = [
  [
    'a list of 500,000 ids that 140 filters name',
    bodyOf(`query($v:[ID!]){${times(140, () => 'search(filter:{ids:$v}){id}')}}`, listOf(500_000, 1)),
    422,
    limit,
  ],
  ['300,000 input objects',                              bodyOf('query($v:[Filter!]){search(filter:{any:$v}){id}}', listOf(300_000, {})), 422, limit],
  ['a list of 5,000 ids for each item of a list',        bodyOf('query($v:[ID!]!){people(limit:2000){has(ids:$v)}}', listOf(5000, 1)), 422, limit],
  ['an alias of 60,000 letters for each item of a list', bodyOf(`{people(limit:9900){${long}:id}}`),                422, limit],
  ['a list of errors behind an alias of 60,000 letters', bodyOf(`{${long}:people(limit:4000){broken}}`),            422, limit],
  ['introspection under an alias of 60,000 letters',     bodyOf(`{__schema{types{fields{${long}:name}}}}`),         422, limit],
  [
    'an argument of 60,000 letters that fails for each item of a list',
    bodyOf(`query($n:Int){people(limit:3200){sought(filter:{text:"${long}" width:$n})}}`, { n: null }),
    422,
    limit,
  ],
  [
    'a text of 60,000 letters that a resolver gives back for each item of a list',
    bodyOf('query($t:String){people(limit:9000){echo(text:$t)}}', { t: long }),
    500,
    'INTERNAL_SERVER_ERROR',
  ],
]

const documents = [
  ...documentAttacks([...tooLarge, ...explosive, ...unreadable, ...multiplying]),
  ...bodyAttacks(heavy),
]

for (const graphql of ['16', '17'] as const) {
  const title = `a server with graphql ${graphql} bears documents of every kind`
  runAttacks(title, documents, { graphql })
}
