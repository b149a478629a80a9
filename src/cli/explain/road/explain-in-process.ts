import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { findEdition } from '../../../conformance/suite/editions.js'
import { fieldLines, type HeaderList } from '../../../http/message.js'
import type { Outcome } from '../../../index.js'
import { editionNames } from '../../../over-http/editions.js'
import type { FlagValues } from '../../arguments/flag.js'
import type { Environment } from '../../arguments/read-flags.js'
import { fail, type CliError } from '../../process/cli-error.js'
import { nameOf, refusedOption } from '../../serve/load/load-plan.js'
import { loadServed } from '../../serve/load/load-served.js'
import type { CurlRequest } from '../input/curl-request.js'
import type { ExplainFlags } from '../input/explain-flags.js'
import { describeRoad } from './describe-road.js'
import type { Road } from './road.js'
import { walkRoad, type RoadRequest } from './walk-road.js'

/** Runs a request through the handler that `serve` would make of the same files, flags and variables. */
export async function explainInProcess(
  flags: FlagValues<ExplainFlags>,
  files: readonly string[],
  request: CurlRequest,
  env: Environment,
): Promise<Outcome<Road, CliError>> {
  const { resolvers, data, standard, path, cors, get } = flags
  const edition = editionNames.find((name) => name === flags.edition.value)
  if (edition === undefined) {
    return fail('usage', `--edition: in process, expected one of ${editionNames.join(', ')}.`)
  }
  const chosen = { resolvers, data, standard, path, cors, get }
  const named = { ...flags.edition, value: edition }
  const served = await loadServed(files, { ...chosen, edition: named }, env)
  if (!served.ok) return served
  const { plan, options } = served.value
  const own = findEdition(options.edition)
  try {
    const input = toRequest(request, options.path)
    const walk = await walkRoad(nameOf(plan), options, input)
    const applied = editionNames.find((name) => name === own) ?? edition
    return { ok: true, value: describeRoad(input, walk, options, applied) }
  } catch (error) {
    return refusedOption(error)
  }
}

function toRequest({ method, url, headers, body }: CurlRequest, path: string): RoadRequest {
  const { host, target } = placeOf(url, path)
  const named = new Set(headers.map(([name]) => name.toLowerCase()))
  const lines: string[] = named.has('host') ? [] : ['Host', host]
  for (const [name, value] of headers) lines.push(name, value)
  if (body !== undefined && !named.has('content-length')) {
    lines.push('Content-Length', String(body.length))
  }
  return { head: { method, target, headers: lines, raw: toIncoming(method, target, lines) }, body }
}

/** For functions of the user that read Node's own request; it has no connection. */
function toIncoming(method: string, target: string, lines: HeaderList): IncomingMessage {
  const incoming = new IncomingMessage(new Socket())
  incoming.method = method
  incoming.url = target
  incoming.rawHeaders = [...lines]
  for (const [name, value] of fieldLines(lines)) incoming.headers[name.toLowerCase()] = value
  return incoming
}

/** Without a URL the request goes to the endpoint; `-G` may have added a query. */
function placeOf(url: string | undefined, path: string) {
  const base = `http://localhost${path}`
  if (url === undefined || !URL.canParse(url, base)) return { host: 'localhost', target: path }
  const { host, pathname, search } = new URL(url, base)
  return { host, target: `${pathname}${search}` }
}
