import { Connections } from '../../../conformance/wire/connections.js'
import { jsonOf } from '../../../conformance/wire/content.js'
import type { Exchange, FieldLine } from '../../../conformance/wire/exchange.js'
import { checkReachable } from '../../../conformance/wire/reachable.js'
import { sendRequest } from '../../../conformance/wire/send-request.js'
import { requestTarget, toTarget } from '../../../conformance/wire/target.js'
import { diagnose } from '../../../conformance/run/diagnose.js'
import { isJsonObject } from '../../../base/json.js'
import { fine, type Finding } from '../findings/finding.js'
import type { Answer, Ask, UrlPlan } from './ask.js'
import { listProxyChecks } from './proxy-checks.js'

/** Checks what a proxy may do to the responses of a server; throws an UnreachableError if there is none. */
export async function checkUrl(plan: UrlPlan): Promise<readonly Finding[]> {
  const { url, timeout, insecure, headers } = plan
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
    for (const check of listProxyChecks(plan)) findings.push(await check(ask, control))
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
