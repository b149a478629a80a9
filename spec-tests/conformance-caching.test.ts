import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import t from 'tap'
import { runConformance } from '../src/conformance/run/run.js'
import type { CaseReport } from '../src/conformance/suite/report.js'
import { toFetch } from '../src/hosts/fetch.js'
import { toNodeListener, type NodeListener } from '../src/hosts/node/index.js'
import { createHandler, type Options } from '../src/index.js'
import { editionNames, type EditionName } from '../src/over-http/editions.js'
import { createStandardSchema } from '../src/standard/standard-schema.js'

const hosts: { readonly [name: string]: (options: Options) => NodeListener } = {
  'node:http': (options) => toNodeListener(createHandler(options)),
  fetch: (options) => getRequestListener(toFetch(createHandler(options))),
}

/** Serves the standard schema with both options of caching, and runs the suite. */
async function conform(host: string, edition: EditionName): Promise<readonly CaseReport[]> {
  const listener = hosts[host]?.({
    schema: createStandardSchema(),
    edition,
    etag: true,
    cacheHints: true,
  })
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/graphql`
  try {
    const { cases } = await runConformance({ url, edition, standard: true, suites: ['caching'] })
    return cases
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

t.setTimeout(120_000)

for (const host of Object.keys(hosts)) {
  for (const edition of editionNames) {
    void t.test(`${host} passes the suite "caching", edition ${edition}`, async (t) => {
      const cases = await conform(host, edition)
      t.strictSame(
        cases
          .filter(({ verdict }) => verdict !== 'pass')
          .map(({ verdict, id, message }) => `${verdict} ${id}: ${message}`),
        [],
      )
      t.ok(cases.length >= 40, `${cases.length} cases`)
    })
  }
}
