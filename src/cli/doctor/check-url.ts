import type { FieldLine } from '../../conformance/index.js'
import { diagnose } from '../../conformance/run/diagnose.js'
import { jsonOf } from '../../conformance/wire/content.js'
import type { WireResponse } from '../../conformance/wire/exchange.js'
import { requestTarget, type Target } from '../../conformance/wire/target.js'
import type { WireRequest } from '../../conformance/wire/to-wire-request.js'
import { isJsonObject } from '../../shapes/index.js'
import { withTarget } from '../process/with-target.js'
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

interface Question {
  readonly query: string
  readonly extensions?: object
}

/** Sends one request to the target; a POST with JSON unless it says otherwise. */
export type Ask = (
  json: Question,
  method?: string,
  headers?: readonly FieldLine[],
) => Promise<UrlAnswer>

/** The checks by name, in their order. */
export interface UrlChecks {
  readonly [name: string]: (ask: Ask, plan: UrlPlan) => Promise<CheckVerdict>
}

/** Runs checks against a server; throws an UnreachableError if there is none. */
export function checkUrl(plan: UrlPlan, checks: UrlChecks): Promise<readonly CheckFinding[]> {
  return withTarget(plan.url, plan, async (send, target) => {
    const exchange = (...question: Parameters<Ask>) => send(toRequest(plan, target, question))
    const ask: Ask = async (...question) => {
      const { responses, failure } = await exchange(...question)
      const [response] = responses
      const json = response && jsonOf(response)
      const isGraphQL = isJsonObject(json) && ('data' in json || 'errors' in json)
      return { response, status: String(response?.status ?? failure ?? 'no response'), isGraphQL }
    }
    const control = await exchange({ query: '{ __typename }' })
    const problem = diagnose(control)
    const why = 'Nothing else can be checked.'
    const remedy = 'Check the URL, the credentials and whether the server runs.'
    if (problem !== undefined) return [toFinding('server', ['fail', problem.message, why, remedy])]
    const findings = [toFinding('server', `answers with ${control.responses[0]?.status}`)]
    for (const [name, check] of Object.entries(checks)) {
      findings.push(toFinding(name, await check(ask, plan)))
    }
    return findings
  })
}

function toRequest(
  plan: UrlPlan,
  target: Target,
  [json, method = 'POST', headers = []]: Parameters<Ask>,
): WireRequest {
  const isGet = method === 'GET'
  const type: readonly FieldLine[] = isGet ? [] : [['content-type', 'application/json']]
  return {
    method,
    target: requestTarget(target, '', isGet ? `query=${encodeURIComponent(json.query)}` : ''),
    headers: [['accept', accept], ...type, ...headers, ...plan.headers],
    body: isGet ? undefined : Buffer.from(JSON.stringify(json)),
  }
}

const accept = 'application/graphql-response+json, application/json;q=0.9'
