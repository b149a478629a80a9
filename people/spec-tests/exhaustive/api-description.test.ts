import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startProcess } from './service-process.js'

void t.test("redocly's recommended rules find nothing wrong with the description", async (t) => {
  const service = await startProcess(['--db', ':memory:'])
  t.teardown(() => service.kill())
  const description = await (await fetch(`${service.origin}/openapi.json`)).text()
  const folder = t.testdir({ 'openapi.json': description })
  const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
  const file = join(folder, 'openapi.json')
  const args = [redocly, 'lint', file, '--extends', 'recommended', '--format', 'json']
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  t.match(JSON.parse(stdout), { totals: { errors: 0, warnings: 0 } }, stdout + stderr)
})
