import { authenticate } from './authenticate.js'
import { createWantedCheck } from './check-wanted.js'
import { createEngine } from './engine/engine.js'
import { createGraphQLSurface } from './graphql-surface.js'
import { createRunner } from './run.js'
import {
  fieldValue,
  type Handler,
  type HttpResponse,
  type Reply,
  type RequestHead,
  type WantsBody,
} from './http/message.js'
import { createLoadGate } from './load-gate.js'
import type { Options } from './options.js'
import { resolveOptions } from './settings.js'
import { andThen } from './promise.js'
import type { Refusal } from './refusal.js'
import { checkFraming } from './request/check-head.js'
import { fromJsonBody } from './request/from-json-body.js'
import { createUrlReader } from './request/from-url.js'
import { createEncodingChooser, type Encoding } from './response/choose-encoding.js'
import { describeMethods, refuse } from './response/refuse.js'
import { createSafety } from './safety.js'
import { traceRequests } from './trace-request.js'

/**
 * The road from a request to its answer, one line a stage. Cheapest refusal first, and the body is
 * wanted only when the head has been accepted. Nothing here touches I/O; `hosts/` does.
 */
export function createHandler<Raw = unknown, Principal = unknown>(
  options: Options<Raw, Principal>,
): Handler<Raw> {
  const settings = resolveOptions(options)
  const { edition, maxBodyBytes: maxBytes } = settings
  const chooseEncoding = createEncodingChooser(edition)
  const checkWanted = createWantedCheck(settings)
  const fromUrl = createUrlReader(settings)
  const gate = createLoadGate(settings)
  const engine = createEngine(settings)
  const run = createRunner(settings, gate, engine, createGraphQLSurface(settings, engine))
  const safely = createSafety(settings, (refusal: Refusal, encoding: Encoding) =>
    refuse(refusal, encoding, edition),
  )

  const handle = (head: RequestHead): Reply => {
    const encoding = chooseEncoding(fieldValue(head.headers, 'accept'))
    const no = (refusal: Refusal) => refuse(refusal, encoding, edition)

    return safely<HttpResponse | WantsBody>(head, encoding, () => {
      const broken = checkFraming(head, settings)
      if (broken) return no(broken)
      const isLate = settings.credentialsFirst && head.method !== 'OPTIONS'
      const wanted = isLate ? undefined : checkWanted(head, encoding)
      if (wanted?.ok === false) return no(wanted.reason)
      if (wanted?.value === 'none') return describeMethods(settings.get)
      const overload = gate.check()
      if (overload) return no(overload)

      return andThen(gate.during(authenticate(settings, head)), (principal) => {
        if (!principal.ok) return no(principal.reason)
        const carrier = wanted ?? checkWanted(head, encoding)
        if (!carrier.ok) return no(carrier.reason)
        const exchange = { head, encoding, principal: principal.value }
        if (carrier.value === 'url') return run(exchange, fromUrl(head.target))
        return {
          maxBytes,
          proceed: (body) =>
            safely<HttpResponse>(head, encoding, () => {
              // Many may have come while the body was on its way.
              const lateOverload = gate.check()
              if (lateOverload) return no(lateOverload)
              const params = gate.during(fromJsonBody(body, head.headers, settings))
              return andThen(params, (given) => run(exchange, given))
            }),
        }
      })
    })
  }
  return traceRequests(handle)
}
