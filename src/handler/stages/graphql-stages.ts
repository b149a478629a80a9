import type { Outcome } from '../../base/outcome.js'
import { andThen } from '../../base/promise.js'
import type { GraphQLParams } from '../../graphql/execute/params.js'
import type { Exchange } from './exchange.js'
import type { Stage, Stop } from './stage.js'
import type { ParsedJson } from '../../http/message.js'
import type { Settings } from '../../options/settings.js'
import type { Refusal } from '../../over-http/refusal.js'
import {
  checkGet,
  checkRequestLine,
  createContentCheck,
} from '../../over-http/request/check-head.js'
import { readJsonBody } from '../../over-http/request/read-body.js'
import { checkParams, createUrlReader } from '../../over-http/request/read-params.js'
import type { Encoding } from '../../over-http/response/choose-encoding.js'
import { describeMethods } from '../../over-http/response/respond.js'

/** Responds to OPTIONS. Runs before credentials, which a preflight does not have. */
export function createOptionsStage(settings: Settings): Stage {
  return ({ head }) => {
    if (head.method !== 'OPTIONS') return undefined
    const line = checkRequestLine(head, settings)
    return line.ok ? describeMethods(settings.get) : line.reason
  }
}

/** Refuses unsupported paths and methods, and notes where the parameters are. */
export function createRequestLineStage(settings: Settings): Stage {
  return (exchange) => {
    const line = checkRequestLine(exchange.head, settings)
    if (!line.ok) return line.reason
    exchange.hasBody = line.value === 'body'
    return undefined
  }
}

/**
 * Refuses requests for media types that are not available: nothing runs if the client cannot read the
 * response.
 */
export function checkAccept({ encoding }: { readonly encoding: Encoding }): Refusal | undefined {
  return encoding.acceptable ? undefined : { kind: 'not-acceptable' }
}

/** Checks what the head says about the body; a GET has no body, and must not come from a page of another site. */
export function createContentStage(settings: Settings): Stage {
  const checkContent = createContentCheck(settings)
  return ({ head, hasBody }) => (hasBody ? checkContent(head) : checkGet(head, settings))
}

/** Uses the JSON of a body: takes its parameters, or returns the stop. */
export type JsonStage<On extends Exchange> = (
  json: unknown,
  exchange: On,
) => Stop | undefined | Promise<Stop | undefined>

/** Reads the body, and uses its JSON. */
export function createBodyStage<On extends Exchange>(
  settings: Settings,
  useJson: JsonStage<On> = createParamsStage(settings),
): Stage<On> {
  return (exchange) => {
    const body = exchange.body as Uint8Array | ParsedJson
    return andThen(
      readJsonBody(body, exchange.head.headers, settings),
      (json): ReturnType<JsonStage<On>> => (json.ok ? useJson(json.value, exchange) : json.reason),
    )
  }
}

export function createParamsStage(
  settings: Settings,
): (json: unknown, exchange: Exchange) => Refusal | undefined {
  return (json, exchange) => take(checkParams(json, settings), exchange)
}

export function createUrlStage(settings: Settings): Stage {
  const read = createUrlReader(settings)
  return (exchange) => take(read(exchange.head.target), exchange)
}

function take(params: Outcome<GraphQLParams, Refusal>, exchange: Exchange): Refusal | undefined {
  if (!params.ok) return params.reason
  exchange.params = params.value
  return undefined
}
