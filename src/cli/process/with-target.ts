import { checkReachable, toTarget } from '../../conformance/index.js'
import type { Exchange } from '../../conformance/wire/exchange.js'
import { Client } from '../../conformance/wire/send-request.js'
import type { Target } from '../../conformance/wire/target.js'
import type { WireRequest } from '../../conformance/wire/to-wire-request.js'

/** Lends a target for single requests. Throws a TypeError for an invalid URL, and an UnreachableError if there is no server. */
export async function withTarget<Value>(
  url: string,
  { insecure, timeout }: { readonly insecure: boolean; readonly timeout: number },
  work: (send: (request: WireRequest) => Promise<Exchange>, target: Target) => Promise<Value>,
): Promise<Value> {
  const target = toTarget(url)
  await checkReachable(target, timeout)
  const client = new Client(target, insecure)
  try {
    return await work((request) => client.send(request, timeout), target)
  } finally {
    client.destroy()
  }
}
