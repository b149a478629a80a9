import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Target } from './target.js'

/** A connection of our own to the target. */
export interface OwnConnection {
  readonly tcp: Socket
  /** The TCP connection itself, or TLS over it. */
  readonly socket: Socket
  /** The event of `socket` when it can be used. */
  readonly readyEvent: 'connect' | 'secureConnect'
}

/** Connects to the target by TCP, or by TLS over it. */
export function connectTo(target: Target, insecure: boolean): OwnConnection {
  const tcp = connectTcp({ host: target.hostname, port: target.port, noDelay: true })
  if (target.protocol === 'http:') return { tcp, socket: tcp, readyEvent: 'connect' }
  return { tcp, socket: secure(tcp, target.hostname, insecure), readyEvent: 'secureConnect' }
}

/** TLS over a connection. Node sends the host name only if asked to. */
function secure(socket: Socket, hostname: string, insecure: boolean): Socket {
  const servername = isIP(hostname) === 0 ? { servername: hostname } : { host: hostname }
  const options = { rejectUnauthorized: !insecure, ALPNProtocols: ['http/1.1'] }
  return connectTls({ socket, ...servername, ...options })
}
