import type { ParsedJson, RefusedBody, Request } from '../../http/message.js'
import { readJsonBody } from '../../over-http/request/read-body.js'
import type { Refusal } from '../../over-http/refusals.js'
import type { Facts } from '../road/facts.js'
import { stop, wait, type Road } from '../road/road.js'
import type { EndpointTools } from './endpoint-tools.js'
import { receiveBody } from './receive-body.js'

/** Reads the JSON of a body whose headers were checked, unless the host refuses the body with a response of its own. */
export function* receiveJson(
  request: Request,
  { settings, gate }: EndpointTools,
  facts: Facts,
): Road<ParsedJson | RefusedBody, Refusal> {
  facts.at = 'body'
  const body = yield* receiveBody(request, settings.maxBodyBytes, gate)
  if ('refused' in body) return body
  const { headers } = facts.head
  const json = yield* wait(readJsonBody(body, headers, settings, request.body?.hold))
  return json.ok ? { json: json.value } : yield* stop(json.reason)
}
