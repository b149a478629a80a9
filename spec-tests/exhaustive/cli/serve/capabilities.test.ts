import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { version } from 'graphql'
import t from 'tap'
import { runConformance } from '../../../../src/conformance/run/run.js'
import { start } from '../binary.js'

const file = (name: string): string =>
  fileURLToPath(new URL(`../../../../../spec-tests/hosts/localhost-${name}.pem`, import.meta.url))

/** These are for servers that lack something. */
const lacking = [
  'accept.graphql-response.unserved',
  'apq.unsupported',
  'apq.unsupported.query',
  'batch.refused',
  'batch.variables.refused',
  'http.method.get-not-taken',
]

/** A decision declines the mode of these. */
const declined = 'delete query reserve second stream token two'.split(' ')
const skipped = [...lacking, ...declined.map((id) => `sse-single.${id}`)]

void t.test('with all capabilities, nothing that it could have is skipped', async (t) => {
  const tls = [`--tls-cert=${file('cert')}`, `--tls-key=${file('key')}`]
  const words = ['serve', '--standard', '--capabilities=all', '--port=0', '--heartbeat=2000']
  const server = start([...words, ...tls])
  const { cases } = await runConformance({
    url: await server.url(),
    standard: true,
    insecure: true,
    // No probe looks for them, because it would have to wait.
    capabilities: ['requestTimeout', 'heartbeats'],
  })
  const idsOf = (...verdicts: readonly string[]): readonly string[] =>
    cases.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id)
  t.strictSame(idsOf('fail', 'warn', 'error'), [])
  // graphql 16 has no incremental delivery.
  const found = idsOf('skip').filter((id) => !(version.startsWith('16.') && id.startsWith('inc.')))
  t.strictSame(found.toSorted(), skipped)
  const page = readFileSync(new URL('../../../../../docs/conform.md', import.meta.url), 'utf8')
  t.match(page, `it skips ${skipped.length} cases`)
  await server.stop()
})
