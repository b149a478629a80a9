import type { Exchange } from './exchange.js'
import { askForHeaders } from './ask-for-headers.js'
import { withLastWord } from './layer-headers.js'
import { createResultTeller } from './tell-result.js'
import type { HttpResponse, WantsBody } from '../../http/message.js'
import { overlayHeaders } from '../../http/overlay-headers.js'
import { reportBug } from '../../options/report.js'
import type { Settings } from '../../options/settings.js'

/** Finishes each response, including refusals; a request for the body passes unchanged. */
export type Finisher = <Reply extends HttpResponse | WantsBody>(
  reply: Reply,
  exchange: Exchange,
) => Reply | HttpResponse

/** Responses get the headers of CORS and of `responseHeaders`, and are reported to `onResult`. */
export function createFinisher(settings: Settings): Finisher {
  const addHeaders = createHeaderAdder(settings)
  const tellResult = createResultTeller(settings)
  if (addHeaders === undefined && tellResult === undefined) return (reply) => reply
  return (reply, exchange) => {
    if (!isResponse(reply)) return reply
    const whole: HttpResponse = addHeaders === undefined ? reply : addHeaders(reply, exchange)
    return tellResult === undefined ? whole : tellResult(whole, exchange)
  }
}

function isResponse(reply: HttpResponse | WantsBody): reply is HttpResponse {
  return 'status' in reply
}

/** Adds headers to a response. */
type HeaderAdder = (response: HttpResponse, exchange: Exchange) => HttpResponse

/** Adds the headers of CORS and of `responseHeaders`; undefined without both. */
function createHeaderAdder(settings: Settings): HeaderAdder | undefined {
  const { cors, responseHeaders } = settings
  const { headersFor } = cors
  if (headersFor === undefined && responseHeaders === undefined) return undefined
  return (response, exchange) => {
    const { head } = exchange
    const lines = headersFor?.(head) ?? []
    const shared =
      lines.length === 0
        ? response
        : { ...response, headers: overlayHeaders(response.headers, lines) }
    if (responseHeaders === undefined) return shared
    const set = askForHeaders(
      'responseHeaders',
      () => responseHeaders(shared, head, exchange),
      (bug) => void reportBug(settings, bug, exchange),
    )
    return set === undefined ? shared : { ...shared, headers: withLastWord(shared.headers, set) }
  }
}
