import t from 'tap'
import { diffReports, runConformance, type FieldLine } from '../../../src/conformance/index.js'
import { serve, type ServeOptions } from '../../../src/hosts/node/index.js'
import { fieldValue, failure, success } from '../../../src/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'

const token = 'Bearer graphwire-test'

/** As a server that is not for everyone: without the token it tells nothing at all. */
const authenticate: NonNullable<ServeOptions['authenticate']> = ({ headers }) =>
  fieldValue(headers, 'authorization') === token
    ? success({})
    : failure({ kind: 'unauthenticated', challenge: 'Bearer' })

async function runOn(options: Partial<ServeOptions>, headers: readonly FieldLine[]) {
  const server = await serve({ schema: createStandardSchema(), port: 0, ...options })
  try {
    // Two runs of everything share a machine that may be busy.
    const patience = { timeout: 20_000, maxDuration: 280_000 }
    return await runConformance({ url: server.url, standard: true, headers, ...patience })
  } finally {
    await server.close()
  }
}

void t.test('a server that demands a token gets the verdicts of one that does not', async (t) => {
  const [open, closed] = await Promise.all([
    runOn({}, []),
    runOn({ authenticate, credentialsFirst: true }, [['Authorization', token]]),
  ])
  const { worse, better, new: added, gone } = diffReports(open, closed)
  t.same({ worse, better, added, gone }, { worse: [], better: [], added: [], gone: [] })
  t.ok(open.totals.pass > 500, 'the whole suite has run')
})
