import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { capabilityNames, optionsOf } from '../src/cli/serve/flags/capabilities.js'
import { runConformance } from '../src/conformance/run/run.js'
import type { CaseReport } from '../src/conformance/suite/report.js'
import { toNodeListener } from '../src/hosts/node/index.js'
import { createHandler, type EditionName, type Options } from '../src/index.js'
import { editionNames } from '../src/over-http/editions.js'
import { createStandardSchema } from '../src/standard/standard-schema.js'

/** As fixtures/optional/README.md wants a target to be set up. */
const cors = {
  origins: ['https://allowed.example'],
  credentials: true,
  exposedHeaders: ['Retry-After'],
}

/** Serves the standard schema in this process, and runs the whole suite against it. */
async function conform(edition: EditionName, options: Partial<Options>) {
  const schema = createStandardSchema()
  const server = createServer(toNodeListener(createHandler({ schema, edition, ...options })))
  // Node drops what is above its own limit without a word; the handler counts.
  server.maxHeadersCount = 0
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const url = `http://127.0.0.1:${port}/graphql`
    return await runConformance({ url, edition, standard: true })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

function show({ verdict, id, message }: CaseReport): string {
  return `${verdict} ${id}: ${message}`
}

t.jobs = 4
// For a machine that does other things, too.
t.setTimeout(120_000)

for (const edition of editionNames) {
  void t.test(
    `with every capability, edition ${edition} is followed`,
    { buffered: true },
    async (t) => {
      // The others are options of a server.
      const ofHandlers = capabilityNames.filter((name) => name !== 'request-timeout')
      const capabilities = (await optionsOf(ofHandlers)) as Partial<Options>
      const { cases, totals } = await conform(edition, { ...capabilities, cors, path: '/graphql' })
      t.strictSame(cases.filter(({ verdict }) => /fail|warn|error/.test(verdict)).map(show), [])
      t.ok(totals.pass > 700, `${totals.pass} cases pass`)
      const configured = cases.filter(({ suite }) =>
        ['persisted', 'apq', 'multipart-upload', 'batching', 'cors-csrf'].includes(suite),
      )
      // These are for targets without persisted queries and batches.
      const inapplicable = [
        'apq.unsupported',
        'apq.unsupported.code',
        'apq.unsupported.query',
        'batch.refused',
        'batch.variables.refused',
      ]
      const others = configured.filter(({ verdict }) => verdict !== 'pass').map(({ id }) => id)
      t.strictSame(others.toSorted(), inapplicable)
    },
  )
  void t.test(
    `with none but the defaults, edition ${edition} is followed`,
    { buffered: true },
    async (t) => {
      const { cases, totals } = await conform(edition, {})
      t.strictSame(cases.filter(({ verdict }) => /fail|warn|error/.test(verdict)).map(show), [])
      // graphql 16 has no incremental delivery.
      t.ok(totals.pass > 550, `${totals.pass} cases pass`)
    },
  )
}
