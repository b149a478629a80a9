import { StringDecoder } from 'node:string_decoder'
import type {
  BytesFixture,
  HeaderLines,
  RawOperation,
  Repeat,
  RequestFixture,
} from '../suite/fixture.js'
import { requestTarget, type Target } from './target.js'
import type { FieldLine } from './exchange.js'

export interface WireRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly FieldLine[]
  readonly body: Uint8Array | undefined
}

/** Makes the request of a fixture ready to send; `more` are the user's headers. */
export function toWireRequest(
  request: RequestFixture,
  target: Target,
  more: readonly FieldLine[],
): WireRequest {
  const query = request.rawQuery ?? toQuery(request.query ?? {})
  const headers = toLines(request.headers)
  const fieldNames = new Set(Object.keys(request.headers ?? {}).map((name) => name.toLowerCase()))
  if (request.json !== undefined && !fieldNames.has('content-type')) {
    headers.push(['content-type', 'application/json'])
  }
  for (const line of more) if (!fieldNames.has(line[0].toLowerCase())) headers.push(line)
  return {
    method: request.method ?? 'POST',
    target: requestTarget(target, request.path ?? '', query),
    headers,
    body: toBody(request),
  }
}

export function toLines(headers: HeaderLines = {}): FieldLine[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((line): FieldLine => [name, line]),
  )
}

/** The methods whose requests say that they have no body. */
const methodsWithBody = new Set(['POST', 'PUT', 'PATCH', 'QUERY'])

export function toBytes({ method, target, headers, body }: WireRequest, host: string): Buffer {
  const length = body?.length ?? 0
  const isCounted = length > 0 || methodsWithBody.has(method)
  const usual: readonly FieldLine[] = [
    ['host', host],
    ...(isCounted ? [['content-length', String(length)] as const] : []),
  ]
  const own = new Set(headers.map(([name]) => name.toLowerCase()))
  const lines = [...usual.filter(([name]) => !own.has(name)), ...headers]
  const fields = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${fields}\r\n`, 'latin1')
  return Buffer.concat([head, body ?? Buffer.alloc(0)])
}

/** The bytes that an operation on a raw connection sends; undefined if it sends none. */
export function bytesOf({ chunk, ...content }: RawOperation): Buffer | undefined {
  if (chunk === undefined) return toContent(content)
  if (chunk === 'end') return Buffer.from('0\r\n\r\n')
  const bytes = toContent(chunk) ?? Buffer.alloc(0)
  const size = Buffer.from(`${bytes.length.toString(16)}\r\n`)
  return Buffer.concat([size, bytes, Buffer.from('\r\n')])
}

/** Bytes in hexadecimal digits, with any white space between them. */
export function fromHex(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')
}

function toQuery(parameters: { readonly [name: string]: string }): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}

function toBody({ json, parts, ...content }: RequestFixture): Buffer | undefined {
  if (json !== undefined) return Buffer.from(JSON.stringify(json))
  return parts ? Buffer.from(parts.map(toText).join('')) : toContent(content)
}

export function toContent({ text, hex, repeat }: BytesFixture): Buffer | undefined {
  if (text !== undefined) return Buffer.from(text)
  if (hex !== undefined) return fromHex(hex)
  return repeat && Buffer.from(toText(repeat))
}

function toText(part: string | Repeat): string {
  if (typeof part === 'string') return part
  const { text, times, counter } = part
  return counter === undefined ? text.repeat(times) : expand(part).join('')
}

/** The text as often as it is wanted, each with its number. */
export function expand({ text, times, counter }: Repeat): readonly string[] {
  return Array.from({ length: times }, (_, at) =>
    counter === undefined ? text : text.replaceAll(counter, String(at)),
  )
}

/** The request as the server sees it, as text for people; a long body is truncated. */
export function formatRequest(request: WireRequest, host: string, version = '1.1'): string {
  const lines = [
    `${request.method} ${request.target} HTTP/${version}`,
    `host: ${host}`,
    ...request.headers.map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\n')}\n\n${formatBytes(request.body ?? new Uint8Array(0))}`
}

/** Bytes as text for people: unprintable characters are escaped, long text is truncated. */
export function formatBytes(bytes: Uint8Array, limit = 2000): string {
  const decoder = new StringDecoder('utf8')
  const isCut = bytes.length > limit
  const start = decoder.write(Buffer.from(bytes.subarray(0, limit)))
  // Half a character at the cut is left out.
  const text = isCut ? start : start + decoder.end()
  const more = isCut ? `\n... ${bytes.length - limit} bytes more` : ''
  // oxlint-disable-next-line no-control-regex -- control characters are what is to be escaped
  return text.replaceAll('\r', '').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, toHex) + more
}

