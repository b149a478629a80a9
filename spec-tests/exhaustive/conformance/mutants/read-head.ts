import type { ByteReader } from './byte-reader.js'
import type { Has } from './defects.js'
import { linesOf, plain, type FieldLine, type Response } from './message.js'

/** The start of a request, up to the empty line. */
export interface Head {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly minor: number
  readonly headers: readonly FieldLine[]
}

/** A value, or the answer to what is none. */
export type OrRefused<Value> = { readonly value: Value } | { readonly refused: Response }

const maxTarget = 8192
const maxHead = 16_384

/** Reads a request line and header fields (RFC 9112 sections 2 to 5); undefined at the end. */
export async function readHead(reader: ByteReader, has: Has): Promise<OrRefused<Head> | undefined> {
  // RFC 9112 section 2.2: empty lines before a request line are skipped.
  do if (!(await reader.hasMore())) return undefined
  while (!has('leading-empty-line-refused') && (await skipEmptyLine(reader)))
  const line = await reader.line(has('target-of-4000-refused') ? 4000 : maxTarget)
  if ('fault' in line) {
    if (line.fault === 'malformed') return refuse(400, 'No whole request line came.')
    return refuse(has('414-is-500') ? 500 : 414, 'The request target is too long.')
  }
  const start = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/(\d)\.(\d)$/.exec(line.text)
  if (start === null) return refuse(400, 'This is no request line.')
  const [, method = '', target = '', major, minor] = start
  if (major !== '1' && !has('major-version-ignored'))
    return refuse(505, 'The server speaks HTTP/1.1.')
  const headers = await readFields(reader, has)
  if ('refused' in headers) return headers
  const where = splitTarget(target, has)
  if (where === undefined) return refuse(400, 'The request target is none.')
  const name = has('method-in-lower-case-accepted') ? method.toUpperCase() : method
  const head = { method: name, ...where, minor: Number(minor), headers: headers.value }
  return checkHost(head, has) ?? { value: head }
}

async function skipEmptyLine(reader: ByteReader): Promise<boolean> {
  if (reader.peek()[0] !== 0x0d) return false
  return 'text' in (await reader.line(0))
}

async function readFields(reader: ByteReader, has: Has): Promise<OrRefused<readonly FieldLine[]>> {
  const headers: FieldLine[] = []
  let left = maxHead
  for (;;) {
    const line = await reader.line(left)
    if ('fault' in line) {
      if (line.fault === 'malformed') return refuse(400, 'The header fields have no end.')
      return refuse(has('431-is-500') ? 500 : 431, 'The header fields are too large.')
    }
    let { text } = line
    if (text === '') return { value: headers }
    left -= text.length
    if (has('nul-in-a-field-accepted')) text = text.replaceAll('\0', '')
    const field = has('space-before-colon-accepted')
      ? /^([^\s:]+)[ \t]*:[ \t]*(.*?)[ \t]*$/.exec(text)
      : /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\0\r\n]*?)[ \t]*$/.exec(text)
    if (field === null) return refuse(400, 'A header field is malformed.')
    headers.push([field[1] ?? '', field[2] ?? ''])
  }
}

/** Origin-form, absolute-form and asterisk-form (RFC 9112 section 3.2). */
function splitTarget(target: string, has: Has): { path: string; query: string } | undefined {
  let rest = target
  const absolute = /^https?:\/\/[^/?#]*/i.exec(target)
  if (absolute !== null && !has('absolute-form-404')) rest = target.slice(absolute[0].length)
  const mark = rest.indexOf('?')
  const path = mark < 0 ? rest : rest.slice(0, mark)
  if (absolute === null && !path.startsWith('/') && path !== '*') return undefined
  return { path: path === '' ? '/' : path, query: mark < 0 ? '' : rest.slice(mark + 1) }
}

const isHost = /^(?:\[[0-9a-fA-Fv:.]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/

/** RFC 9112 section 3.2: no Host or several are 400. */
function checkHost({ headers, minor }: Head, has: Has): OrRefused<never> | undefined {
  const hosts = linesOf(headers, 'host')
  const isValid = hosts.every((host) => isHost.test(host))
  if (!isValid) return refuse(400, 'The Host field is malformed.')
  if (hosts.length > 1 && !has('two-hosts-accepted')) return refuse(400, 'There are two Hosts.')
  if (hosts.length === 0 && minor > 0 && !has('missing-host-accepted')) {
    return refuse(400, 'There is no Host.')
  }
  return undefined
}

/** An answer after which the connection is closed. */
export function refuse(status: number, text: string): { readonly refused: Response } {
  return { refused: plain(status, text) }
}
