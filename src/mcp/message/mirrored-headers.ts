import { failure, success, type Outcome } from '../../base/outcome.js'
import { fieldValue, type HeaderList } from '../../http/message.js'
import type { McpRefusal } from './mcp-refusals.js'

/*
 * MCP 2026-07-28, "Server Validation": headers repeat parts of the body, for intermediaries that do not read it. A
 * request whose headers say something else than its body is refused, or they would act on what is not executed.
 */

export type MirroredHeader = 'MCP-Protocol-Version' | 'Mcp-Method' | 'Mcp-Name'

/** Refuses a header that is missing or differs from the value of the body. */
export function checkMirrored(
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
