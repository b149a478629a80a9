import { fieldValue, type HeaderList } from '../../../../src/http/message.js'
import type { CorsOptions } from '../../../../src/http/cors.js'
import type { Options } from '../../../../src/options/options.js'
import { success } from '../../../../src/base/outcome.js'
import { createProbe } from '../probe.js'
import { makeRequest, smallerRequests, type FuzzRequest } from '../requests.js'
import { acceptsStream, chooseByAccept } from '../references/choose-by-accept.js'
import { readMediaType } from '../references/read-media-type.js'
import type { Target, Verdict } from '../../../fuzz/target.js'

interface Rules {
  readonly defaultType: string
  readonly isOld: boolean
  readonly origins: CorsOptions['origins'] | undefined
}

const allowed = [200, 204, 294, 400, 403, 404, 405, 406, 413, 414, 415, 422, 431, 501]

/** Whole requests without a socket, on several configurations. */
export function headerFields(): Target<FuzzRequest> {
  const configurations: readonly Partial<Options>[] = [
    {},
    { path: '/graphql', edition: '2025-05', cors: { origins: '*' } },
    { cors: { origins: ['https://good.example'], credentials: true }, getHeaders: ['X-Csrf'] },
    { get: false, decoders: { gzip: (bytes) => success(bytes) }, introspection: false },
  ]
  const probes = configurations.map((options) => {
    const isOld = options.edition === '2025-05'
    const defaultType = isOld ? 'application/json' : 'application/graphql-response+json'
    const rules = { defaultType, isOld, origins: options.cors?.origins }
    return { probe: createProbe(options), rules }
  })

  const check = async (request: FuzzRequest): Promise<Verdict> => {
    const { method, target, headers: lines, body } = request
    const headers: { [name: string]: string[] } = Object.create(null)
    for (const [name, value] of lines) (headers[name] ??= []).push(value)
    for (const { probe, rules } of probes) {
      const asked = { method, isOld: rules.isOld }
      const { answer, fault } = await probe({ method, target, headers, body }, allowed, asked)
      const wrong = fault ?? faultOfStatus(answer.status, request, rules)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
  return { name: 'header-fields', generate: makeRequest, check, smaller: smallerRequests }
}

/** What must be so of a request that got this status. */
function faultOfStatus(status: number, request: FuzzRequest, rules: Rules): Verdict {
  const headers: HeaderList = request.headers.flat()
  const accepted = chooseByAccept(fieldValue(headers, 'accept'), rules.defaultType) !== undefined
  const executed = status === 200 || status === 294
  const isStreamed = executed && acceptsStream(fieldValue(headers, 'accept'))
  if ((status === 406 || executed) && accepted === (status === 406) && !isStreamed) {
    return `accept: a ${status}, and ${accepted ? 'something' : 'nothing'} is acceptable`
  }
  const isBody = request.method === 'POST' || request.method === 'QUERY'
  const isJson = isUtf8Json(fieldValue(headers, 'content-type') ?? '')
  if (executed && isBody && !isJson) return `type: a ${status} for what is no JSON`
  if (status === 415 && isJson && fieldValue(headers, 'content-encoding') === undefined) {
    return 'type: a 415 for JSON'
  }
  if (status === 403 && isBody) return 'cross: a 403 for what a browser asks leave for'
  if (executed && !isBody && isForeign(headers, rules.origins)) return 'cross: a foreign GET ran'
  if (status === 501 && fieldValue(headers, 'transfer-encoding') === undefined) {
    return 'coding: a 501 without a coding'
  }
  return status === 414 && request.target.length <= 8192 ? 'target: a 414' : undefined
}

function isUtf8Json(contentType: string): boolean {
  const found = readMediaType(contentType)
  if (found?.type !== 'application' || found.subtype !== 'json') return false
  return found.parameters.every(([name, value]) => name !== 'charset' || /^utf-8$/i.test(value))
}

/** Whether the page of another origin sent it: what stands behind `://` is not the server's own name. */
function isForeign(headers: HeaderList, origins: Rules['origins']): boolean {
  const origin = fieldValue(headers, 'origin')
  const isAllowed = [origins].flat().some((one) => one === '*' || one === origin)
  if (origin === undefined || isAllowed) return false
  const own = /^[a-z][a-z0-9+.-]*:\/\/(.*)$/is.exec(origin)?.[1]
  return own === undefined || own !== fieldValue(headers, 'host')?.toLowerCase()
}
