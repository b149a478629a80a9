import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import { jsonOf } from '../../hosts/exchange.js'
import type { LambdaFunction } from '../../../src/hosts/lambda/index.js'
import { http1Client } from '../../hosts/http1-client.js'
import { http2Client } from '../../hosts/http2-client.js'
import { checkExample, root, startRuntime } from '../runtimes/runtime.js'

const examples = `${root}examples/`
const execute = promisify(execFile)

/** Those that show something else than a host are tested below, and in proxies, runtimes, frameworks and next. */
const others =
  'cluster elysia federation guide http2 jest lambda mcp nest next node subscriptions surface vitest websocket worker'

const hosts = readdirSync(examples).filter(
  (name) => !name.includes('.') && !others.split(' ').includes(name),
)

for (const name of [...hosts, 'node']) {
  void t.test(`examples/${name}`, async (t) => checkExample(t, await startExample(t, name)))
}

void t.test('examples/subscriptions', async (t) => {
  const endpoint = await startExample(t, 'subscriptions')
  const follow = await fetch(`${endpoint}?query=subscription{posted}`)
  const reader = follow.body?.pipeThrough(new TextDecoderStream()).getReader()
  t.equal((await reader?.read())?.value, ':\n\n')
  const body = '{"query":"mutation { post(text: \\"hello\\") }"}'
  const post = await http1Client(endpoint)({ body })
  t.same(jsonOf(post), { data: { post: true } })
  t.equal((await reader?.read())?.value, 'event: next\ndata: {"data":{"posted":"hello"}}\n\n')
  await reader?.cancel()
})

void t.test('examples/websocket', async (t) => {
  const endpoint = await startExample(t, 'websocket')
  const hello = await http1Client(endpoint)({ body: '{"query":"{ hello }"}' })
  t.same(jsonOf(hello), { data: { hello: 'Hello, world!' } })
  const words = ['client.mjs', endpoint.replace('http', 'ws')]
  const { stdout } = await execute(process.execPath, words, { cwd: `${examples}websocket` })
  t.equal(stdout, 'Hello, world!\n3\n2\n1\n0\n')
})

void t.test('examples/mcp', async (t) => {
  const options = { versionNegotiation: { mode: 'auto' } } as const
  const client = new Client({ name: 'test', version: '1' }, options)
  const endpoint = await startExample(t, 'mcp')
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)))
  const { tools } = await client.listTools()
  t.match(tools, [{ name: 'GetBook' }, { name: 'ListBooks' }, { name: 'RemoveBook' }])
  const { structuredContent } = await client.callTool({ name: 'GetBook', arguments: { id: '1' } })
  t.same(structuredContent, { book: { id: '1', title: 'Emma', pages: 474 } })
  await client.close()
  const hello = await http1Client(endpoint.replace('/mcp', '/graphql'))({
    body: '{"query":"{ books { title } }"}',
  })
  t.same(jsonOf(hello), { data: { books: [{ title: 'Emma' }, { title: 'Persuasion' }] } })
})

void t.test('examples/surface', async (t) => {
  const send = http1Client(await startExample(t, 'surface'))
  t.same(jsonOf(await send({ body: '{"a":1,"b":2}' })), { result: { add: 3 } })
  t.equal((await send({ body: '{"a":1}' })).status, 422)
})

void t.test('examples/http2', async (t) => {
  const of = `${root}spec-tests/hosts/localhost-`
  const env = { KEY: `${of}key.pem`, CERT: `${of}cert.pem` }
  const endpoint = await startExample(t, 'http2', env)
  const ca = readFileSync(env.CERT, 'utf8')
  const overHttp2 = http2Client(endpoint, ca)
  t.teardown(() => overHttp2.close())
  for (const send of [http1Client(endpoint, ca), overHttp2.send]) {
    const hello = await send({ body: '{"query":"{ hello }"}' })
    t.same(jsonOf(hello), { data: { hello: 'Hello, world!' } })
  }
})

void t.test('examples/lambda', async (t) => {
  const { handler } = (await import(`${examples}lambda/index.mjs`)) as { handler: LambdaFunction }
  const result = await handler({
    version: '2.0',
    rawPath: '/graphql',
    rawQueryString: 'query={hello}',
    headers: { accept: 'application/json' },
    requestContext: { stage: '$default', http: { method: 'GET' } },
  })
  t.match(result, { statusCode: 200, body: '{"data":{"hello":"Hello, world!"}}' })
})

/** The blocks of code of a page that begin with the name of their file. */
const quotations = /```(?:js|ts)\n\/\/ (.*)\n([^]*?)```/g

for (const page of [
  'server.md',
  ...readdirSync(`${root}docs/hosts`).map((name) => `hosts/${name}`),
]) {
  void t.test(`docs/${page} has the files of its example word for word`, async (t) => {
    const text = readFileSync(`${root}docs/${page}`, 'utf8')
    const paths = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter(
      (path) => /\.(?:mjs|js|ts)$/.test(path) && !path.includes('node_modules'),
    )
    // Readers put both files into one folder.
    const files = new Set(
      paths.map((path) =>
        readFileSync(examples + path, 'utf8').replaceAll(/'(?:\.\.\/)+api\.mjs'/g, "'./api.mjs'"),
      ),
    )
    const quoted = [...text.matchAll(quotations)]
    t.ok(quoted.length > 0, 'a file')
    for (const [, name = '', code = ''] of quoted) t.ok(files.has(code), name)
  })
}

void t.test('the example of docs/server.md with other routes beside GraphQL', async (t) => {
  const text = readFileSync(`${root}docs/server.md`, 'utf8')
  const [, code = ''] = /## Other routes [^]*?```js\n([^]*?)```/.exec(text) ?? []
  const script = code.replace('port: 4000', 'port: 0')
  const { url, stop } = await startRuntime(
    t,
    [process.execPath, '--input-type=module', '--eval', script],
    {
      cwd: root,
      urlOf: (line) => line.replace('listening on ', ''),
    },
  )
  const hello = await http1Client(`${url}/`)({ body: '{"query":"{ hello }"}' })
  t.same(jsonOf(hello), { data: { hello: 'Hello' } })
  t.equal((await http1Client(`${url}/version`)({})).body.toString(), '1.2.3')
  t.same(jsonOf(await http1Client(`${url}/readyz`)({})), { status: 'ok' })
  t.same(await stop(), [0, null])
})

/** Starts the example on a free port and gives the URL that it prints. */
async function startExample(t: Test, name: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const cwd = `${examples}${name}`
  const { url } = await startRuntime(t, [process.execPath, 'server.mjs'], { cwd, env })
  t.match(url, /^https?:\/\/\S+:\d+\/(?:graphql|mcp|rpc\/add)$/)
  return url
}
