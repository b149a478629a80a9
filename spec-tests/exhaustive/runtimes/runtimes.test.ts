import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import { readKnownFailures } from '../../../src/conformance/run/known-failures.js'
import { runConformance } from '../../../src/conformance/run/run.js'
import { jsonOf } from '../../hosts/exchange.js'
import { http1Client } from '../../hosts/http1-client.js'
import { http1Streams } from '../../hosts/streams/stream-client.js'
import { installed, skip } from '../installed.js'
import { checkExample, folder, programs, root, startRuntime } from './runtime.js'
import type { Running, RuntimeName } from './runtime.js'
import { startWorker } from './start-worker.js'

const page = readFileSync(`${root}docs/hosts/bun-deno.md`, 'utf8')

type Start = (t: Test, program: string) => Promise<Running>

/** `run` for Deno: without the flag it warns once, if the signal of a request is read, that it aborts it after its success. */
const denoRun = ['run', '--allow-net', '--allow-env', '--unstable-no-legacy-abort'] as const
const atExample = { cwd: `${root}examples/fetch` }

/** How each runtime starts the example, and the standard schema. */
const runtimes: Readonly<
  Record<RuntimeName, { readonly example: Start; readonly standard: Start }>
> = {
  bun: {
    example: (t, bun) => startRuntime(t, [bun, 'server.mjs'], atExample),
    standard: (t, bun) => startRuntime(t, [bun, 'server.mjs']),
  },
  deno: {
    example: (t, deno) => startRuntime(t, [deno, ...denoRun, 'server.mjs'], atExample),
    standard: (t, deno) => startRuntime(t, [deno, ...denoRun, '--allow-read', 'server.mjs']),
  },
  workerd: {
    example: (t, workerd) => startWorker(t, workerd, 'examples/worker/worker.mjs'),
    standard: (t, workerd) => startWorker(t, workerd, 'spec-tests/exhaustive/runtimes/worker.mjs'),
  },
}

void t.test('bun serves the example of Elysia', { skip }, async (t) => {
  const { url, stderr } = await startRuntime(t, [programs.bun, 'server.mjs'], {
    cwd: `${root}examples/elysia`,
    // The folder of its packages is not above the example.
    env: { NODE_PATH: `${installed}node_modules` },
  })
  const send = http1Client(url)
  t.same(jsonOf(await send({ method: 'QUERY', body: '{"query":"{ hello }"}' })), {
    data: { hello: 'Hello, world!' },
  })
  t.equal((await send({ query: '?query=mutation{count}' })).status, 405)
  t.equal((await send({ method: 'DELETE' })).status, 405)
  t.equal((await send({ body: '{"query":' })).status, 400)
  t.equal(stderr(), '')
})

for (const [name, { example, standard }] of Object.entries(runtimes)) {
  const program = programs[name as RuntimeName]

  void t.test(`${name} serves its example`, { skip }, async (t) => {
    const { url, stderr } = await example(t, program)
    await checkExample(t, url)
    const large = await http1Client(url)({ body: 'x'.repeat(4 * 1024 * 1024) })
    t.equal(large.status, 413, 'which the client reads although it was still sending')
    t.equal(stderr(), '')
  })

  void t.test(`${name} conforms but for what it decides itself`, { skip }, async (t) => {
    const { url } = await standard(t, program)
    const known = readKnownFailures(readFileSync(`${folder}${name}.known-failures`, 'utf8'))
    const { cases, totals } = await runConformance({ url, standard: true })
    const found = cases.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict))
    const others = found.filter(({ id }) => !known.has(id))
    const shown = others.map(({ verdict, id, message }) => `${verdict} ${id}: ${message}`)
    t.strictSame(shown, [])
    const ids = new Set(found.map(({ id }) => id))
    const always = [...known].filter(([, why]) => !why.startsWith('sometimes'))
    const outdated = always.filter(([id]) => !ids.has(id))
    t.strictSame(outdated, [], 'each known failure fails')
    t.ok(totals.pass > 600, `${totals.pass} pass, ${totals.fail} fail, ${totals.warn} warn`)
    const row = new RegExp(`^\\| ${name} .*?\\| \\d+ \\| (\\d+) \\| (\\d+) \\|`, 'im').exec(page)
    const counted = Number(row?.[1]) + Number(row?.[2])
    t.ok(always.length <= counted && counted <= known.size, 'docs/hosts/bun-deno.md counts them')
  })

  void t.test(`${name} responds while a large file is still sent`, { skip }, async (t) => {
    const { url, stderr } = await standard(t, program)
    for (const [field, response] of [
      ['ignoreFiles(files: $files)', { data: { ignoreFiles: 1 } }],
      [
        'receiveFiles(files: $files) { size }',
        { errors: [{ extensions: { code: 'FILE_TOO_LARGE' } }] },
      ],
    ] as const) {
      const query = `mutation ($files: [Upload!]!) { ${field} }`
      const body = new FormData()
      body.append('operations', JSON.stringify({ query, variables: { files: [null] } }))
      body.append('map', '{"0":["variables.files.0"]}')
      body.append('0', new Blob(['x'.repeat(18_000_000)]), '0.txt')
      const headers = { 'GraphQL-Require-Preflight': '1' }
      t.match(await (await fetch(url, { method: 'POST', headers, body })).json(), response)
    }
    t.equal(stderr(), '')
  })

  void t.test(`${name} keeps a stream that is silent until its heartbeat`, { skip }, async (t) => {
    const { url } = await standard(t, program)
    const query = 'subscription{countdown(from:1,delay:12500)}'
    const stream = await http1Streams(new URL(url).origin)({ query })
    t.match(await stream.until('"countdown":0'), '\n\n:\n\n')
    stream.leave()
  })

  void t.test(`${name} prints nothing for a client that leaves a stream`, { skip }, async (t) => {
    const { url, stderr } = await standard(t, program)
    const query = 'subscription{countdown(from:100,delay:20)}'
    const stream = await http1Streams(new URL(url).origin)({ query })
    await stream.until('data: ')
    stream.leave()
    const openSources = async () =>
      jsonOf(await http1Client(url)({ query: '?query={openSources}' }))
    while (JSON.stringify(await openSources()) !== '{"data":{"openSources":0}}') {
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    t.equal(stderr(), '')
  })
}
