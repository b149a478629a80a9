import { failure } from '../../base/outcome.js'
import { andThen } from '../../base/promise.js'
import type { Exchange } from './exchange.js'
import type { Stage, Stop } from './stage.js'
import { createParamsTaker } from './take-params.js'
import type { BodyChunks, ParsedJson } from '../../http/message.js'
import type { Settings } from '../../options/settings.js'
import type { Refusal } from '../../over-http/refusal.js'
import {
  checkGet,
  checkRequestLine,
  createContentCheck,
} from '../../over-http/request/check-head.js'
import { readJsonBody } from '../../over-http/request/read-body.js'
import { createUrlReader } from '../../over-http/request/read-params.js'
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
  const { uploads } = settings
  return (exchange) => {
    const { head, hasBody } = exchange
    if (!hasBody) return checkGet(head, settings)
    const boundary = uploads?.checkHead(head, settings.maxBodyBytes)
    if (boundary === undefined) return checkContent(head)
    if (!boundary.ok) return boundary.reason
    exchange.boundary = boundary.value
    return undefined
  }
}

/** Uses the JSON of a body: takes its parameters, or returns the stop. */
export type JsonStage<On extends Exchange> = (
  json: unknown,
  exchange: On,
) => Stop | undefined | Promise<Stop | undefined>

/** Reads the body, and uses its JSON. */
export function createBodyStage<On extends Exchange>(
  settings: Settings,
  useJson: JsonStage<On> = createParamsTaker(settings),
): Stage<On> {
  return (exchange) =>
    andThen(readBody(exchange, settings), (json): ReturnType<JsonStage<On>> =>
      json.ok ? useJson(json.value, exchange) : json.reason,
    )
}

function readBody(exchange: Exchange, settings: Settings): ReturnType<typeof readJsonBody> {
  const { body, boundary, head } = exchange
  const { uploads } = settings
  // A middleware may have parsed the parts and put the files into the parameters.
  if (uploads === undefined || boundary === undefined || 'json' in (body as object)) {
    return readJsonBody(body as Uint8Array | ParsedJson, head.headers, settings)
  }
  const content = body as Uint8Array | BodyChunks
  exchange.upload = uploads.read({
    ...settings,
    boundary,
    content,
    client: settings.clientOf(head),
  })
  return exchange.upload?.json ?? failure({ kind: 'overloaded', by: 'uploads' })
}

export function createUrlStage(settings: Settings): Stage {
  const read = createUrlReader(settings, settings.documents !== undefined)
  const take = createParamsTaker(settings)
  return (exchange) => {
    const json = read(exchange.head.target)
    return json.ok ? take(json.value, exchange) : json.reason
  }
}
