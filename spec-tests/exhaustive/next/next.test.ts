import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import { jsonOf, valueOf } from '../../hosts/exchange.js'
import { http1Client } from '../../hosts/http1-client.js'
import { installed, skip } from '../installed.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const app = `${installed}dist/next/`

t.setTimeout(240_000)

/** The route of the example with graphwire in it, below the installed packages. */
async function writeApp(): Promise<void> {
  rmSync(app, { recursive: true, force: true })
  mkdirSync(app, { recursive: true })
  const settings = { turbopack: { root: installed }, outputFileTracingRoot: installed }
  writeFileSync(`${app}next.config.mjs`, `export default ${JSON.stringify(settings)}\n`)
  await build({
    entryPoints: [`${root}examples/next/app/graphql/route.js`],
    outfile: `${app}app/graphql/route.js`,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias: {
      graphwire: `${root}dist/src/index.js`,
      'graphwire/fetch': `${root}dist/src/hosts/fetch/index.js`,
    },
    logLevel: 'silent',
  })
}

function next(...words: string[]): { readonly child: ChildProcess; readonly said: () => string } {
  const { NODE_OPTIONS: _, ...env } = process.env
  const child = spawn(process.execPath, [`${installed}node_modules/next/dist/bin/next`, ...words], {
    cwd: app,
    env: { ...env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (said += String(chunk)))
  }
  return { child, said: () => said }
}

async function startNext(t: Test): Promise<string> {
  const { child, said } = next('start', '--port', '0', '--hostname', '127.0.0.1')
  const closed = once(child, 'close')
  t.teardown(() => {
    child.kill('SIGKILL')
    return closed
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const found = new Promise<string>((resolve) => {
    lines.on('line', (line) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
      if (url !== undefined) resolve(url)
    })
  })
  return Promise.race([
    found,
    closed.then(() => Promise.reject(new Error(`next start ended: ${said()}`))),
  ])
}

void t.test('examples/next is built, started and asked', { skip }, async (t) => {
  await writeApp()
  const building = next('build')
  const [code] = (await once(building.child, 'close')) as [number | null]
  t.equal(code, 0, building.said())

  const send = http1Client(`${await startNext(t)}/graphql`)
  const query = { query: 'query($n: String) { hello(name: $n) }', variables: { n: 'Zoë' } }
  const hello = await send({ body: JSON.stringify(query) })
  t.equal(hello.status, 200)
  t.same(jsonOf(hello), { data: { hello: 'Hello, Zoë!' } })
  t.equal(valueOf(hello, 'content-type'), 'application/graphql-response+json; charset=utf-8')
  t.same(jsonOf(await send({ query: '?query={hello}' })), { data: { hello: 'Hello, world!' } })
  t.same(jsonOf(await send({ body: '{"query":"mutation { count }"}' })), { data: { count: 1 } })
  const mutation = await send({ query: '?query=mutation{count}' })
  t.equal(mutation.status, 405)
  t.equal(valueOf(mutation, 'allow'), 'POST, QUERY, OPTIONS')
  t.equal((await send({ body: '{"query":' })).status, 400)
  t.equal((await send({ body: '{"query":"{ nope }"}' })).status, 422)
  t.equal((await send({ body: '{}', headers: { 'content-type': 'text/plain' } })).status, 415)
  t.equal((await send({ method: 'OPTIONS' })).status, 204)
  for (const method of ['PUT', 'PATCH', 'DELETE']) {
    const refused = await send({ method })
    t.equal(refused.status, 405, method)
    t.equal(valueOf(refused, 'allow'), 'GET, HEAD, POST, QUERY, OPTIONS')
  }
})
