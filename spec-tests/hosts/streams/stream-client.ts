import { request as requestPlain, type IncomingMessage } from 'node:http'
import { request as requestSecure } from 'node:https'
import { connect } from 'node:http2'
import { createGunzip } from 'node:zlib'
import type { FetchHandler } from '../../../src/hosts/fetch.js'
import { thrower } from '../../base/thrower.js'
import { certificate } from '../start-node.js'

/** A request for a stream: a subscription as a POST, unless it is something else. */
export interface StreamRequest {
  readonly query: string
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly accept?: string
  /** Whether the client accepts gzip; only over HTTP/1.1. */
  readonly gzip?: boolean
  /** Disconnects before there is a response. */
  readonly signal?: AbortSignal
}

interface Received {
  readonly status: number
  readonly headers: { readonly [name: string]: string | undefined }
  /** Reads on until the body contains a text; returns the body so far. */
  until(text: string): Promise<string>
  /** The whole body, and whether it ended as it should. */
  whole(): Promise<{ readonly body: string; readonly isCut: boolean }>
  leave(): void
  pause(): void
}

export type StreamClient = (request: StreamRequest) => Promise<Received>

function createPieces() {
  let body = ''
  let end: { readonly isCut: boolean } | undefined
  let changed = (): void => undefined
  const change = (): Promise<void> => new Promise((resolve) => (changed = resolve))
  const received: Pick<Received, 'until' | 'whole'> = {
    async until(text) {
      while (!body.includes(text)) {
        if (end !== undefined) throw new Error(`It ended without ${text}: ${body}`)
        await change()
      }
      return body
    },
    async whole() {
      while (end === undefined) await change()
      return { body, ...end }
    },
  }
  const add = (text: string): void => {
    body += text
    changed()
  }
  const finish = (isCut: boolean): void => {
    end ??= { isCut }
    changed()
  }
  return { add, end: finish, received }
}

export const eventStream = 'text/event-stream'
export const multipart = 'multipart/mixed;subscriptionSpec=1.0, application/json'

function partsOf({ query, method = 'POST', accept = eventStream, gzip }: StreamRequest) {
  const encoding = gzip && { 'accept-encoding': 'gzip' }
  if (method !== 'POST') {
    const path = `/graphql?${new URLSearchParams({ query }).toString()}`
    return { method, path, headers: { accept, ...encoding }, body: undefined }
  }
  const headers = { accept, 'content-type': 'application/json', ...encoding }
  return { method, path: '/graphql', headers, body: JSON.stringify({ query }) }
}

/** A client of HTTP/1.1, with a connection for each request; `socketPath` is that of a Unix domain socket. */
export function http1Streams(origin: string, socketPath?: string): StreamClient {
  const send = origin.startsWith('https') ? requestSecure : requestPlain
  return (given) =>
    new Promise((resolve, reject) => {
      const { path, body, ...options } = partsOf(given)
      const request = send(origin + path, {
        ...options,
        agent: false,
        ca: certificate.cert,
        ...(socketPath !== undefined && { socketPath }),
      })
      request.on('error', reject)
      given.signal?.addEventListener('abort', () => request.destroy())
      request.on('response', (response: IncomingMessage) => {
        const pieces = createPieces()
        const isGzip = response.headers['content-encoding'] === 'gzip'
        const text = isGzip ? response.pipe(createGunzip()) : response
        text.setEncoding('utf8').on('data', pieces.add)
        text.on('error', () => undefined)
        response.on('error', () => undefined)
        text.on('end', () => pieces.end(!response.complete))
        response.on('close', () => void (response.complete || pieces.end(true)))
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Received['headers'],
          ...pieces.received,
          leave: () => void request.destroy(),
          pause: () => void response.pause(),
        })
      })
      request.end(body)
    })
}

/** A client of HTTP/2, with a connection for each request. */
export function http2Streams(origin: string): StreamClient {
  return (given) =>
    new Promise((resolve, reject) => {
      const session = connect(origin, { ca: certificate.cert })
      session.on('error', reject)
      const { method, path, headers, body } = partsOf(given)
      const stream = session.request({ ':method': method, ':path': path, ...headers })
      const pieces = createPieces()
      given.signal?.addEventListener('abort', () => {
        stream.close(8)
        reject(new Error('The client left.'))
      })
      stream.setEncoding('utf8')
      stream.on('data', pieces.add)
      stream.on('error', () => undefined)
      stream.on('close', () => {
        pieces.end(stream.rstCode !== 0)
        session.close()
      })
      stream.on('response', ({ ':status': status = 0, ...fields }) =>
        resolve({
          status,
          headers: fields as Received['headers'],
          ...pieces.received,
          leave: () => stream.close(8),
          pause: () => void stream.pause(),
        }),
      )
      stream.end(body)
    })
}

export function fetchStreams(fetch: FetchHandler): StreamClient {
  return async (given) => {
    const { method, path, headers, body } = partsOf(given)
    const client = new AbortController()
    const { signal } = client
    given.signal?.addEventListener('abort', () => client.abort())
    const init = { method, headers, signal, ...(body !== undefined && { body }) }
    const response = await fetch(new Request(`http://localhost${path}`, init))
    const pieces = createPieces()
    const read = async (): Promise<void> => {
      const text = new TextDecoder()
      for await (const chunk of response.body ?? []) pieces.add(text.decode(chunk as Uint8Array))
    }
    void read()
      .then(() => false)
      .catch(() => true)
      .then(pieces.end)
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      ...pieces.received,
      leave: () => client.abort(),
      pause: thrower(new Error('Code that calls a fetch-style function reads all of it.')),
    }
  }
}
