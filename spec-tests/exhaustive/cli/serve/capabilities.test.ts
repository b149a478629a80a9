import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { version } from 'graphql'
import t from 'tap'
import { runConformance } from '../../../../src/conformance/run/run.js'
import { start } from '../binary.js'

t.setTimeout(240_000)

const file = (name: string): string =>
  fileURLToPath(new URL(`../../../../../spec-tests/hosts/localhost-${name}.pem`, import.meta.url))

const lacking = 'it is for servers that lack this'
const declined = 'a decision declines the mode'

const skipped: { readonly [id: string]: string } = {
  'accept.graphql-response.unserved': lacking,
  'apq.unsupported': lacking,
  'apq.unsupported.code': lacking,
  'apq.unsupported.query': lacking,
  'batch.refused': lacking,
  'batch.variables.refused': lacking,
  'http.method.get-not-taken': lacking,
  'sse-single.delete': declined,
  'sse-single.query': declined,
  'sse-single.reserve': declined,
  'sse-single.second': declined,
  'sse-single.stream': declined,
  'sse-single.token': declined,
  'sse-single.two': declined,
}

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
  t.strictSame(found.toSorted(), Object.keys(skipped))
  const page = readFileSync(new URL('../../../../../docs/conform.md', import.meta.url), 'utf8')
  t.match(page, `it skips ${Object.keys(skipped).length} cases`)
  await server.stop()
})
