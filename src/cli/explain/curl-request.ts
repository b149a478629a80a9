import { parseArgs } from 'node:util'
import { readTextFile } from '../process/read-text-file.js'
import { fail } from '../process/exit.js'

export interface CurlRequest {
  readonly method: string
  /** A URL or a path with its query, as it was given; undefined if none was. */
  readonly url: string | undefined
  /** What the request line has instead of the path of the URL. */
  readonly target: string | undefined
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array | undefined
}

// oxfmt-ignore
/** What is known of curl; most of the switches change nothing of the request. */
const options = {
  request:          { type: 'string', short: 'X' },
  header:           { type: 'string', short: 'H', multiple: true },
  data:             { type: 'string', short: 'd' },
  'data-ascii':     { type: 'string' },
  'data-raw':       { type: 'string' },
  'data-binary':    { type: 'string' },
  'data-urlencode': { type: 'string' },
  json:             { type: 'string' },
  user:             { type: 'string', short: 'u' },
  'user-agent':     { type: 'string', short: 'A' },
  referer:          { type: 'string', short: 'e' },
  cookie:           { type: 'string', short: 'b', multiple: true },
  url:              { type: 'string', multiple: true },
  get:              { type: 'boolean', short: 'G' },
  head:             { type: 'boolean', short: 'I' },
  compressed:       { type: 'boolean' },
  'request-target': { type: 'string' },
  'path-as-is':     { type: 'boolean' },
  globoff:          { type: 'boolean', short: 'g' },
  silent:           { type: 'boolean', short: 's' },
  'show-error':     { type: 'boolean', short: 'S' },
  include:          { type: 'boolean', short: 'i' },
  verbose:          { type: 'boolean', short: 'v' },
  insecure:         { type: 'boolean', short: 'k' },
  'no-buffer':      { type: 'boolean', short: 'N' },
  fail:             { type: 'boolean', short: 'f' },
  location:         { type: 'boolean', short: 'L' },
  'http1.1':        { type: 'boolean' },
} as const

type CurlValues = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

const supported =
  '-X, -H, -d, --data-raw, --data-urlencode, --json, -G, -I, -u, -b, --compressed, and a URL or a path'

/** Reads a request from the words of a curl command, whose own name may come first. */
export async function readCurlRequest(words: readonly string[]): Promise<CurlRequest> {
  const args = words[0] === 'curl' ? words.slice(1) : [...words]
  // Not strict: it would refuse values that begin with a dash.
  const read = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true })
  const data: string[] = []
  for (const token of read.tokens) {
    if (token.kind !== 'option') continue
    const { name, value, rawName } = token
    const { type } = Object.hasOwn(options, name) ? options[name as keyof CurlValues] : {}
    if (type === undefined) {
      fail('usage', `curl's ${rawName} is not supported here: use ${supported}.`)
    }
    if (type === 'string' && value === undefined) {
      fail('usage', `curl's --${name} requires a value.`)
    }
    if (name === 'json' || name.startsWith('data')) data.push(await readData(name, value ?? ''))
  }
  // Each value has been checked.
  const values = read.values as CurlValues
  return toRequest(values, data, chooseUrl([...(values.url ?? []), ...read.positionals]))
}

/** What a data option sends; a value that begins with an @ names a file. */
async function readData(name: string, value: string): Promise<string> {
  if (name === 'data-urlencode') {
    // `name=content`, `=content` or `content`; the content is encoded.
    const equals = value.indexOf('=')
    const field = equals > 0 ? value.slice(0, equals + 1) : ''
    return field + encodeURIComponent(value.slice(equals + 1))
  }
  if (name === 'data-raw' || !value.startsWith('@')) return value
  const text = await readTextFile(value.slice(1), 'usage')
  const keepsLines = name === 'json' || name === 'data-binary'
  return keepsLines ? text : text.replaceAll(/[\r\n]/g, '')
}

/** `Name: value`; `Name:` leaves out a header of curl's own, and `Name;` sends an empty one. */
function readHeader(line: string): readonly [name: string, value: string | undefined] {
  const [, name, end, value = ''] =
    /^([\w!#$%&'*+.^`|~-]+)(;$|:)[ \t]*([^\r\n\0]*)$/.exec(line) ?? []
  if (name === undefined) fail('usage', `-H: expected "Name: value", got ${JSON.stringify(line)}.`)
  return [name, value === '' && end === ':' ? undefined : value.trimEnd()]
}

/** A path begins with a slash; a host needs no scheme. */
function chooseUrl([url, other]: readonly string[]): string | undefined {
  if (other !== undefined) fail('usage', `Expected one URL or path, got ${url} and ${other}.`)
  const isHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:[/?]|$)/i.test(url ?? '')
  return isHost ? `http://${url}` : url
}

function toRequest(values: CurlValues, data: readonly string[], url = ''): CurlRequest {
  const { get, head, user } = values
  const isJson = values.json !== undefined
  const text = data.join(isJson ? '' : '&')
  const hasBody = data.length > 0 && !get
  const { request: method = head ? 'HEAD' : hasBody ? 'POST' : 'GET' } = values
  if (!/^[\w!#$%&'*+.^`|~-]{1,64}$/.test(method)) {
    fail('usage', `-X: expected a method such as POST, got ${JSON.stringify(method)}.`)
  }
  const credentials = Buffer.from(user ?? '').toString('base64')
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded'
  // The headers of other options come first, unless -H overrides them.
  const own = {
    Accept: isJson ? 'application/json' : '*/*',
    'Content-Type': hasBody ? type : undefined,
    Authorization: user === undefined ? undefined : `Basic ${credentials}`,
    'User-Agent': values['user-agent'],
    Referer: values.referer,
    Cookie: values.cookie?.join(';'),
    'Accept-Encoding': values.compressed ? 'deflate, gzip, br' : undefined,
  }
  const headers = (values.header ?? []).map(readHeader)
  const named = new Set(headers.map(([name]) => name.toLowerCase()))
  const unnamed = Object.entries(own).filter(([name]) => !named.has(name.toLowerCase()))
  const query = data.length > 0 && get ? `${url.includes('?') ? '&' : '?'}${text}` : ''
  return {
    method,
    url: `${url}${query}` || undefined,
    target: values['request-target'],
    headers: [...unnamed, ...headers].flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
    body: hasBody ? Buffer.from(text) : undefined,
  }
}
