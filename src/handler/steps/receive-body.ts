import { isPromise } from '../../base/promise.js'
import type { ParsedJson, RefusedBody, Request } from '../../http/message.js'
import type { Refusal } from '../../over-http/refusals.js'
import { readJsonBody } from '../../over-http/request/read-body.js'
import type { Facts } from '../road/facts.js'
import type { LoadGate } from '../road/load-gate.js'
import { stop, wait, type Pause, type Road } from '../road/road.js'
import type { EndpointTools } from './endpoint-tools.js'

export type Received = Uint8Array | ParsedJson | RefusedBody

const nothing: Uint8Array = new Uint8Array(0)

/** Reads the whole body of a request. More requests may have begun to wait by the time it is there. */
export function* receiveBody(
  request: Request,
  maxBytes: number,
  gate: LoadGate,
): Road<Received, Refusal> {
  const reading = request.body?.read(maxBytes) ?? nothing
  if (!isPromise(reading)) return reading
  const pause: Pause = { work: reading, isArrival: true }
  const body = (yield pause) as Received
  const overload = gate.check(request)
  return overload === undefined || 'refused' in body ? body : yield* stop(overload)
}

/** Reads the JSON of a body whose headers were checked, unless the host refuses the body with a response of its own. */
export function* receiveJson(
  request: Request,
  { settings, gate }: EndpointTools,
  facts: Facts,
): Road<ParsedJson | RefusedBody, Refusal> {
  facts.at = 'body'
  const body = yield* receiveBody(request, settings.maxBodyBytes, gate)
  if ('refused' in body) return body
  const json = yield* wait(readJsonBody(body, facts, settings, request.body?.hold))
  return json.ok ? { json: json.value } : yield* stop(json.reason)
}
