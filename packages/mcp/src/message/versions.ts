import { isJsonObject, type JsonObject, failure, success, type Outcome } from 'graphwire/base'
import { fieldValue, type HeaderList } from 'graphwire/http'
import type { McpRefusal } from './mcp-refusals.js'
import { own, type Message } from './message.js'

/** The version whose requests carry everything they need. */
export const statelessVersion = '2026-07-28'

/** The versions that begin with the handshake `initialize`, newest first. */
const handshakeVersions = ['2025-11-25', '2025-06-18'] as const

type HandshakeVersion = (typeof handshakeVersions)[number]

/** A version of the protocol that is supported. */
export type Version = typeof statelessVersion | HandshakeVersion

/** All supported versions, newest first. */
export const versions: readonly Version[] = [statelessVersion, ...handshakeVersions]

/** The version that the handshake agrees on: the requested one, or else the newest that has a handshake. */
export function agreeOn(requested: string | undefined): HandshakeVersion {
  return handshakeVersions.find((version) => version === requested) ?? handshakeVersions[0]
}

/**
 * Which version of the protocol a message speaks, checked by the rules of that version. A stateless request names it
 * in its `_meta`; of the others, only `initialize` may do without the header.
 */
export function checkVersion(message: Message, headers: HeaderList): Outcome<Version, McpRefusal> {
  const field = fieldValue(headers, 'mcp-protocol-version')
  const meta = own(message.params, '_meta')
  const named = isJsonObject(meta) ? own(meta, versionKey) : undefined
  if (named !== undefined && typeof named !== 'string')
    return failure(invalidMeta(versionKey, 'a string'))
  if (named !== undefined && message.id !== undefined) {
    const mismatch = checkMirrored(headers, 'MCP-Protocol-Version', named)
    if (mismatch !== undefined) return failure(mismatch)
  }
  const text = named ?? field ?? (isOfHandshake(message) ? agreeOn(undefined) : undefined)
  if (text === undefined) {
    return failure({ kind: 'header-mismatch', name: 'MCP-Protocol-Version', problem: 'is missing' })
  }
  const version = versions.find((one) => one === text)
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
  if (own(fields, versionKey) === undefined) return invalidMeta(versionKey, 'a string')
  return isJsonObject(own(fields, capabilitiesKey))
    ? undefined
    : invalidMeta(capabilitiesKey, 'an object')
}

function invalidMeta(key: string, expected: string): McpRefusal {
  return { kind: 'invalid-params', problem: `"_meta": "${key}" must be ${expected}.` }
}

function checkHeaders({ method, params }: Message, headers: HeaderList): McpRefusal | undefined {
  const mismatch = checkMirrored(headers, 'Mcp-Method', method)
  if (mismatch !== undefined || method !== 'tools/call') return mismatch
  const name = own(params, 'name')
  return typeof name === 'string' ? checkMirrored(headers, 'Mcp-Name', name) : undefined
}

/*
 * MCP 2026-07-28, "Server Validation": headers repeat parts of the body, for intermediaries that do not read it. A request
 * whose headers differ from its body is refused, or intermediaries would act on something that is not executed.
 */

type MirroredHeader = 'MCP-Protocol-Version' | 'Mcp-Method' | 'Mcp-Name'

/** Refuses a header that is missing or differs from the value of the body. */
function checkMirrored(
  headers: HeaderList,
  name: MirroredHeader,
  expected: string,
): McpRefusal | undefined {
  const field = fieldValue(headers, name.toLowerCase())
  if (field === undefined) return { kind: 'header-mismatch', name, problem: 'is missing' }
  const value = name === 'Mcp-Name' ? decode(field) : success(field)
  if (!value.ok) return { kind: 'header-mismatch', name, problem: value.reason }
  return value.value === expected
    ? undefined
    : { kind: 'header-mismatch', name, problem: 'does not match the body' }
}

/** MCP 2026-07-28, "Value Encoding": `=?base64?...?=` stands for what a header cannot have. */
function decode(field: string): Outcome<string, string> {
  if (!field.startsWith('=?base64?') || !field.endsWith('?=')) {
    return /^[\t\x20-\x7e]*$/.test(field) ? success(field) : failure('has invalid characters')
  }
  const encoded = field.slice('=?base64?'.length, -'?='.length)
  if (encoded.length % 4 !== 0 || !/^[A-Za-z\d+/]*={0,2}$/.test(encoded))
    return failure('is not valid Base64')
  try {
    const bytes = Uint8Array.from(atob(encoded), (unit) => unit.charCodeAt(0))
    return success(utf8.decode(bytes))
  } catch {
    return failure('is not valid Base64 of UTF-8')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
