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

interface Draft {
  method?: string
  url?: string
  target?: string
  /** Headers of other options than `-H`, which overrides them. */
  readonly own: Map<string, string>
  readonly headers: (readonly [string, string])[]
  /** Names of headers that must not be sent, such as by `-H 'Accept:'`, in lower case. */
  readonly without: Set<string>
  readonly data: string[]
  isJson?: boolean
  /** `-G`: the data goes into the URL. */
  inUrl?: boolean
  head?: boolean
}

/** Applies an option. */
type Take = (draft: Draft, value: string) => void

function sends(name: string): Take {
  return ({ own }, value) => own.set(name, value)
}

const takeCookie: Take = ({ own }, value) => {
  const first = own.get('Cookie')
  own.set('Cookie', first === undefined ? value : `${first};${value}`)
}

const takeData: Take = ({ data }, value) => data.push(value)

type CurlOption = readonly [letter: string, type: 'string' | 'boolean', take?: Take]

// oxfmt-ignore
/** The options by name, with their letter if they have one; those that change nothing of the request take nothing. */
const table: { readonly [option: string]: CurlOption } = {
  request:          ['X', 'string',  (draft, value) => (draft.method = value)],
  header:           ['H', 'string',  takeHeader],
  data:             ['d', 'string',  takeData],
  'data-ascii':     ['',  'string',  takeData],
  'data-raw':       ['',  'string',  takeData],
  'data-binary':    ['',  'string',  takeData],
  'data-urlencode': ['',  'string',  takeEncoded],
  json:             ['',  'string',  (draft, value) => ((draft.isJson = true), takeData(draft, value))],
  user:             ['u', 'string',  (draft, value) => sends('Authorization')(draft, `Basic ${Buffer.from(value).toString('base64')}`)],
  'user-agent':     ['A', 'string',  sends('User-Agent')],
  referer:          ['e', 'string',  sends('Referer')],
  cookie:           ['b', 'string',  takeCookie],
  url:              ['',  'string',  takeUrl],
  get:              ['G', 'boolean', (draft) => (draft.inUrl = true)],
  head:             ['I', 'boolean', (draft) => (draft.head = true)],
  compressed:       ['',  'boolean', ({ own }) => own.set('Accept-Encoding', 'deflate, gzip, br')],
  'request-target': ['',  'string',  (draft, value) => (draft.target = value)],
  'path-as-is':     ['',  'boolean'],
  globoff:          ['g', 'boolean'],
  silent:           ['s', 'boolean'],
  'show-error':     ['S', 'boolean'],
  include:          ['i', 'boolean'],
  verbose:          ['v', 'boolean'],
  insecure:         ['k', 'boolean'],
  'no-buffer':      ['N', 'boolean'],
  fail:             ['f', 'boolean'],
  location:         ['L', 'boolean'],
  'http1.1':        ['',  'boolean'],
}

const supported =
  '-X, -H, -d, --data-raw, --data-urlencode, --json, -G, -I, -u, -b, --compressed, and a URL or a path'

const options = Object.fromEntries(
  Object.entries(table).map(([name, [short, type]]) => [name, { type, ...(short && { short }) }]),
)

/** Reads a request from the words of a curl command, whose own name may come first. */
export async function readCurlRequest(words: readonly string[]): Promise<CurlRequest> {
  const args = words[0] === 'curl' ? words.slice(1) : [...words]
  // Not strict: it would refuse values that begin with a dash.
  const reading = { args, options, strict: false, allowPositionals: true, tokens: true } as const
  const draft: Draft = { own: new Map(), headers: [], without: new Set(), data: [] }
  for (const token of parseArgs(reading).tokens) {
    if (token.kind === 'option-terminator') continue
    const { name, value, rawName } =
      token.kind === 'option' ? token : { ...token, name: 'url', rawName: '' }
    const [, type, take] = Object.hasOwn(table, name) ? (table[name] ?? []) : []
    if (type === undefined) {
      fail('usage', `curl's ${rawName} is not supported here: use ${supported}.`)
    }
    if (type === 'string' && value === undefined) {
      fail('usage', `curl's --${name} requires a value.`)
    }
    take?.(draft, await readValue(name, value ?? ''))
  }
  return toRequest(draft)
}

/** A value, or the content of a file if it begins with an @. */
async function readValue(name: string, value: string): Promise<string> {
  if (!value.startsWith('@') || !filed.has(name)) return value
  const text = await readTextFile(value.slice(1), 'usage')
  const keepsLines = !name.startsWith('data') || name === 'data-binary'
  return keepsLines ? text : text.replaceAll(/[\r\n]/g, '')
}

const filed: ReadonlySet<string> = new Set(['data', 'data-ascii', 'data-binary', 'json'])

/** `Name: value`; `Name:` leaves out a header of curl's own, and `Name;` sends an empty one. */
function takeHeader({ headers, without }: Draft, line: string): void {
  const [, name, end, value = ''] =
    /^([\w!#$%&'*+.^`|~-]+)(;$|:)[ \t]*([^\r\n\0]*)$/.exec(line) ?? []
  if (name === undefined) fail('usage', `-H: expected "Name: value", got ${JSON.stringify(line)}.`)
  if (value === '' && end === ':') without.add(name.toLowerCase())
  else headers.push([name, value.trimEnd()])
}

/** A path begins with a slash; a host needs no scheme. */
function takeUrl(draft: Draft, value: string): void {
  if (draft.url !== undefined) {
    fail('usage', `Expected one URL or path, got ${draft.url} and ${value}.`)
  }
  const isHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?(?:[/?]|$)/i.test(value)
  draft.url = isHost ? `http://${value}` : value
}

/** `name=content`, `=content` or `content`; the content is encoded. */
function takeEncoded({ data }: Draft, value: string): void {
  const equals = value.indexOf('=')
  const name = value.slice(0, Math.max(0, equals))
  data.push(`${name}${name && '='}${encodeURIComponent(value.slice(equals + 1))}`)
}

function toRequest(draft: Draft): CurlRequest {
  const { url = '', target, headers, without, data, inUrl, head, isJson } = draft
  const text = data.join(isJson ? '' : '&')
  const hasBody = data.length > 0 && !inUrl
  const { method = head ? 'HEAD' : hasBody ? 'POST' : 'GET' } = draft
  if (!/^[\w!#$%&'*+.^`|~-]{1,64}$/.test(method)) {
    fail('usage', `-X: expected a method such as POST, got ${JSON.stringify(method)}.`)
  }
  // The default headers of curl come first, unless they are overridden.
  const own: (readonly [string, string])[] = [['Accept', isJson ? 'application/json' : '*/*']]
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded'
  if (hasBody) own.push(['Content-Type', type])
  own.push(...draft.own)
  const named = new Set([...without, ...headers.map(([name]) => name.toLowerCase())])
  const query = data.length > 0 && inUrl ? `${url.includes('?') ? '&' : '?'}${text}` : ''
  return {
    method,
    url: draft.url === undefined && query === '' ? undefined : `${url}${query}`,
    target,
    headers: [...own.filter(([name]) => !named.has(name.toLowerCase())), ...headers],
    body: hasBody ? Buffer.from(text) : undefined,
  }
}
