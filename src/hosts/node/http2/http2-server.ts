import type { Http2Server, Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import type { HttpResponse } from '../../../http/message.js'
import { headTooLarge, refuseTunnel, tooSlow } from '../connection/client-fault.js'
import type { ConnectionSettings } from '../connection/connection-options.js'
import { continueWhenRead } from '../exchange/expectation.js'
import { connectionOf, isGone, type Incoming } from '../exchange/incoming.js'
import { startInTurn, weightOfHead } from '../exchange/request-turns.js'
import type { TlsSettings } from '../connection/tls-options.js'
import { cancel } from '../exchange/send-timeout.js'
import { Http2Sessions, refusedStream } from './http2-sessions.js'
import { createRespond, unknownExpectation, type AnyListener } from '../connection/serve-request.js'
import { send } from '../exchange/send.js'

/** Serves HTTP/2 on connections that were accepted elsewhere. */
export interface Http2Side {
  readonly sessions: Http2Sessions
  /** Serves a connection whose client has chosen HTTP/2. */
  readonly take: (socket: Socket) => void
}

/** Serves a listener over HTTP/2, with the limits of HTTP/1.1 and some of its own. */
export function createHttp2Side(
  listener: AnyListener,
  settings: ConnectionSettings,
  limits: NonNullable<TlsSettings['http2']>,
  isDraining: () => boolean,
): Http2Side {
  const { maxConcurrentStreams, ...rest } = limits
  const maxHeaderListSize = settings.maxHeaderBytes * listSizeFactor
  const server = process.getBuiltinModule('node:http2').createServer({
    ...rest,
    settings: { maxConcurrentStreams, maxHeaderListSize },
    // As many as fit into that size: the handler counts them itself, to refuse with 431.
    maxHeaderListPairs: Math.ceil(maxHeaderListSize / fieldOverhead),
  })
  const sessions = new Http2Sessions(settings, ({ incoming, outgoing }) => {
    if (outgoing.headersSent) incoming.stream.close(cancel)
    else send(tooSlow(settings), { incoming, outgoing, settings })
  })
  serveRequests(server, sessions, settings, listener, isDraining)
  return {
    sessions,
    take(socket) {
      // Node creates the session synchronously.
      server.once('session', (session) => sessions.take(session, socket))
      server.emit('connection', socket)
    },
  }
}

/** The overhead of a field in the size of a header list (RFC 9113 section 6.5.2). */
const fieldOverhead = 32

/** Node resets the stream of a longer head; up to this size a response can say why. */
const listSizeFactor = 2

function serveRequests(
  server: Http2Server,
  sessions: Http2Sessions,
  settings: ConnectionSettings,
  listener: AnyListener,
  isDraining: () => boolean,
): void {
  const refuseHead = (incoming: Incoming): HttpResponse | undefined =>
    headBytes(incoming.rawHeaders) > settings.maxHeaderBytes ? headTooLarge(settings) : undefined
  const respond = createRespond(listener, settings, isDraining)
  const serve = (incoming: Http2ServerRequest, outgoing: Http2ServerResponse): void => {
    const refusal = refuseHead(incoming)
    if (refusal !== undefined) return send(refusal, { incoming, outgoing, settings })
    startInTurn(connectionOf(incoming), {
      run: () => respond(incoming, outgoing),
      isGone: () => isGone(incoming, outgoing),
      weight: weightOfHead(incoming.rawHeaders),
      refuse: () => incoming.stream.close(refusedStream),
    })
  }
  const refuse =
    (refusal: HttpResponse): typeof serve =>
    (incoming, outgoing) =>
      send(refuseHead(incoming) ?? refusal, { incoming, outgoing, settings })
  server.on('request', sessions.admit(serve))
  server.on(
    'checkContinue',
    sessions.admit((incoming, outgoing) => {
      continueWhenRead(incoming, outgoing, () => false)
      serve(incoming, outgoing)
    }),
  )
  server.on('checkExpectation', sessions.admit(refuse(unknownExpectation)))
  server.on('connect', sessions.admit(refuse(refuseTunnel)))
}

/** The size of the head as HTTP/1.1: colon, space and line end are four bytes per field. */
function headBytes(rawHeaders: readonly string[]): number {
  let bytes = 0
  for (const text of rawHeaders) bytes += text.length + 2
  return bytes
}