/** A longer command is not worth pasting. */
const maxLength = 4000

/**
 * The request as a command of curl; undefined if it is too long, or has a NUL, which no argument can have. The user's
 * own headers come from variables of the shell, since reports are published.
 */
export function toCurl(
  { method, target: path, headers, body }: WireRequest,
  target: Target,
  own: readonly FieldLine[],
): string | undefined {
  if ((body?.length ?? 0) > maxLength || body?.includes(0)) return undefined
  const names = new Set(headers.map(([name]) => name.toLowerCase()))
  // The headers that curl would add by itself.
  const unwanted = ['accept', ...(body === undefined ? [] : ['content-type'])]
  const isPlain = path.startsWith('/')
  const words = [
    ...(method === 'HEAD' ? ['-I'] : ['-i', '-X', quote(method)]),
    ...(isPlain
      ? ['-g', '--path-as-is', quote(`${target.origin}${path}`)]
      : ['--request-target', quote(path), quote(target.origin)]),
    ...headers.flatMap(([name, value]) => ['-H', toHeader(name, value, own)]),
    ...unwanted.flatMap((name) => (names.has(name) ? [] : ['-H', `'${name}:'`])),
    ...(body === undefined ? [] : ['--data-binary', quote(Buffer.from(body).toString('latin1'))]),
  ]
  return unlessLong(`curl ${words.join(' ')}`)
}

/** The operations on a raw connection as a command of nc, or of openssl with TLS; undefined if it is too long. */
export function toNetcat(
  operations: readonly RawOperation[],
  { hostname, port, protocol }: Target,
  own: readonly FieldLine[],
): string | undefined {
  const parts: string[] = []
  let bytes = ''
  const flush = (): void => {
    if (bytes !== '') parts.push(`printf ${toArguments(bytes, own)}`)
    bytes = ''
  }
  for (const operation of operations) {
    if (operation.reset) return undefined
    const text = bytesOf(operation)?.toString('latin1') ?? ''
    if (text.length + bytes.length > maxLength) return undefined
    if (text !== '') bytes += text
    else if (!operation.halfClose) {
      flush()
      // The time of a response is unknown.
      parts.push(`sleep ${(operation.sleep ?? 1000) / 1000}`)
    }
  }
  flush()
  if (parts.length === 0) return undefined
  const isClosed = operations.some(({ halfClose }) => halfClose)
  const client =
    protocol === 'https:'
      ? `openssl s_client -quiet -connect ${hostname}:${port}`
      : `nc ${isClosed ? '-N ' : ''}${hostname} ${port}`
  // Many clients leave at the end of their input, before the response has come.
  return unlessLong(`(${[...parts, ...(isClosed ? [] : ['sleep 2'])].join('; ')}) | ${client}`)
}

function toHeader(name: string, value: string, own: readonly FieldLine[]): string {
  if (own.some(([mine, its]) => mine === name && its === value)) {
    return `${quote(`${name}: `)}${toVariable(name)}`
  }
  return quote(value === '' ? `${name};` : `${name}: ${value}`)
}

/** The variable of the shell that holds a header of the user. */
function toVariable(name: string): string {
  return `"$${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}"`
}

/** A word of the shell. Bytes that are not printable need the quotes of bash. */
function quote(text: string): string {
  if (/^[\w./:@%+-]+$/.test(text)) return text
  if (/^[\u0020-\u007e]*$/.test(text)) return `'${text.replaceAll("'", String.raw`'\''`)}'`
  const escaped = text.replaceAll(/[\\']/g, String.raw`\$&`)
  return `$'${escaped.replaceAll(/[^\u0020-\u007e]/g, toHex)}'`
}

function toHex(character: string): string {
  return String.raw`\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** For the format of printf within quotes, with octal escapes, which every shell knows. */
function escape(text: string): string {
  return text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll('%', '%%')
    .replaceAll('\r', String.raw`\r`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll(/[^\u0020-\u007e]/g, toOctal)
    .replaceAll("'", String.raw`'\''`)
}

/** The format, and the variables for it, which may have any characters. */
function toArguments(bytes: string, own: readonly FieldLine[]): string {
  const variables: string[] = []
  const lines = bytes.split('\r\n').map((line) => {
    const found = own.find(([name, value]) => line === `${name}: ${value}`)
    if (found === undefined) return escape(line)
    variables.push(toVariable(found[0]))
    return `${found[0]}: %s`
  })
  return [`'${lines.join(String.raw`\r\n`)}'`, ...variables].join(' ')
}

function toOctal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`
}

function unlessLong(command: string): string | undefined {
  return command.length > maxLength ? undefined : command
}
