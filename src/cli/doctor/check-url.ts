import { isJsonObject } from '../../base/json.js'
import { diagnose } from '../../conformance/run/diagnose.js'
import { TargetConnections } from '../../conformance/wire/connections.js'
import { jsonOf } from '../../conformance/wire/content.js'
import type { FieldLine, WireResponse } from '../../conformance/wire/exchange.js'
import { checkReachable } from '../../conformance/wire/reachable.js'
import { sendRequest } from '../../conformance/wire/send-request.js'
import { requestTarget, toTarget } from '../../conformance/wire/target.js'
import { toFinding, type CheckFinding, type CheckVerdict } from './finding.js'

/** How a server is asked, and what the checks compare with. */
export interface UrlPlan {
  readonly url: string
  readonly headers: readonly FieldLine[]
  readonly insecure: boolean
  readonly timeout: number
  /** A query with a field that fails. */
  readonly partial: string | undefined
  /** How long the balancer keeps idle connections, in seconds. */
  readonly balancerIdle: number | undefined
}

/** What came of a request: a response, or why there is none. */
export interface UrlAnswer {
  readonly response: WireResponse | undefined
  /** The status, or why there is none. */
  readonly status: string
  /** Whether the body is a result of GraphQL, and not the page of a proxy. */
  readonly isGraphQL: boolean
}

/** Sends one request to the target; a POST with JSON unless it says otherwise. */
export type Ask = (
  json: { readonly query: string; readonly extensions?: object },
  method?: 'POST' | 'GET' | 'QUERY',
  headers?: readonly FieldLine[],
) => Promise<UrlAnswer>

/** The checks by name, in their order. */
export type UrlChecks = readonly (readonly [
  name: string,
  check: (ask: Ask, plan: UrlPlan) => Promise<CheckVerdict>,
])[]

/** Runs checks against a server; throws an UnreachableError if there is none. */
export async function checkUrl(plan: UrlPlan, checks: UrlChecks): Promise<readonly CheckFinding[]> {
  const { timeout, insecure } = plan
  const target = toTarget(plan.url)
  await checkReachable(target, timeout)
  const connections = new TargetConnections(target, { insecure, timeout })
  const send: (...question: Parameters<Ask>) => ReturnType<typeof sendRequest> = (
    json,
    method = 'POST',
    headers = [],
  ) => {
    const isGet = method === 'GET'
    const own: FieldLine[] = isGet ? [] : [['content-type', 'application/json']]
    const query = isGet ? `query=${encodeURIComponent(json.query)}` : ''
    return sendRequest(
      connections,
      target,
      {
        method,
        target: requestTarget(target, '', query),
        headers: [['accept', accept], ...own, ...headers, ...plan.headers],
        body: isGet ? undefined : Buffer.from(JSON.stringify(json)),
      },
      timeout,
    )
  }
  const ask: Ask = async (...question) => {
    const { responses, failure } = await send(...question)
    const [response] = responses
    const json = response && jsonOf(response)
    const isGraphQL = isJsonObject(json) && ('data' in json || 'errors' in json)
    return { response, status: String(response?.status ?? failure ?? 'no response'), isGraphQL }
  }
  try {
    const control = await send({ query: '{ __typename }' })
    const problem = diagnose(control)
    const why = 'Nothing else can be checked.'
    const remedy = 'Check the URL, the credentials and whether the server runs.'
    if (problem !== undefined) return [toFinding('server', ['fail', problem.message, why, remedy])]
    const findings = [toFinding('server', `answers with ${control.responses[0]?.status}`)]
    for (const [name, check] of checks) {
      findings.push(toFinding(name, await check(ask, plan)))
    }
    return findings
  } finally {
    await connections.destroy()
  }
}

const accept = 'application/graphql-response+json, application/json;q=0.9'
