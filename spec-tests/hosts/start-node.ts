import { readFileSync } from 'node:fs'
import { METHODS, type Server } from 'node:http'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import type { Test } from 'tap'
import { http1Client } from './http1-client.js'
import type { Host, Need } from './exchange.js'

export interface KeyPair {
  readonly key: string
  readonly cert: string
}

/**
 * Keys and certificates of localhost that protect nothing: they are public, and valid until 2120 and
 * 2126. Made by: openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500
 * -subj /CN=renewed -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem -out cert.pem
 */
export const certificate: KeyPair = readPair('localhost')
export const renewed: KeyPair = readPair('renewed')

function readPair(name: string): KeyPair {
  return { key: readPem(`${name}-key.pem`), cert: readPem(`${name}-cert.pem`) }
}

function readPem(name: string): string {
  return readFileSync(new URL(`../../../spec-tests/hosts/${name}`, import.meta.url), 'utf8')
}

/** Listens on a free port of the loopback and gives it. */
export function listen(server: NetServer, host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/** The same until the test ends, and with it what is still connected. */
export async function listenFor(t: Test, server: NetServer, host?: string): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await listen(server, host)
  t.teardown(() => {
    for (const socket of sockets) socket.destroy()
    return close(server)
  })
  return port
}

/** Closes and resolves when every connection is closed. */
export function close(server: NetServer): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}

/** Whether this Node's parser of HTTP/1.1 knows the method QUERY. */
const knowsQuery: boolean = METHODS.includes('QUERY')

/** What a server of HTTP/1.1 cannot do: its parser refuses bytes beyond ASCII in a target. */
export const http1Lacks: readonly Need[] = knowsQuery
  ? ['raw-target']
  : ['raw-target', 'query-method']

/** A host of HTTP/1.1 whose endpoint is at `path`. */
export async function startHttp1(
  server: Server,
  path = '/graphql',
  lacks: readonly Need[] = [],
): Promise<Host> {
  const port = await listen(server)
  return {
    send: http1Client(`http://127.0.0.1:${port}${path}`),
    lacks: [...http1Lacks, ...lacks],
    close: () => close(server),
  }
}
