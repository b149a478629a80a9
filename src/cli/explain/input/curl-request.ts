import type { Outcome } from '../../../index.js'
import { readTextFile } from '../../process/read-text-file.js'
import { fail, type CliError } from '../../process/cli-error.js'

/** A request in the words of curl. */
export interface CurlRequest {
  readonly method: string
  /** A URL or a path with its query, as it was given; undefined if none was. */
  readonly url: string | undefined
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array | undefined
}

/** What has been read of the words so far. */
interface Draft {
  method: string | undefined
  url: string | undefined
  readonly headers: (readonly [string, string])[]
  /** Names of headers that must not be sent, such as by `-H 'Accept:'`, in lower case. */
  readonly without: Set<string>
  readonly data: string[]
  isJson: boolean
  /** `-G`: the data goes into the URL. */
  inUrl: boolean
  head: boolean
}

type Take = (draft: Draft, value: string) => undefined | string | Promise<undefined | string>

/** The options with a value. What they return is a mistake. */
const valued: { readonly [option: string]: Take } = {
  '--request': (draft, value) => void (draft.method = value),
  '--header': takeHeader,
  '--data': takeData,
  '--data-ascii': takeData,
  '--data-raw': (draft, value) => void draft.data.push(value),
  '--data-binary': (draft, value) => takeFileOr(draft, value, (text) => text),
  '--data-urlencode': takeEncoded,
  '--json': (draft, value) => {
    draft.isJson = true
    return takeFileOr(draft, value, (text) => text)
  },
  '--user': (draft, value) => {
    const credentials = Buffer.from(value).toString('base64')
    return void draft.headers.push(['Authorization', `Basic ${credentials}`])
  },
  '--user-agent': (draft, value) => void draft.headers.push(['User-Agent', value]),
  '--referer': (draft, value) => void draft.headers.push(['Referer', value]),
  '--cookie': (draft, value) => void draft.headers.push(['Cookie', value]),
  '--url': takeUrl,
}

const switches: { readonly [option: string]: (draft: Draft) => void } = {
  '--get': (draft) => void (draft.inUrl = true),
  '--head': (draft) => void (draft.head = true),
  '--compressed': (draft) => void draft.headers.push(['Accept-Encoding', 'deflate, gzip, br']),
}

/** Options that change nothing of the request. */
const ignored: ReadonlySet<string> = new Set([
  '--silent',
  '--show-error',
  '--include',
  '--verbose',
  '--insecure',
  '--no-buffer',
  '--fail',
  '--http1.1',
  '--location',
])

// oxfmt-ignore
const short: { readonly [letter: string]: string } = {
  X: '--request', H: '--header', d: '--data', G: '--get', I: '--head', u: '--user', A: '--user-agent', e: '--referer', b: '--cookie',
  s: '--silent', S: '--show-error', i: '--include', v: '--verbose', k: '--insecure', N: '--no-buffer', f: '--fail', L: '--location',
}

/** Reads a request from the words of a curl command, whose own name may come first. */
export async function readCurlRequest(
  words: readonly string[],
): Promise<Outcome<CurlRequest, CliError>> {
  const draft: Draft = {
    method: undefined,
    url: undefined,
    headers: [],
    without: new Set(),
    data: [],
    isJson: false,
    inUrl: false,
    head: false,
  }
  const rest = words[0] === 'curl' ? words.slice(1) : [...words]
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] as string
    const problem = await takeWord(draft, word, rest[at + 1])
    if (typeof problem === 'string') return fail('usage', problem)
    if (problem.tookNext) at += 1
  }
  return toRequest(draft)
}

interface Taken {
  readonly tookNext: boolean
}

/** Takes a word, and the next one if it is its value; a text is a mistake. */
async function takeWord(
  draft: Draft,
  word: string,
  next: string | undefined,
): Promise<Taken | string> {
  if (!word.startsWith('-') || word === '-') return takeUrl(draft, word) ?? one
  if (word.startsWith('--')) return takeOption(draft, word, next)
  // Letters without a value may stand together, and a value may follow its letter: -sSXPOST.
  for (let at = 1; at < word.length; at += 1) {
    const letter = word[at] as string
    const option = Object.hasOwn(short, letter) ? short[letter] : undefined
    if (option === undefined) return unknown(`-${letter}`)
    const attached = word.slice(at + 1)
    if (Object.hasOwn(valued, option)) {
      const taken = await takeOption(draft, option, attached === '' ? next : attached)
      return typeof taken === 'string' ? taken : { tookNext: attached === '' }
    }
    const taken = await takeOption(draft, option, undefined)
    if (typeof taken === 'string') return taken
  }
  return one
}

