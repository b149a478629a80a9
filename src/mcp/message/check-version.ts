import { isJsonObject, type JsonObject } from '../../base/json.js'
import { failure, success, type Outcome } from '../../base/outcome.js'
import { fieldValue, type HeaderList } from '../../http/message.js'
import type { McpRefusal } from './mcp-refusals.js'
import { own, type Message } from './message.js'
import { checkMirrored } from './mirrored-headers.js'
import { agreeOn, findVersion, statelessVersion, versions, type Version } from './versions.js'

/**
 * Which version of the protocol a message speaks, checked by the rules of that version. A stateless request names it
 * in its `_meta`; of the others, only `initialize` may do without the header.
 */
export function checkVersion(message: Message, headers: HeaderList): Outcome<Version, McpRefusal> {
  const field = fieldValue(headers, 'mcp-protocol-version')
  const meta = own(message.params, '_meta')
  const named = isJsonObject(meta) ? own(meta, versionKey) : undefined
  if (named !== undefined && typeof named !== 'string')
    return invalidMeta(`"${versionKey}" must be a string`)
  if (named !== undefined && message.id !== undefined) {
    const mismatch = checkMirrored(headers, 'MCP-Protocol-Version', named)
    if (mismatch !== undefined) return failure(mismatch)
  }
  const text = named ?? field ?? (isOfHandshake(message) ? agreeOn(undefined) : undefined)
  if (text === undefined) {
    return failure({ kind: 'header-mismatch', name: 'MCP-Protocol-Version', problem: 'is missing' })
  }
  const version = findVersion(text)
  if (version === undefined) {
    return failure({ kind: 'version-not-supported', requested: text, supported: versions })
  }
  if (version !== statelessVersion || message.id === undefined) return success(version)
  const refusal = checkMeta(meta) ?? checkHeaders(message, headers)
  return refusal === undefined ? success(version) : failure(refusal)
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

/** A notification does nothing here, and for it no version defines the header. */
function isOfHandshake({ id, method }: Message): boolean {
  return method === 'initialize' || id === undefined
}

/** MCP 2026-07-28, "Per-request protocol fields". */
function checkMeta(meta: unknown): McpRefusal | undefined {
  const fields: JsonObject = isJsonObject(meta) ? meta : {}
  if (own(fields, versionKey) === undefined) return lacking(versionKey)
  const capabilities = own(fields, capabilitiesKey)
  if (capabilities === undefined) return lacking(capabilitiesKey)
  return isJsonObject(capabilities)
    ? undefined
    : { kind: 'invalid-params', problem: `"_meta": "${capabilitiesKey}" must be an object.` }
}

function lacking(key: string): McpRefusal {
  return { kind: 'invalid-params', problem: `"_meta" must have "${key}".` }
}

function invalidMeta(problem: string): Outcome<never, McpRefusal> {
  return failure({ kind: 'invalid-params', problem: `"_meta": ${problem}.` })
}

function checkHeaders({ method, params }: Message, headers: HeaderList): McpRefusal | undefined {
  const mismatch = checkMirrored(headers, 'Mcp-Method', method)
  if (mismatch !== undefined || method !== 'tools/call') return mismatch
  const name = own(params, 'name')
  return typeof name === 'string' ? checkMirrored(headers, 'Mcp-Name', name) : undefined
}
