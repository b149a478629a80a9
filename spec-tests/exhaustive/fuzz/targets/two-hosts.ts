import { METHODS } from 'node:http'
import { fieldValue } from '../../../../src/http/message.js'
import { createHandler } from '../../../../src/handler/handler.js'
import { toFetch } from '../../../../src/hosts/fetch.js'
import { serve } from '../../../../src/hosts/node/index.js'
import { faultOf, type SeenResponse } from '../fault-of.js'
import { readResponses } from '../http-responses.js'
import { fuzzOptions } from '../probe.js'
import { rawExchange } from '../raw-exchange.js'
import { makeRequest, smallerRequests, type FuzzRequest } from '../requests.js'
import type { Target, Verdict } from '../../../fuzz/target.js'

const allowed = [200, 204, 294, 400, 403, 404, 405, 406, 413, 414, 415, 422, 431]
const known = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'DELETE', 'PATCH', 'QUERY']
const methods = known.filter((name) => METHODS.includes(name))

/** One request to the host of Node and to that of fetch. */
export async function twoHosts(): Promise<Target<FuzzRequest>> {
  const { options, verdict } = fuzzOptions()
  const server = await serve({ ...options, port: 0, host: '127.0.0.1' })
  const { onBug } = options
  const fetchHost = toFetch(createHandler({ ...options, path: '/graphql' }), { onBug })

  const check = async (request: FuzzRequest): Promise<Verdict> => {
    const { method } = request
    const web = toWebRequest(request)
    if (web === undefined) return undefined
    const answer = await fetchHost(web)
    const headers = [...answer.headers].flat()
    const fetched = { status: answer.status, headers, body: await answer.text() }
    const raw = readResponses(await rawExchange(server.port, toBytes(request, web)))
    if ('broken' in raw) return `broken: ${raw.broken}`
    const [sent, ...more] = raw.answers
    if (sent === undefined || more.length > 0) return `count: ${raw.answers.length} answers`
    const [one, other] = [sent, fetched].map((got) => faultOf(got, allowed, { method }))
    const fault = one ?? other ?? verdict()
    if (fault !== undefined) return fault
    const [left, right] = [shown(sent), shown(fetched)]
    return left === right ? undefined : `differs: node ${left}, fetch ${right}`
  }
  return {
    name: 'two-hosts',
    generate: (random) => {
      const request = makeRequest(random)
      return { ...request, method: random.chance(0.2) ? random.pick(methods) : request.method }
    },
    check,
    smaller: smallerRequests,
    close: async () => void (await server.close()),
  }
}

/** Fields that belong to the connection, and targets and values that a Request would change or refuse. */
const ofConnection = /^(?:transfer-encoding|content-length|expect|connection|host)$/i
const plainTarget = /^\/[\w/?=&%~.+:;,@!$()*-]*$/
const plainValue = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/

function toWebRequest({ method, target, headers, body }: FuzzRequest): Request | undefined {
  if (!methods.includes(method) || !plainTarget.test(target)) return undefined
  if (/(?:^|\/)(?:\.|%2e){1,2}(?:[/?]|$)/i.test(target) || target.startsWith('//')) return undefined
  // The URL of a Request has its origin, too, which counts where its length is limited.
  if (target.length > 8000) return undefined
  const kept = headers.filter(([name, value]) => !ofConnection.test(name) && plainValue.test(value))
  const hasBody = body !== '' && method !== 'GET' && method !== 'HEAD'
  const fields = kept.map(([name, value]): [string, string] => [name, value])
  fields.push(['Host', 'localhost'])
  const content = hasBody && { body: new TextEncoder().encode(body) }
  return new Request(`http://localhost${target}`, { method, headers: fields, ...content })
}

function toBytes({ target, body }: FuzzRequest, web: Request): Buffer {
  const content = web.body === null ? Buffer.alloc(0) : Buffer.from(body)
  const lines = [...web.headers].map(([name, value]) => `${name}: ${value}`)
  const length = web.body === null ? [] : [`Content-Length: ${content.length}`]
  const framing = [...length, 'Connection: close', '', '']
  const head = [`${web.method} ${target} HTTP/1.1`, ...lines, ...framing]
  return Buffer.concat([Buffer.from(head.join('\r\n'), 'latin1'), content])
}

const compared = [
  ...'content-type content-length vary cache-control allow accept accept-query'.split(' '),
  ...'accept-encoding x-content-type-options retry-after'.split(' '),
]

function shown({ status, headers, body }: SeenResponse): string {
  const values = compared.map((name) => fieldValue(headers, name) ?? null)
  return JSON.stringify([status, body, ...values])
}
