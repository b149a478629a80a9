import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2'
import type { Test } from 'tap'
import { listen, toNodeListener } from '../../../src/hosts/node/index.js'
import type { DualListener, Listening, ListenOptions } from '../../../src/hosts/node/index.js'
import { rawClient, type RawClient } from './raw-client.js'
import { rawHttp2Client, type RawHttp2Client } from './raw-http2-client.js'
import { certificate } from '../../hosts/start-node.js'
import { createTestedHandler, type TestedHandler } from '../../hosts/tested-handler.js'

/** A server with TLS that listens on a free port of the loopback. */
export interface Secured extends TestedHandler, Listening {
  readonly session: () => ClientHttp2Session
  /** A new connection of HTTP/2 whose client decides about each frame. */
  readonly frames: () => Promise<RawHttp2Client>
  /** A new connection of HTTP/1.1, or of no protocol yet: `encrypted` false does not begin TLS. */
  readonly connect: (encrypted?: boolean) => Promise<RawClient>
}

/** What came of a request of HTTP/2; 0 is none but its stream's end. */
export interface StreamEnd {
  readonly status: number
  readonly body: string
  readonly code: number
}

/** Starts a server around a listener, or around one of the tested handler. */
export async function secured(
  t: Test,
  options: ListenOptions = {},
  listener?: DualListener,
): Promise<Secured> {
  const tested = createTestedHandler()
  const around = listener ?? toNodeListener(tested.handler)
  const at = { host: '127.0.0.1', port: 0, tls: certificate, ...options }
  const listening = await listen(around, at)
  const clients: { destroy(): unknown }[] = []
  t.teardown(async () => {
    for (const client of clients) client.destroy()
    await listening.close({ grace: 0 })
  })
  const { origin, port } = listening
  return {
    ...tested,
    ...listening,
    session() {
      const session = connect(origin, { ca: certificate.cert })
      session.on('error', () => {}) // the tests look at the streams
      clients.push(session)
      return session
    },
    async frames() {
      const client = await rawHttp2Client(port, certificate.cert)
      clients.push(client)
      return client
    },
    async connect(encrypted = true) {
      const client = await rawClient(port, encrypted ? certificate.cert : undefined)
      clients.push(client.socket)
      return client
    },
  }
}

/** Sends a request of HTTP/2 and waits for the end of its stream. */
export function exchange(
  session: ClientHttp2Session,
  headers: OutgoingHttpHeaders,
  body?: string,
): Promise<StreamEnd> {
  return new Promise((resolve) => {
    const stream = session.request(headers, { endStream: body === undefined })
    let status = 0
    let text = ''
    stream.on('response', (fields) => (status = Number(fields[':status'])))
    stream.setEncoding('utf8').on('data', (part: string) => (text += part))
    stream.on('error', () => {}) // its code says it, too
    stream.on('close', () => resolve({ status, body: text, code: stream.rstCode ?? 0 }))
    if (body !== undefined) stream.end(body)
  })
}

export const post = {
  ':method': 'POST',
  ':path': '/graphql',
  'content-type': 'application/json',
} as const

/** The body of a request that takes until the test ends it. */
export const slow = '{"query":"{ wait }"}'
