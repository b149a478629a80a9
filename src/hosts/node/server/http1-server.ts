import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { isBroken, refuseFault, refuseTunnel, sendRefusal } from '../connection/client-fault.js'
import type { UpgradeHost } from '../connection/connection-options.js'
import type { Connections } from '../connection/connections.js'
import { continueWhenRead } from '../exchange/expectation.js'
import { refuseHead } from '../exchange/listener.js'
import { badRequest, overloaded } from '../../host-error.js'
import { SocketIncomingMessage } from '../websocket/socket-incoming-message.js'
import { send } from '../exchange/send.js'
import {
  createRespond,
  unknownExpectation,
  type AnyListener,
  type Respond,
} from '../connection/serve-request.js'

export function createHttp1Server(listener: AnyListener, connections: Connections): Server {
  const { settings } = connections
  const server = createServer({
    headersTimeout: settings.headersTimeout,
    requestTimeout: settings.requestTimeout,
    connectionsCheckingInterval: settings.connectionsCheckingInterval,
    keepAliveTimeout: settings.keepAliveTimeout,
    maxHeaderSize: settings.maxHeaderBytes,
    requireHostHeader: false, // Node's own refusal has no body
    ...(settings.sockets && { IncomingMessage: SocketIncomingMessage }),
  })
  // Node silently drops header lines above its own limit, even Host; the handler counts lines instead.
  server.maxHeadersCount = 0
  serveRequests(server, connections, listener)
  watchFaults(server, connections)
  if (settings.sockets !== undefined) openSockets(server, connections, settings.sockets)
  return server
}

function serveRequests(server: Server, connections: Connections, listener: AnyListener): void {
  const { settings } = connections
  const isDraining = (): boolean => connections.policy.isDraining
  const serve = createRespond(listener, settings, isDraining, refuseHead)
  const serveExpecting: Respond = (incoming, outgoing) => {
    continueWhenRead(incoming, outgoing, () => connections.policy.saysClose)
    serve(incoming, outgoing)
  }
  const refuseExpectation: Respond = (incoming, outgoing) => {
    send(refuseHead(incoming) ?? unknownExpectation, { incoming, outgoing, settings })
  }
  server.on('request', connections.admit(serve))
  server.on('checkContinue', connections.admit(serveExpecting))
  server.on('checkExpectation', connections.admit(refuseExpectation))
}

function watchFaults(server: Server, connections: Connections): void {
  server.on('clientError', (fault, duplex) => {
    const connection = connections.of(duplex as Socket)
    if (connection === undefined || isBroken(fault)) duplex.destroy()
    else sendRefusal(connection, refuseFault(fault, connections.settings), fault)
  })
  server.on('connect', (incoming, duplex) => {
    const connection = connections.of(duplex as Socket)
    if (connection?.isServing !== true) duplex.destroy()
    else sendRefusal(connection, refuseHead(incoming) ?? refuseTunnel)
  })
}

function openSockets(server: Server, connections: Connections, sockets: UpgradeHost): void {
  server.on('upgrade', (incoming, duplex, firstBytes) => {
    const connection = connections.of(duplex as Socket)
    if (connection?.isServing !== true) return void duplex.destroy()
    const refusal =
      refuseHead(incoming) ?? (connection.inFlight.length > 0 ? behindRequest : undefined)
    if (refusal !== undefined) return sendRefusal(connection, refusal)
    const { isDraining } = connections.policy
    sockets.upgrade(incoming, duplex, firstBytes, isDraining ? shuttingDown : undefined)
  })
}

const behindRequest = badRequest('A WebSocket cannot be opened behind a request without response.')

const shuttingDown = overloaded('The server is shutting down')
