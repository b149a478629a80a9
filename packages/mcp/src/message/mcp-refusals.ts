import {
  defaultEdition,
  editions,
  type Refusal,
  fillRow,
  quote,
  type RefusalDetails,
  type RefusalRow,
  type RefusalRows,
  sharedRefusals,
} from 'graphwire/surface/parts'

/** Every reason of MCP to reject a message, in addition to those of HTTP itself (closed union). */
export type McpRefusal =
  | { readonly kind: 'foreign-origin'; readonly origin: string }
  | { readonly kind: 'only-post'; readonly method: string }
  | { readonly kind: 'json-not-accepted' }
  | { readonly kind: 'no-message'; readonly problem: string }
  | { readonly kind: 'header-mismatch'; readonly name: string; readonly problem: string }
  | {
      readonly kind: 'version-not-supported'
      readonly requested: string
      readonly supported: readonly string[]
    }
  | { readonly kind: 'unknown-method'; readonly method: string }
  | { readonly kind: 'invalid-params'; readonly problem: string }
  | { readonly kind: 'unknown-tool'; readonly name: string }

/** Every refusal of MCP, one row each; a kind without a row does not compile. */
export const mcpRefusals: RefusalRows<McpRefusal> = {
  'foreign-origin': {
    status: 403,
    message: ({ origin }) =>
      `Requests of pages of other sites are blocked (${quote(origin)}). Name the origin in \`cors.origins\`.`,
    doc: ['A page of another origin sent the request.', 'Name the origin in `cors.origins`.'],
  },
  'only-post': {
    status: 405,
    code: 'METHOD_NOT_ALLOWED',
    message: ({ method }) => `The method ${quote(method)} is not supported: use POST.`,
    headers: () => ['Allow', allowedMethods],
    doc: ['The method is not POST: there are no streams and no sessions.', 'Use POST.'],
  },
  'json-not-accepted': {
    status: 406,
    code: 'NOT_ACCEPTABLE',
    message: 'Accept does not admit application/json, the type of every response.',
    doc: ['`Accept` does not admit JSON.', 'Send `Accept: application/json, text/event-stream`.'],
  },
  'no-message': {
    status: 400,
    code: 'INVALID_MESSAGE',
    message: ({ problem }) => problem,
    doc: ['The body is not one request or notification of JSON-RPC 2.0.', 'See the message.'],
  },
  'header-mismatch': {
    status: 400,
    message: ({ name, problem }) => `The header ${name} ${problem}.`,
    doc: [
      '`MCP-Protocol-Version`, `Mcp-Method` or `Mcp-Name` is missing or differs from the body.',
      'Send what the body has.',
    ],
  },
  'version-not-supported': {
    status: 400,
    message: ({ requested, supported }) =>
      `The protocol version ${quote(requested)} is not supported: use ${supported.join(', ')}.`,
    details: ({ requested, supported }) => ({ supported, requested: requested.slice(0, 100) }),
    doc: ['The protocol version is not supported.', 'Use one of `data.supported`.'],
  },
  'unknown-method': {
    status: 404,
    message: ({ method }) => `The method ${quote(method)} is not supported.`,
    doc: [
      'The method of the message is not supported; 200 in versions with a handshake.',
      'Use `tools/list` and `tools/call`.',
    ],
  },
  'invalid-params': {
    status: 400,
    message: ({ problem }) => problem,
    doc: [
      '`params` lacks a member or has one of a wrong type; 200 in versions with a handshake.',
      'See the message.',
    ],
  },
  'unknown-tool': {
    status: 200,
    message: ({ name }) => `Unknown tool: ${quote(name)}.`,
    doc: ['No tool has this name.', 'Ask for `tools/list`.'],
  },
}

export const allowedMethods = 'POST, OPTIONS'

/** The code of JSON-RPC, or of MCP, of each refusal that has one of its own. */
const rpcCodes: { readonly [kind in (McpRefusal | Refusal)['kind']]?: number } = {
  'header-mismatch': -32020,
  'version-not-supported': -32022,
  'unknown-method': -32601,
  'invalid-params': -32602,
  'unknown-tool': -32602,
  'invalid-json': -32700,
  'invalid-utf-8': -32700,
}

/** A refusal as an error of JSON-RPC. */
export interface RpcRefusal extends RefusalDetails {
  readonly rpcCode: number
  /** The `data` of the error: for codes of the protocol, its data; otherwise our code. */
  readonly data: object | undefined
}

const rows = { ...sharedRefusals, ...mcpRefusals }

export function describeMcpRefusal(refusal: McpRefusal | Refusal): RpcRefusal {
  const row = rows[refusal.kind] as RefusalRow<McpRefusal | Refusal>
  const filled = fillRow(row, refusal, editions[defaultEdition])
  const own = rpcCodes[refusal.kind]
  const data = Object.hasOwn(mcpRefusals, refusal.kind)
    ? filled.details
    : { code: filled.code, ...filled.details }
  return { ...filled, rpcCode: own ?? (filled.status >= 500 ? -32603 : -32600), data }
}

/** Whether a message with a handshake gets the error with status 200, as its clients expect. */
export function isAboutMessage({ kind }: { readonly kind: string }): boolean {
  return kind === 'unknown-method' || kind === 'invalid-params'
}
