import { readFileSync } from 'node:fs'
import { METHODS, type Server } from 'node:http'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import type { Test } from 'tap'
import { http1Client } from './http1-client.js'
import { http2Client } from './http2-client.js'
import type { Host, Need } from './exchange.js'

function readPair(name: string) {
  const read = (half: string): string =>
    readFileSync(new URL(`../../../spec-tests/hosts/${name}-${half}.pem`, import.meta.url), 'utf8')
  return { key: read('key'), cert: read('cert') }
}

/**
 * Keys and certificates of localhost that protect nothing: they are public, and valid until 2120 and
 * 2126. Made by: openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500
 * -subj /CN=renewed -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem -out cert.pem
 */
export const certificate = readPair('localhost')
export const renewed = readPair('renewed')

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

const unknownMethods: readonly Need[] = METHODS.includes('QUERY') ? [] : ['query-method']
/** What a server of HTTP/1.1 cannot do: its parser refuses bytes beyond ASCII in a target. */
export const http1Lacks: readonly Need[] = ['raw-target', ...unknownMethods]

/** A host of HTTP/1.1 whose endpoint is at `path`. */
export async function startHttp1(server: Server, path = '/graphql', lacks: Iterable<Need> = []) {
  const send = http1Client(`http://127.0.0.1:${await listen(server)}${path}`)
  return { send, lacks: [...http1Lacks, ...lacks], close: () => close(server) }
}

/** A host of HTTP/2, of which the client goes first. */
export function http2Host(origin: string, end: () => Promise<unknown>): Host {
  const client = http2Client(`${origin}/graphql`, certificate.cert)
  const closeBoth = async (): Promise<void> => void (await client.close().then(end))
  return { send: client.send, lacks: ['reason-phrase'], close: closeBoth }
}
