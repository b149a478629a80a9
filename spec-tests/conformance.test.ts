import { createServer } from 'node:http'
import t from 'tap'
import { capabilityNames, optionsOf } from '../src/cli/serve/flags/capabilities.js'
import { runConformance } from '../src/conformance/run/run.js'
import type { CaseReport } from '../src/conformance/suite/report.js'
import { toFetch } from '../src/hosts/fetch.js'
import { toNodeListener } from '../src/hosts/node/index.js'
import { createHandler, type EditionName, type Options } from '../src/index.js'
import { editionNames } from '../src/over-http/editions.js'
import { createStandardSchema } from '../src/standard/standard-schema.js'
import { listen } from './hosts/start-node.js'

/** Serves the standard schema in this process, and runs the whole suite against it. */
async function conform(edition: EditionName, options: Partial<Options>) {
  const schema = createStandardSchema()
  const server = createServer(toNodeListener(createHandler({ schema, edition, ...options })))
  // Node drops what is above its own limit without a word; the handler counts.
  server.maxHeadersCount = 0
  const url = `http://127.0.0.1:${await listen(server)}/graphql`
  try {
    return await runConformance({ url, edition, standard: true })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

function show({ verdict, id, message }: CaseReport): string {
  return `${verdict} ${id}: ${message}`
}

function isFinding({ verdict }: CaseReport): boolean {
  return /fail|warn|error/.test(verdict)
}

t.jobs = 4
// For a machine that does other things, too.
t.setTimeout(120_000)

/** Suites of which no case may be skipped, but those for targets without documents and batches. */
const configured = /^(?:persisted|apq|multipart-upload|batching|caching|cors-csrf)$/
// oxfmt-ignore
const inapplicable = ['apq.unsupported', 'apq.unsupported.query', 'batch.refused', 'batch.variables.refused']

for (const edition of editionNames) {
  const followed = `edition ${edition} is followed`
  void t.test(`with every capability, ${followed}`, { buffered: true }, async (t) => {
    // The others are options of a server.
    const ofHandlers = capabilityNames.filter((name) => name !== 'request-timeout')
    const options = (await optionsOf(ofHandlers)) as Partial<Options>
    const { cases, totals } = await conform(edition, { ...options, path: '/graphql' })
    t.strictSame(cases.filter(isFinding).map(show), [])
    t.ok(totals.pass > 650, `${totals.pass} cases pass`)
    const others = cases.filter((one) => configured.test(one.suite) && one.verdict !== 'pass')
    t.strictSame(others.map(({ id }) => id).toSorted(), inapplicable)
  })
  void t.test(`with none but the defaults, ${followed}`, { buffered: true }, async (t) => {
    const { cases, totals } = await conform(edition, {})
    t.strictSame(cases.filter(isFinding).map(show), [])
    // graphql 16 has no incremental delivery.
    t.ok(totals.pass > 550, `${totals.pass} cases pass`)
  })
}

void t.test('what a host adds: through fetch, a 304 has no body, either', async (t) => {
  const respond = toFetch(createHandler({ schema: createStandardSchema(), etag: true }))
  const headers = { 'if-none-match': '*' }
  const request = new Request('http://localhost/graphql?query={counter}', { headers })
  t.match(await respond(request), { status: 304, body: null })
})
