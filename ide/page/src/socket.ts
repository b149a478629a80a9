import { createClient, MessageType, type Client } from 'graphql-ws'
import { findSentence, statementsOfClose } from './explain.js'
import type { Headers, Parameters, Sending, Sink } from './fetcher.js'
import { RunningReport } from './reports.js'

/** Runs a subscription over a WebSocket of its own; returns how to stop it. */
export function subscribeBySocket(
  sending: Sending,
  { query, variables, operationName }: Parameters,
  headers: Headers,
  sink: Sink,
): () => void {
  const report = new RunningReport(sending.reports, {
    title: 'Opening a WebSocket',
    mediaType: 'graphql-transport-ws',
    results: 0,
  })
  const client = connect(sending, headers, report)
  const payload = { query, variables: variables as { [name: string]: unknown }, operationName }
  const stop = client.subscribe(payload, {
    next: (result) => sink.next(result),
    error(error) {
      const isClose = error instanceof CloseEvent
      if (!isClose) report.show({ tone: 'bad', note: 'ended by an error' })
      sink.error(isClose ? { message: describeClose(error) } : error)
      void client.dispose()
    },
    complete() {
      if (report.known.note === 'open') report.show({ note: 'complete' })
      sink.complete()
      void client.dispose()
    },
  })
  return () => {
    report.show({ note: 'stopped' })
    stop()
  }
}

function connect({ url, edition }: Sending, headers: Headers, report: RunningReport): Client {
  const address = new URL(url, location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  const explain = (code?: number): ReturnType<typeof findSentence> =>
    findSentence(edition, statementsOfClose(code))
  return createClient({
    url: address.href,
    retryAttempts: 0,
    // A page cannot set the headers of a handshake.
    connectionParams: { ...headers },
    on: {
      connected: () =>
        report.show({
          title: '101 Switching Protocols',
          tone: 'good',
          note: 'open',
          sentence: explain(),
        }),
      message(message) {
        if (message.type !== MessageType.Next) return
        const { results = 0, bytes } = report.known
        const { byteLength } = new TextEncoder().encode(JSON.stringify(message))
        report.show({ results: results + 1, bytes: bytes + byteLength })
      },
      closed(event) {
        const { code, reason } = event as CloseEvent
        // The page has closed it by itself.
        if (code === 1000) return
        const title = `Closed by ${code} ${reason}`.trim()
        report.show({ title, tone: 'bad', note: 'closed', sentence: explain(code) })
      },
    },
  })
}

function describeClose({ code, reason }: CloseEvent): string {
  return code === 1006
    ? 'The WebSocket could not be opened: the server refused the handshake, or serves no WebSockets.'
    : `The server closed the WebSocket: ${code} ${reason}`.trim()
}
