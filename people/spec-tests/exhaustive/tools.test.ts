import t from 'tap'
import type { Json } from '../schema/serve-schema.js'
import { linesOf, production, start, until } from './service/started.js'

/** A message as clients of a version with a handshake send it. */
function message(method: string, params: object = {}): object {
  return { jsonrpc: '2.0', id: 1, method, params }
}

const version = { 'MCP-Protocol-Version': '2025-11-25' }

void t.test('the tools read people, and nothing writes', async (t) => {
  const service = await start(t, ['--db', ':memory:'])
  const ask = async (method: string, params?: object): Promise<Json> => {
    const answer = await service.send('POST', '/mcp', message(method, params), version)
    return answer.json()
  }
  const { result } = await ask('tools/list')
  const names = ['ListPeople', 'GetPerson', 'GetMessage']
  t.match(result, { tools: names.map((name) => ({ name })) })
  t.equal(result.tools.length, names.length)
  for (const { annotations, description } of result.tools) {
    t.strictSame(annotations, { readOnlyHint: true })
    t.ok(description.length > 40)
  }
  const list = (limit: number) => ask('tools/call', { name: 'ListPeople', arguments: { limit } })
  const people = [{ id: '1', name: 'Ada Archer' }]
  t.match(await list(1), { result: { structuredContent: { people } } })
  const content = [{ text: /limit must be from 0 to 100/ }]
  t.match(await list(101), { result: { isError: true, content } })
  const remove = await ask('tools/call', { name: 'DeletePerson', arguments: { id: 1 } })
  t.match(remove, { error: { code: -32602 } })
})

void t.test('credentials and rate limits are those of the service', async (t) => {
  const service = await start(t, ['--db', ':memory:', '--auth', 'all', '--rate-limit', '2'])
  const call = message('tools/call', { name: 'ListPeople' })
  const stranger = await service.send('POST', '/mcp', call, { ...version, 'X-API-Key': 'guess' })
  t.equal(stranger.status, 401)
  t.ok(stranger.headers.get('www-authenticate'))
  const first = await service.send('POST', '/mcp', call, version)
  t.equal(first.status, 200)
  t.match(first.headers.get('ratelimit'), /^"key";r=1;/)
  await service.send('POST', '/mcp', call, version)
  const third = await service.send('POST', '/mcp', call, version)
  t.equal(third.status, 429)
  t.match(await third.json(), { id: 1, error: { data: { code: 'RATE_LIMITED' } } })
})

void t.test('calls are in the log and in the metrics', async (t) => {
  const env = { ...production, AUTH: 'off' }
  const service = await start(t, ['--db', ':memory:'], { env })
  const call = message('tools/call', { name: 'ListPeople' })
  await service.send('POST', '/mcp', call, { 'X-Request-Id': 'tool', ...version })
  const line = await until(() => linesOf(service.said.out).find((one) => one['id'] === 'tool'))
  t.match(line, { method: 'POST', route: '/mcp', operation: 'ListPeople', status: 200 })
  const metrics = await (await service.ask('/metrics')).text()
  t.match(metrics, 'http_request_method="POST",http_response_status_code="200",http_route="/mcp"')
})
