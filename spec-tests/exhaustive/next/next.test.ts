import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import t from 'tap'
import { valueOf } from '../../hosts/exchange.js'
import { http1Client } from '../../hosts/http1-client.js'
import { bundle } from '../frameworks/bundle.js'
import { installed, skip } from '../installed.js'
import { checkExample, startRuntime } from '../runtimes/runtime.js'

const cwd = `${installed}dist/next/`

void t.test('examples/next is built, started and asked', { skip }, async (t) => {
  rmSync(cwd, { recursive: true, force: true })
  mkdirSync(cwd, { recursive: true })
  const settings = { turbopack: { root: installed }, outputFileTracingRoot: installed }
  writeFileSync(`${cwd}next.config.mjs`, `export default ${JSON.stringify(settings)}\n`)
  await bundle('examples/next/app/graphql/route.js', 'dist/next/app/graphql/route.js')
  const next = `${installed}node_modules/next/dist/bin/next`
  const own = { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' }
  const { NODE_OPTIONS: _, ...inherited } = process.env
  const env = { ...inherited, ...own }
  execFileSync(process.execPath, [next, 'build'], { cwd, env, stdio: 'pipe' })
  const words = ['start', '--port', '0', '--hostname', '127.0.0.1']
  const { url } = await startRuntime(t, [process.execPath, next, ...words], {
    cwd,
    env: own,
    urlOf: (line) => /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0],
  })

  await checkExample(t, `${url}/graphql`)
  const send = http1Client(`${url}/graphql`)
  t.equal((await send({ method: 'OPTIONS' })).status, 204)
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const refused = await send({ method })
    t.equal(refused.status, 405, method)
    t.equal(valueOf(refused, 'allow'), 'GET, HEAD, POST, QUERY, OPTIONS')
  }
})
