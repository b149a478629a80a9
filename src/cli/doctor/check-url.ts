import { controlRequest, diagnose } from '../../conformance/run/diagnose.js'
import { contentOf, jsonOf } from '../../conformance/wire/content.js'
import { fieldOf, membersOf } from '../../conformance/wire/exchange.js'
import type { Target } from '../../conformance/wire/target.js'
import { toWireRequest } from '../../conformance/wire/to-wire-request.js'
import { isJsonObject } from '../../shapes/index.js'
import type { FlagValues } from '../arguments/flag.js'
import { withTarget, type Send } from '../process/with-target.js'
import type { DoctorFlags } from './doctor-flags.js'
import { checkIdle, toFinding, type CheckFinding, type CheckVerdict } from './finding.js'

type Flags = FlagValues<DoctorFlags>

type Ask = ReturnType<typeof createAsk>

export function checkUrl(url: string, flags: Flags): Promise<readonly CheckFinding[]> {
  return withTarget(url, flags, async (send, target) => {
    const ask = createAsk(flags, target, send)
    const { exchange, status } = await ask()
    const problem = diagnose(exchange)
    if (problem !== undefined) return [toFinding('server', ['fail', problem.message, 'no server'])]
    const findings = [toFinding('server', `answers with ${status}`)]
    for (const [name, check] of Object.entries(proxyChecks)) {
      findings.push(toFinding(name, await check(ask, flags)))
    }
    return findings
  })
}

/** Sends requests to the target as the conformance suite does. */
function createAsk({ header }: Flags, target: Target, send: Send) {
  return async (request = controlRequest) => {
    const headers = { ...controlRequest.headers, ...request.headers }
    const exchange = await send(toWireRequest({ ...request, headers }, target, header.value))
    const [response] = exchange.responses
    const result = response && jsonOf(response)
    return {
      exchange,
      response,
      /** The status, or why there is none. */
      status: String(response?.status ?? exchange.failure ?? 'no response'),
      /** Whether the body is a result of GraphQL, and not the page of a proxy. */
      isGraphQL: isJsonObject(result) && ('data' in result || 'errors' in result),
    }
  }
}

const query = '{ __typename }'

function isSuccess({ response, isGraphQL }: Awaited<ReturnType<Ask>>): boolean {
  return response !== undefined && isGraphQL && response.status < 300
}

/** Software that works from a list of statuses may not know 294. */
async function checkPartial(ask: Ask, { partial }: Flags): Promise<CheckVerdict> {
  if (partial.value === undefined) return ['warn', 'not checked', 'no --partial']
  const { response, status, isGraphQL } = await ask({ json: { query: partial.value } })
  if (status === '294' && isGraphQL) return 'passes with its body'
  if (status === '422' || status === '400') {
    return ['warn', `not checked: the query of --partial gets ${status}`, 'invalid query']
  }
  const body = isGraphQL || response === undefined ? '' : ' without the body of the server'
  return ['fail', `${status}${body}`, 'no 294']
}

async function checkQuery(ask: Ask): Promise<CheckVerdict> {
  const answer = await ask({ ...controlRequest, method: 'QUERY' })
  return isSuccess(answer) ? 'passes' : ['warn', answer.status, 'query']
}

async function checkVary(ask: Ask): Promise<CheckVerdict> {
  const { response, status } = await ask({ method: 'GET', query: { query } })
  if (response === undefined) return ['fail', status, 'no response']
  const vary = membersOf(response, 'vary')
  if (vary.includes('accept') || vary.includes('*')) return vary.join(', ')
  if (membersOf(response, 'cache-control').includes('no-store')) return 'none, and not stored'
  return ['fail', vary.join(', ') || 'none', 'vary']
}

/** Below the default of `maxBodyBytes`. */
const bodyKilobytes = 900

async function checkBodyLimit(ask: Ask): Promise<CheckVerdict> {
  const extensions = { padding: 'x'.repeat(bodyKilobytes * 1024) }
  const answer = await ask({ json: { query, extensions } })
  const { status, isGraphQL } = answer
  const size = `${bodyKilobytes} KiB`
  if (isSuccess(answer)) return `more than ${size}`
  if (status === '413' && isGraphQL) return `less than ${size}, by the server itself`
  return ['fail', `a body of ${size}: ${status}`, 'body limit']
}

const manyTypes = '{ __schema { types { name description fields { name description } } } }'

const worthBytes = 4096

async function checkCompression(ask: Ask): Promise<CheckVerdict> {
  const plain = await ask({
    json: { query: manyTypes },
    headers: { 'accept-encoding': 'identity' },
  })
  const packed = await ask({ json: { query: manyTypes }, headers: { 'accept-encoding': 'gzip' } })
  if (plain.response === undefined) return ['fail', plain.status, 'no response']
  if (packed.response === undefined) return ['fail', packed.status, 'no response']
  const unwanted = fieldOf(plain.response, 'content-encoding')
  if (unwanted !== undefined && unwanted !== 'identity') {
    return ['fail', `${unwanted}, though the client takes none`, 'unasked coding']
  }
  const coding = fieldOf(packed.response, 'content-encoding')
  const { length } = plain.response.body
  if (coding === undefined) {
    const none = `none, of ${length} bytes`
    return length < worthBytes ? none : ['warn', none, 'no coding']
  }
  const content = contentOf(packed.response)
  if (!content.ok) return ['fail', content.reason, 'broken coding']
  if (!packed.isGraphQL) return ['fail', coding, 'broken coding']
  const vary = membersOf(packed.response, 'vary')
  if (vary.includes('accept-encoding') || vary.includes('*')) return coding
  return ['warn', `${coding} without Vary: Accept-Encoding`, 'no vary']
}

async function checkKeepAlive(ask: Ask, flags: Flags): Promise<CheckVerdict> {
  const { response, status } = await ask()
  if (response === undefined) return ['fail', status, 'no response']
  if (membersOf(response, 'connection').includes('close')) {
    return ['warn', 'Connection: close', 'no keep-alive']
  }
  const seconds = /timeout=(\d+)/i.exec(fieldOf(response, 'keep-alive') ?? '')?.[1]
  if (seconds === undefined) return 'not announced'
  return checkIdle(Number(seconds), flags['balancer-idle'].value)
}

const proxyChecks = {
  294: checkPartial,
  QUERY: checkQuery,
  Vary: checkVary,
  'body limit': checkBodyLimit,
  compression: checkCompression,
  'keep-alive': checkKeepAlive,
}
