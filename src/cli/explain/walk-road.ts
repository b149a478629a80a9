import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { isStream } from '../../http/message.js'
import { fieldLines, type HeaderList } from '../../http/index.js'
import { editionNames } from '../../over-http/editions.js'
import type { FlagValues } from '../arguments/flag.js'
import { loadServed } from '../serve/load/load-plan.js'
import type { CurlRequest } from './curl-request.js'
import type { ExplainFlags } from './explain-flags.js'
import { walk, type Walk } from './walk.js'
import { fail, orFail } from '../process/exit.js'
import type { Environment } from '../process/terminal.js'

/** Sends a request through the handler that `serve` would make of the same files, flags and variables. */
export async function walkRoad(
  { resolvers, data, standard, path, cors, get, ...own }: FlagValues<ExplainFlags>,
  files: readonly string[],
  request: CurlRequest,
  env: Environment,
): Promise<Walk> {
  const unknown = `--edition: in process, expected one of ${editionNames.join(', ')}.`
  const name = editionNames.find((one) => one === own.edition.value) ?? fail('usage', unknown)
  const edition = { ...own.edition, value: name }
  const flags = { resolvers, data, standard, path, cors, get, edition }
  const served = await loadServed(files, flags, env)
  const head = toHead(request, served.path)
  const road = (): Promise<Walk> => walk(files[0] ?? 'serve', served, head, request.body)
  const seen = await orFail('configuration', road)
  if (isStream(seen.response.body)) seen.response.body.discard()
  return seen
}

/** Without a URL the request goes to the endpoint; `-G` may have added a query. */
function toHead({ method, url = '', headers, body, ...request }: CurlRequest, path: string) {
  const base = `http://localhost${path}`
  const { host, pathname, search } = new URL(URL.canParse(url, base) ? url : base, base)
  const named = new Set(headers.map(([name]) => name.toLowerCase()))
  const lines: string[] = named.has('host') ? [] : ['Host', host]
  for (const [name, value] of headers) lines.push(name, value)
  if (body !== undefined && !named.has('content-length')) {
    lines.push('Content-Length', String(body.length))
  }
  const { target = `${pathname}${search}` } = request
  return { method, target, headers: lines, raw: toIncoming(method, target, lines) }
}

/** A request of Node without a connection, for functions of the user that read it. */
function toIncoming(method: string, target: string, lines: HeaderList): IncomingMessage {
  const incoming = new IncomingMessage(new Socket())
  incoming.method = method
  incoming.url = target
  incoming.rawHeaders = [...lines]
  for (const [name, value] of fieldLines(lines)) incoming.headers[name.toLowerCase()] = value
  return incoming
}
