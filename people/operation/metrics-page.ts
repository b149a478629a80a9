import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { fieldValue, problem, type Handler } from 'graphwire'
import { createReader } from './fixed.js'
import type { Metrics } from './metrics.js'

/** Answers `GET /metrics`; with a token only to those who bring it. */
export function answerMetrics(
  metrics: Metrics,
  token: string | undefined,
): Handler<IncomingMessage> {
  const expected = token === undefined ? undefined : digest(token)
  return createReader(async (head) => {
    const [, given = ''] =
      /^Bearer +(\S+)$/i.exec(fieldValue(head.headers, 'authorization') ?? '') ?? []
    // Digests have one length, and comparing them tells nothing of the token.
    if (expected !== undefined && !timingSafeEqual(digest(given), expected)) {
      return problem({
        status: 401,
        code: 'UNAUTHENTICATED',
        detail: 'This needs the token of the metrics.',
        headers: { 'WWW-Authenticate': 'Bearer realm="metrics"' },
      })
    }
    const { text, type } = await metrics.read()
    return { status: 200, headers: ['Content-Type', type, 'Cache-Control', 'no-store'], body: text }
  })
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
