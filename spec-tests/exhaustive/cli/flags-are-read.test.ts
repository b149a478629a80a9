import { fileURLToPath } from 'node:url'
import t from 'tap'
import { fixturesFolder } from '../../../src/conformance/suite/fixture-files.js'
import { terminalWith } from '../../cli/say.js'
import { readArguments } from '../../../src/cli/arguments/read-flags.js'
import { assemble } from '../../../src/cli/serve/start/assemble.js'
import { hostListener } from '../../../src/hosts/node/server/host-server.js'
import { batchRows } from '../../../src/options/batch-options.js'
import type { NumberRow } from '../../../src/shapes/number-row.js'
import { toPlan } from '../../../src/cli/serve/flags/plan.js'
import { serveFlags } from '../../../src/cli/serve/flags/serve-flags.js'

const schema = fileURLToPath(new URL('standard/schema.graphql', fixturesFolder))
const quiet = terminalWith({ GRAPHWIRE_PORT: '0' })

void t.test('each flag of serve is read by what loads and assembles its plan', async (t) => {
  const plan = toPlan(readArguments([], serveFlags, {}).flags, [schema])
  const { watched, unread } = watch(plan)
  t.match(await assemble(watched, quiet, hostListener), { path: '/graphql' })
  // These are decided in the plan, or are read by what starts processes.
  const elsewhere = new Set([
    ...'standard capabilities resolvers tls-cert tls-key drain-delay grace spread'.split(' '),
    ...'deadline stop workers watch watch-documents'.split(' '),
    ...Object.values<NumberRow>(batchRows).map(({ flag }) => flag),
  ])
  const others = unread().filter((name) => !elsewhere.has(name))
  t.same(others, [])
})

/** The object, and its members that nobody has read. */
function watch<Members extends object>(members: Members) {
  const read = new Set<PropertyKey>()
  const watched = new Proxy(members, {
    get(target, name) {
      read.add(name)
      return Reflect.get(target, name) as unknown
    },
  })
  return { watched, unread: () => Object.keys(members).filter((name) => !read.has(name)) }
}
