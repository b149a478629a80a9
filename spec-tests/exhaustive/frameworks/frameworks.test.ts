import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import t, { type Test } from 'tap'
import { jsonOf, valueOf } from '../../hosts/exchange.js'
import { http1Client } from '../../hosts/http1-client.js'
import { installed, skip } from '../installed.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

t.setTimeout(120_000)

/**
 * Starts an example with the installed packages, which are not above the example: it is bundled to a file below them,
 * with graphwire in it. graphql is the installed one for both.
 */
async function start(t: Test, example: string): Promise<string> {
  const outfile = `${installed}dist/${dirname(example)}.mjs`
  await build({
    entryPoints: [`${root}examples/${example}`],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    alias: {
      graphwire: `${root}dist/src/index.js`,
      'graphwire/node': `${root}dist/src/hosts/node/index.js`,
    },
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true } },
    logLevel: 'silent',
  })
  const { NODE_OPTIONS: _, ...env } = process.env
  const child = spawn(process.execPath, [outfile], {
    env: { ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  const closed = once(child, 'close')
  t.teardown(() => {
    child.kill('SIGKILL')
    return closed
  })
  const [line] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    closed.then(() => Promise.reject(new Error(`${example} ended: ${stderr}`))),
  ])) as [string]
  return line
}

void t.test('NestJS with a driver of ours', { skip }, async (t) => {
  const endpoint = await start(t, 'nest/server.ts')
  const send = http1Client(endpoint)
  const query = { query: 'query($n: String) { hello(name: $n) }', variables: { n: 'Zoë' } }
  const hello = await send({ body: JSON.stringify(query) })
  t.equal(hello.status, 200)
  t.same(jsonOf(hello), { data: { hello: 'Hello, Zoë!' } })
  t.same(jsonOf(await send({ body: '{"query":"mutation { count }"}' })), { data: { count: 1 } })
  const mutation = await send({ query: '?query=mutation{count}' })
  t.equal(mutation.status, 405)
  t.equal(valueOf(mutation, 'allow'), 'POST, QUERY, OPTIONS')
  t.equal((await send({ body: '{"query":' })).status, 400)
  t.equal((await send({ body: '{"query":"{ nope }"}' })).status, 422)
  t.equal((await http1Client(`${endpoint}/deeper`)({ query: '?query={hello}' })).status, 404)
})

void t.test('a subgraph of Apollo Federation', { skip }, async (t) => {
  const send = http1Client(await start(t, 'federation/server.mjs'))
  const service = jsonOf(await send({ body: '{"query":"{ _service { sdl } }"}' }))
  t.match(service, {
    data: { _service: { sdl: /type Person @key\(fields: "id"\)|@key\(fields: "id"\)/ } },
  })
  // As a router asks for entities that another subgraph names.
  const query = `query($representations: [_Any!]!) {
    _entities(representations: $representations) { ... on Person { name } __typename }
  }`
  const representations = ['2', '1', '3'].map((id) => ({ __typename: 'Person', id }))
  const entities = await send({ body: JSON.stringify({ query, variables: { representations } }) })
  t.equal(entities.status, 200)
  t.same(jsonOf(entities), {
    data: {
      _entities: [
        { name: 'Grace', __typename: 'Person' },
        { name: 'Ada', __typename: 'Person' },
        null,
      ],
    },
  })
  const unknown = [{ __typename: 'Nothing', id: '1' }]
  const refused = await send({
    body: JSON.stringify({ query, variables: { representations: unknown } }),
  })
  t.equal(refused.status, 294)
  t.same((jsonOf(refused) as { data: unknown }).data, null)
})
