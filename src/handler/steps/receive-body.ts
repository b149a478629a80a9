import { isPromise } from '../../base/promise.js'
import type { ParsedJson, RefusedBody, Request } from '../../http/message.js'
import type { Refusal } from '../../over-http/refusals.js'
import { stop, type Pause, type Road } from '../road/road.js'
import type { LoadGate } from '../road/load-gate.js'

/** What became of a body. */
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
