import type { HeaderList, HttpResponse, TextResponse } from '../http/message.js'
import type { McpInfo, McpSettings } from './mcp-options.js'
import type { RpcRefusal } from './message/mcp-refusals.js'
import type { MessageId } from './message/message.js'
import { statelessVersion, type Version } from './message/versions.js'

const always = ['Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff']

const jsonHeaders: HeaderList = Object.freeze(['Content-Type', 'application/json', ...always])

/** The response to a notification. */
export const accepted: HttpResponse = {
  status: 202,
  headers: Object.freeze([...always]),
  body: '',
}

/** Writes the response with a result, which is the text of a JSON object. */
export type ResultWriter = (id: MessageId, version: Version, result: string) => TextResponse

/** Stateless results name the server and their kind. All of that is written once. */
export function createResultWriter({ info }: { readonly info: McpInfo }): ResultWriter {
  const meta = { 'io.modelcontextprotocol/serverInfo': info }
  const stateless = JSON.stringify({ resultType: 'complete', _meta: meta }).slice(0, -1)
  return (id, version, result) => {
    const whole = version === statelessVersion ? withMembers(stateless, result) : result
    const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${whole}}`
    return { status: 200, headers: jsonHeaders, body }
  }
}

function withMembers(start: string, result: string): string {
  return result === '{}' ? `${start}}` : `${start},${result.slice(1)}`
}

/** The response with an error; MCP leaves out the id if it could not be read. */
export function writeError(
  id: MessageId | undefined,
  status: number,
  { rpcCode, message, data, headers }: RpcRefusal,
): TextResponse {
  const error = { code: rpcCode, message, data }
  return {
    status,
    headers: [...jsonHeaders, ...headers],
    body: JSON.stringify({ jsonrpc: '2.0', id, error }),
  }
}

/** MCP 2026-07-28, "Caching": how long clients may keep what does not change, and for whom. */
export function cacheHints({ toolsTtl, isPrivate }: McpSettings): object {
  return { ttlMs: toolsTtl, cacheScope: isPrivate ? 'private' : 'public' }
}
