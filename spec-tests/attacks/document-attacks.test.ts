import t from 'tap'
import { postBytes } from '../hosts/raw-client.js'
import { explosive, multiplying, tooLarge, unreadable, type DocumentRow } from './documents.js'
import { bytesAttack, runAttacks, type Attack } from './run-attacks.js'

t.setTimeout(300_000)
t.jobs = 2

const toAttack = ([name, query, status, code]: DocumentRow): Attack =>
  bytesAttack(name, postBytes(JSON.stringify({ query })), status, code)

const documents = [...tooLarge, ...explosive, ...unreadable, ...multiplying].map(toAttack)

for (const graphql of ['16', '17'] as const) {
  runAttacks(`a server with graphql ${graphql} bears documents of every kind`, documents, {
    graphql,
  })
}

/** What introspection multiplies to where a schema is as large as those of large companies. */
const introspection: readonly DocumentRow[] = [
  ['the fields of every type', '{__schema{types{fields{name args{name}}}}}', 200],
  [
    'the fields of every type 28 times',
    `{__schema{types{${Array.from({ length: 28 }, (_, at) => `a${at}:fields{name args{name}}`).join(' ')}}}}`,
    422,
  ],
  ['the fields of the types of the fields', '{__schema{types{fields{type{fields{name}}}}}}', 422],
  [
    'the possible types of the interfaces',
    '{__schema{types{interfaces{possibleTypes{name}}}}}',
    422,
  ],
]

for (const graphql of ['16', '17'] as const) {
  runAttacks(
    `a server of 1,000 types with graphql ${graphql} bears introspection`,
    introspection.map(toAttack),
    {
      graphql,
      env: { ATTACKED_TYPES: '1000' },
    },
  )
}
