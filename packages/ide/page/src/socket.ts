import { createClient, MessageType, type Client } from 'graphql-ws'
import { findSentence, statementsOfClose, statementsOfMessage, type Sentence } from './explain.js'
import type { Sending, Sink } from './fetcher.js'
import type { Headers, Parameters } from './to-request.js'
import { RunningReport } from './reports.js'
import type { Result } from './results.js'

/** Runs a subscription over a WebSocket of its own; returns how to stop it. */
export function subscribeBySocket(
  sending: Sending,
  { query, variables, operationName }: Parameters,
  headers: Headers,
  sink: Sink,
): () => void {
  const report = new RunningReport(sending.reports)
  report.show({ title: 'Opening a WebSocket' })
  report.event('sent', 'the handshake of a WebSocket')
  const client = connect(sending, headers, report)
  const payload = { query, variables: variables as { [name: string]: unknown }, operationName }
  const stop = client.subscribe(payload, {
    next: (result) => sink.next(result),
    error(error) {
      const wasOpen = report.known.mediaType !== undefined
      sink.error(Array.isArray(error) ? error : { message: describeFailure(error, wasOpen) })
      void client.dispose()
    },
    complete() {
      sink.complete()
      void client.dispose()
    },
  })
  return () => {
    report.stopped()
    stop()
  }
}

function connect({ url, edition }: Sending, headers: Headers, report: RunningReport): Client {
  const address = new URL(url, location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  const explain = (statements: readonly string[]): Sentence | undefined =>
    findSentence(edition, statements)
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
          mediaType: 'graphql-transport-ws',
          results: 0,
          note: 'open',
        }),
      message(message) {
        report.event(message.type, 'payload' in message ? JSON.stringify(message.payload) : '')
        report.add(new TextEncoder().encode(JSON.stringify(message)).byteLength)
        if (message.type === MessageType.Next) report.result(message.payload as Result)
        if (message.type === MessageType.Complete) report.show({ note: 'complete' })
        if (message.type === MessageType.Error) {
          report.show({ title: 'Ended by an error', tone: 'bad', note: undefined })
        }
        const sentence = explain(statementsOfMessage(message.type))
        if (sentence !== undefined) report.show({ sentence })
      },
      closed(event) {
        const { code, reason } = event as CloseEvent
        // The page has closed it by itself.
        if (code === 1000) return
        // Nobody sends 1006: it stands for a connection that ended without a code.
        if (code === 1006) return report.failed('No WebSocket')
        const title = `Closed by ${code} ${reason}`.trim()
        report.show({
          title,
          tone: 'bad',
          note: undefined,
          sentence: explain(statementsOfClose(code)),
        })
        report.event('close', `${code} ${reason}`)
      },
    },
  })
}

function describeFailure(error: unknown, wasOpen: boolean): string {
  if (error instanceof Error) return error.message
  if (error instanceof CloseEvent && error.code !== 1006) {
    return `The server closed the WebSocket: ${error.code} ${error.reason}`.trim()
  }
  return wasOpen
    ? 'The connection broke.'
    : 'There is no WebSocket: the server is down, refused the handshake, or serves no WebSockets.'
}
