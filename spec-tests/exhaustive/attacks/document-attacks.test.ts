import t from 'tap'
import { explosive, multiplying, toAttack, tooLarge, unreadable } from './documents.js'
import { runAttacks } from './run-attacks.js'
import { heavyVariables } from './variables.js'

t.setTimeout(300_000)
t.jobs = 2

const documents = [
  ...[...tooLarge, ...explosive, ...unreadable, ...multiplying].map(toAttack),
  ...heavyVariables,
]

for (const graphql of ['16', '17'] as const) {
  runAttacks(`a server with graphql ${graphql} bears documents of every kind`, documents, {
    graphql,
  })
}
