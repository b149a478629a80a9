import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { ClientOptions } from '@modelcontextprotocol/client'
import t, { type Test } from 'tap'
import { failure, success } from '../../../src/index.js'
import { listen, toNodeListener } from '../../../src/hosts/node/index.js'
import { toFetch } from '../../../src/hosts/fetch/index.js'
import { createMcpHandler, type McpOptions } from '@graphwire/mcp'
import { createBooks, info, tools } from '../../../packages/mcp/spec-tests/books.js'

// oxfmt-ignore
const negotiations: [name: string, version: string, options: ClientOptions][] = [
  ['with a handshake, as clients do by default', '2025-11-25', {}],
  ['that asks which version there is',           '2026-07-28', { versionNegotiation: { mode: 'auto' } }],
  ['that speaks one version',                    '2026-07-28', { versionNegotiation: { mode: { pin: '2026-07-28' } } }],
]

const options: McpOptions = {
  schema: createBooks(),
  tools,
  info,
  instructions: 'Ask for books.',
  onBug: () => undefined,
}

/** Connects a client over a socket, or through the handler of fetch. */
async function connect(
  t: Test,
  client: Client,
  host: 'node' | 'fetch',
  more: Partial<McpOptions> = {},
): Promise<void> {
  const handler = createMcpHandler({ ...options, ...more })
  if (host === 'fetch') {
    const respond = toFetch(handler)
    const fetch = async (url: string | URL, init?: RequestInit) => respond(new Request(url, init))
    const url = new URL('http://localhost/mcp')
    return client.connect(new StreamableHTTPClientTransport(url, { fetch }))
  }
  const server = await listen(toNodeListener(handler), { port: 0, host: '127.0.0.1' })
  t.teardown(() => server.close({ grace: 0 }))
  return client.connect(new StreamableHTTPClientTransport(new URL(`${server.origin}/mcp`)))
}

for (const host of ['node', 'fetch'] as const) {
  for (const [name, version, clientOptions] of negotiations) {
    void t.test(`the official client ${name}, on ${host}`, async (t) => {
      const client = new Client({ name: 'test', version: '1' }, clientOptions)
      await connect(t, client, host)
      t.equal(client.getNegotiatedProtocolVersion(), version)
      t.match(client.getServerVersion(), info)
      t.equal(client.getInstructions(), 'Ask for books.')
      const listed = await client.listTools()
      t.equal(listed.tools.length, tools.length)
      // The client checks results against their schemas.
      const found = await client.callTool({ name: 'GetBook', arguments: { id: '1' } })
      t.match(found.structuredContent, { book: { title: 'Emma', author: { name: 'Jane' } } })
      const search = await client.callTool({ name: 'Search', arguments: { text: 'ü' } })
      t.match(search, { structuredContent: { search: [{ __typename: 'Book' }, {}, {}] } })
      const failed = await client.callTool({ name: 'Fail', arguments: { how: 'no' } })
      t.equal(failed.isError, true)
      await t.rejects(client.callTool({ name: 'Nope' }), { code: -32602 })
      await client.close()
    })
  }
}

void t.test('a client without its credential gets an error', async (t) => {
  const client = new Client({ name: 'test', version: '1' })
  const authenticate: McpOptions['authenticate'] = ({ headers }) =>
    headers.includes('Bearer right')
      ? success(undefined)
      : failure({ kind: 'unauthenticated', challenge: 'Bearer' })
  await t.rejects(connect(t, client, 'node', { authenticate }), /401|[Uu]nauthorized|credential/)
})