const one: Taken = { tookNext: false }

async function takeOption(
  draft: Draft,
  option: string,
  value: string | undefined,
): Promise<Taken | string> {
  const take = Object.hasOwn(valued, option) ? valued[option] : undefined
  if (take !== undefined) {
    if (value === undefined) return `curl's ${option} requires a value.`
    return (await take(draft, value)) ?? { tookNext: true }
  }
  if (Object.hasOwn(switches, option)) switches[option]?.(draft)
  else if (!ignored.has(option)) return unknown(option)
  return one
}

function unknown(option: string): string {
  const known = 'X, -H, -d, --data-raw, --data-urlencode, --json, -G, -I, -u, -b, --compressed'
  return `curl's ${option} is not supported here: use -${known}, and a URL or a path.`
}

function takeUrl(draft: Draft, url: string): string | undefined {
  if (draft.url !== undefined) return `Expected one URL or path, got ${draft.url} and ${url}.`
  draft.url = url
  return undefined
}

/** `Name: value`; `Name:` leaves out a header of curl's own, and `Name;` sends an empty one. */
function takeHeader(draft: Draft, line: string): string | undefined {
  const empty = /^([^:;\s]+);$/.exec(line)?.[1]
  if (empty !== undefined) return void draft.headers.push([empty, ''])
  const [, name, value = ''] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([^\r\n\0]*)$/.exec(line) ?? []
  if (name === undefined) return `-H: expected "Name: value", got ${JSON.stringify(line)}.`
  if (value === '') draft.without.add(name.toLowerCase())
  else draft.headers.push([name, value.trimEnd()])
  return undefined
}

/** A file loses its line breaks, as with curl. */
function takeData(draft: Draft, value: string): undefined | Promise<undefined | string> {
  return takeFileOr(draft, value, (text) => text.replaceAll(/[\r\n]/g, ''))
}

/** A value, or the content of a file if it begins with an @. */
function takeFileOr(
  draft: Draft,
  value: string,
  convert: (text: string) => string,
): undefined | Promise<undefined | string> {
  if (!value.startsWith('@')) return void draft.data.push(value)
  return readTextFile(value.slice(1)).then((text) => {
    if (!text.ok) return text.reason.message
    draft.data.push(convert(text.value))
    return undefined
  })
}

/** `name=content`, `=content` or `content`; the content is encoded. */
function takeEncoded(draft: Draft, value: string): undefined {
  const equals = value.indexOf('=')
  const name = value.slice(0, Math.max(0, equals))
  const content = encodeURIComponent(value.slice(equals + 1))
  draft.data.push(name === '' ? content : `${name}=${content}`)
  return undefined
}

function toRequest(draft: Draft): Outcome<CurlRequest, CliError> {
  const { data, inUrl, head, isJson } = draft
  const text = data.join(isJson ? '' : '&')
  const hasBody = data.length > 0 && !inUrl
  const method = draft.method ?? (head ? 'HEAD' : hasBody ? 'POST' : 'GET')
  if (!/^[\w!#$%&'*+.^`|~-]{1,64}$/.test(method)) {
    return fail('usage', `-X: expected a method such as POST, got ${JSON.stringify(method)}.`)
  }
  const query = inUrl && data.length > 0 ? text : undefined
  return {
    ok: true,
    value: {
      method,
      url: query === undefined ? draft.url : withQuery(draft.url ?? '', query),
      headers: allHeaders(draft, hasBody),
      body: hasBody ? Buffer.from(text) : undefined,
    },
  }
}

function withQuery(url: string, query: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}${query}`
}

/** The headers that curl sends of its own accord come first, unless they are given. */
function allHeaders({ headers, without, isJson }: Draft, hasBody: boolean): CurlRequest['headers'] {
  const own: (readonly [string, string])[] = [['Accept', isJson ? 'application/json' : '*/*']]
  if (hasBody) {
    const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded'
    own.push(['Content-Type', type])
  }
  const named = new Set([...without, ...headers.map(([name]) => name.toLowerCase())])
  return [...own.filter(([name]) => !named.has(name.toLowerCase())), ...headers]
}
