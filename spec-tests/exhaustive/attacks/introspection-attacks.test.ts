import { getIntrospectionQuery } from 'graphql'
import t from 'tap'
import { everything } from '../../graphql/majors.js'
import { times } from './documents.js'
import { documentAttacks, runAttacks, type AttackRow } from './run-attacks.js'

t.setTimeout(600_000)
t.jobs = 2

const aliases = (count: number, field: string): string => times(count, (at) => `a${at}:${field}`)
const limit = 'DOCUMENT_LIMIT_EXCEEDED'

/** All that graphql-js can ask; GraphiQL asks no more. */
const standardQuery = getIntrospectionQuery(everything)

/** What is beyond the limit where each list is as long as in a large company. */
// oxfmt-ignore
const realistic: readonly AttackRow[] = [
  ['the fields with their arguments', '{__schema{types{fields{name args{name type{name}}}}}}',           200],
  ['arguments under 29 names',        `{__schema{types{fields{${aliases(29, 'args{name}')}}}}}`,         422, limit],
  ['fields of types under 29 names',  `{__schema{types{fields{${aliases(29, 'type{fields{name}}')}}}}}`, 422, limit],
  ['types under 29 names',            `{__schema{types{fields{${aliases(29, 'type{ofType{name}}')}}}}}`, 422, limit],
  ['descriptions under 29 names',     `{__schema{types{fields{${aliases(29, 'description')}}}}}`,        422, limit],
  ['types that implement all',        '{__schema{types{interfaces{possibleTypes{name}}}}}',              422, limit],
]

// oxfmt-ignore
const enumerated: readonly AttackRow[] = [
  ['the standard query',                      standardQuery,                                                               200],
  ['the values of all arguments',             '{__schema{types{fields{args{type{enumValues{name isDeprecated}}}}}}}',      422, limit],
  ['the values of all arguments under names', `{__schema{types{fields{${aliases(12, 'args{type{enumValues{name}}}')}}}}}`, 422, limit],
  ['the types of the fields under 28 names',  `{__schema{types{fields{${aliases(28, 'type{enumValues{name}}')}}}}}`,       422, limit],
  [
    'by fragments',
    `{__schema{types{fields{...A ...B}}}} fragment A on __Field{${aliases(9, 'type{...E}')}} fragment B on __Field{args{type{...E}}} fragment E on __Type{enumValues{name}}`,
    422,
    limit,
  ],
]

for (const graphql of ['16', '17'] as const) {
  for (const [title, rows, types] of [
    ['a schema of 2,000 types', realistic, 'realistic 2000'],
    ['a large enum in many places', enumerated, 'enumerated 300'],
  ] as const) {
    const name = `introspection of ${title} is bounded with graphql ${graphql}`
    runAttacks(name, documentAttacks(rows), { graphql, env: { ATTACKED_TYPES: types } })
  }
}
