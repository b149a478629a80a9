import { Connections } from '../../../conformance/wire/connections.js'
import { jsonOf } from '../../../conformance/wire/content.js'
import {
  fieldOf,
  type Exchange,
  type FieldLine,
  type WireResponse,
} from '../../../conformance/wire/exchange.js'
import { checkReachable } from '../../../conformance/wire/reachable.js'
import { sendRequest } from '../../../conformance/wire/send-request.js'
import { requestTarget, toTarget } from '../../../conformance/wire/target.js'
import { diagnose } from '../../../conformance/run/diagnose.js'
import { isJsonObject } from '../../../base/json.js'
import { fine, type Finding } from '../findings/finding.js'

/** Runs checks against a server; throws an UnreachableError if there is none. */
export async function checkUrl(
  { url, timeout, insecure, headers }: UrlPlan,
  checks: readonly UrlCheck[],
): Promise<readonly Finding[]> {
  const target = toTarget(url)
  await checkReachable(target, timeout)
  const connections = new Connections(target, { insecure, timeout })
  const ask: Ask = async ({ method = 'POST', headers: more = [], json }) => {
    const isGet = method === 'GET'
    const own: FieldLine[] = isGet ? [] : [['content-type', 'application/json']]
    const exchange = await sendRequest(
      connections,
      target,
      {
        method,
        target: requestTarget(target, '', isGet ? `query=${encodeURIComponent(json.query)}` : ''),
        headers: [['accept', accept], ...own, ...more, ...headers],
        body: isGet ? undefined : Buffer.from(JSON.stringify(json)),
      },
      timeout,
    )
    return toAnswer(exchange)
  }
  try {
    const control = await ask({ json: { query: '{ __typename }' } })
    const problem = diagnose(control.exchange)
    if (problem !== undefined) {
      return [
        {
          check: 'server',
          state: 'fail',
          found: problem.message,
          why: 'Nothing else can be checked.',
          remedy: 'Check the URL, the credentials and whether the server runs.',
        },
      ]
    }
    const findings: Finding[] = [fine('server', `answers with ${control.response?.status}`)]
    for (const check of checks) findings.push(await check(ask, control))
    return findings
  } finally {
    await connections.destroy()
  }
}

const accept = 'application/graphql-response+json, application/json;q=0.9'

function toAnswer(exchange: Exchange): Answer {
  const [response] = exchange.responses
  const json = response && jsonOf(response)
  return {
    response,
    failure: exchange.failure ?? 'no response',
    isGraphQL: isJsonObject(json) && ('data' in json || 'errors' in json),
    exchange,
  }
}

/** How a server is asked. */
interface UrlPlan {
  readonly url: string
  readonly headers: readonly FieldLine[]
  readonly insecure: boolean
  readonly timeout: number
}

/** One check; `control` is the answer to a request that every server can answer. */
export type UrlCheck = (ask: Ask, control: Answer) => Promise<Finding>

/** Sends one request to the target. */
export type Ask = (question: Question) => Promise<Answer>

/** A request of the doctor; a POST with JSON unless it says otherwise. */
interface Question {
  readonly method?: 'POST' | 'GET' | 'QUERY'
  readonly headers?: readonly FieldLine[]
  readonly json: { readonly query: string; readonly extensions?: object }
}

/** What came of it. */
export interface Answer {
  readonly response: WireResponse | undefined
  /** Why there is no response. */
  readonly failure: string
  /** Whether the body is a result of GraphQL, and not the page of a proxy. */
  readonly isGraphQL: boolean
  readonly exchange: Exchange
}

/** The tokens of a field, in lower case. */
export function tokensOf(response: WireResponse, name: string): readonly string[] {
  return (fieldOf(response, name) ?? '')
    .toLowerCase()
    .split(',')
    .map((token) => token.trim())
}
