import type { EditionName } from '../../conformance/suite/editions.js'
import { withTarget } from '../process/with-target.js'
import { contentOf } from '../../conformance/wire/content.js'
import { fieldOf, type Exchange } from '../../conformance/wire/exchange.js'
import { formatBytes, type WireRequest } from '../../conformance/wire/to-wire-request.js'
import type { CurlRequest } from './curl-request.js'
import { openRules, type Rule } from './rules.js'
import { statementsOf } from './explain-topic.js'
import { judgeExchange, type Touched } from './judge-exchange.js'

/** What a server was asked and said, and the sentences it is about, as `explain --json` prints it. */
export interface ExplainedExchange {
  readonly url: string
  readonly edition: EditionName
  readonly sent: string
  readonly received: string
  readonly status: number | undefined
  readonly touched: readonly Touched[]
  /** What the edition says about the status. */
  readonly aboutStatus: readonly Rule[]
}

/** How a request is sent. */
export interface SendOptions {
  readonly edition: EditionName
  readonly insecure: boolean
  readonly timeout: number
}

/** Sends a request and judges the exchange; throws an UnreachableError if there is no server. */
export async function explainExchange(
  request: CurlRequest,
  url: URL,
  { edition, insecure, timeout }: SendOptions,
): Promise<ExplainedExchange> {
  const { method, headers, body } = request
  const wire: WireRequest = { method, target: `${url.pathname}${url.search}`, headers, body }
  const place = `${url.origin}${url.pathname}`
  const exchange = await withTarget(place, { insecure, timeout }, (send) => send(wire))
  const rules = openRules(edition)
  const status = exchange.responses[0]?.status ?? exchange.begun
  return {
    url: url.href,
    edition,
    sent: exchange.sent,
    received: formatReceived(exchange),
    status,
    touched: exchange.responses.length === 0 ? [] : judgeExchange(exchange, edition, rules),
    aboutStatus: rules.find(statementsOf(status)),
  }
}

function formatReceived({ responses, failure, begun }: Exchange): string {
  const [response] = responses
  if (response === undefined) {
    return `${begun === undefined ? '' : `HTTP ${begun}, then `}${failure ?? 'no response'}`
  }
  const lines = response.headers.map(([name, value]) => `${name}: ${value}`)
  const content = contentOf(response)
  const coding = fieldOf(response, 'content-encoding')
  const note = coding === undefined ? [] : [`(${coding}, ${response.body.length} bytes)`]
  const body = formatBytes(content.ok ? content.value : response.body)
  return [`HTTP ${response.status}`, ...lines, '', ...note, body].join('\n')
}
