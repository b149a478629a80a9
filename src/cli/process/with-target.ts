import { checkReachable, toTarget } from '../../conformance/index.js'
import type { Exchange } from '../../conformance/wire/exchange.js'
import { Client } from '../../conformance/wire/send-request.js'
import type { Target } from '../../conformance/wire/target.js'
import type { WireRequest } from '../../conformance/wire/to-wire-request.js'
import { orFail } from './exit.js'

export type Send = (request: WireRequest) => Promise<Exchange>

/** Lends a target for single requests. Usage is wrong if the URL is invalid, or if no server can be reached there. */
export async function withTarget<Value>(
  url: string,
  flags: {
    readonly insecure: { readonly value: boolean }
    readonly timeout: { readonly value: number }
  },
  work: (send: Send, target: Target) => Promise<Value>,
): Promise<Value> {
  const timeout = flags.timeout.value
  const target = await orFail('usage', () => toTarget(url, flags.insecure.value))
  await orFail('usage', () => checkReachable(target, timeout))
  const client = new Client(target)
  try {
    const send = (request: WireRequest) => client.send(request, timeout)
    return await work(send, target)
  } finally {
    client.destroy()
  }
}
