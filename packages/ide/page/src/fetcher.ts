import type { Fetcher } from '@graphiql/toolkit'
import { readEvents } from './event-stream.js'
import { findSentence, statementsOf, type Situation } from './explain.js'
import { showHead } from './http-report.js'
import { RunningReport, Reports } from './reports.js'
import { send, type SentRequest } from './request.js'
import { codeOf, hasErrors, parseResult, type Result } from './results.js'
import type { Transports } from './settings.js'
import { subscribeBySocket } from './socket.js'
import {
  describeOperation,
  toRequest,
  type Headers,
  type Operation,
  type Parameters,
} from './to-request.js'

/** What every operation needs. */
export interface Sending {
  readonly url: string
  readonly edition: string
  readonly reports: Reports
}

/** What people have chosen beside the editors. */
interface Choices {
  readonly transports: Transports
  readonly files: readonly File[]
}

/** Receives results. */
export interface Sink {
  next(result: unknown): void
  error(error: unknown): void
  complete(): void
}

/** Sends operations as the page has chosen. GraphiQL stops one by `unsubscribe`. */
export function createFetcher(sending: Sending, choices: () => Choices): Fetcher {
  const { reports } = sending
  const fetcher = (
    parameters: Parameters,
    { headers = {}, ...rest }: { readonly headers?: Headers } = {},
  ): unknown => {
    // GraphiQL reads the schema by itself, without the document of an editor.
    if (!('documentAST' in rest)) return readSchema(sending, parameters, headers)
    reports.sent += 1
    const operation = describeOperation(parameters)
    return {
      subscribe(sink: Sink) {
        const { transports, files } = choices()
        if (operation.kind === 'subscription' && transports.subscriptions === 'websocket') {
          const named = { ...parameters, operationName: operation.name }
          return { unsubscribe: subscribeBySocket(sending, named, headers, sink) }
        }
        const abort = new AbortController()
        const method = operation.kind === 'query' ? transports.queries : 'POST'
        const request = toRequest(sending.url, method, { operation, parameters, headers, files })
        void run(sending, request, operation, abort.signal, sink)
        return { unsubscribe: () => abort.abort() }
      },
    }
  }
  return fetcher as Fetcher
}

async function run(
  sending: Sending,
  request: SentRequest,
  operation: Operation,
  signal: AbortSignal,
  sink: Sink,
): Promise<void> {
  const report = new RunningReport(sending.reports, request)
  report.event('sent', `${request.method} ${request.url}`)
  try {
    const response = await send(request, signal)
    showHead(report, response)
    const type = response.headers.get('content-type') ?? ''
    const isStream = type.startsWith('text/event-stream') && response.body !== null
    if (isStream) await readStream(response.body, operation, sending, report, sink)
    else await readWhole(response, operation, sending, report, sink)
    sink.complete()
  } catch (error) {
    if (signal.aborted) {
      report.stopped()
      return sink.complete()
    }
    report.failed('No response')
    sink.error(toFailure(error))
  }
}

/** GraphiQL would show the stack of an error. */
function toFailure(error: unknown): { readonly message: string } {
  const reason = error instanceof Error ? error.message : String(error)
  return { message: `The server could not be reached, or the connection broke: ${reason}` }
}

async function readWhole(
  response: Response,
  operation: Operation,
  { edition }: Sending,
  report: RunningReport,
  sink?: Sink,
): Promise<Result | undefined> {
  const bytes = await response.arrayBuffer()
  const text = new TextDecoder().decode(bytes)
  const result = parseResult(text)
  report.whole(bytes.byteLength, result)
  explain(report, edition, {
    status: response.status,
    code: codeOf(result),
    hasData: result?.data != null,
    hasErrors: hasErrors(result ?? {}),
    isStream: false,
    operation: operation.kind,
  })
  sink?.next(result ?? { 'The response is not JSON': text })
  return result
}

function explain(report: RunningReport, edition: string, situation: Situation): void {
  report.show({ situation, sentence: findSentence(edition, statementsOf(situation)) })
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  operation: Operation,
  { edition }: Sending,
  report: RunningReport,
  sink: Sink,
): Promise<void> {
  explain(report, edition, {
    status: 200,
    code: undefined,
    hasData: true,
    hasErrors: false,
    isStream: true,
    operation: operation.kind,
  })
  report.show({ results: 0, note: 'open' })
  for await (const { name, data } of readEvents(body, (count) => report.add(count))) {
    report.event(name, data)
    if (name === 'complete') return report.show({ note: 'complete' })
    if (name !== 'next') continue
    const result = JSON.parse(data) as Result
    report.result(result)
    sink.next(result)
  }
  report.show({ tone: 'bad', note: 'ended without the event "complete"' })
}

/** GraphiQL shows a failure in place of a result, so that has its status, too. */
async function readSchema(
  sending: Sending,
  parameters: Parameters,
  headers: Headers,
): Promise<Result> {
  const { url, reports } = sending
  const operation = describeOperation(parameters)
  const parts = { operation, parameters, headers, files: [] }
  const request = toRequest(url, 'POST', parts)
  // Nothing is shown unless it fails.
  const report = new RunningReport(new Reports(), request)
  let errors: NonNullable<Result['errors']>
  try {
    const response = await send(request, null)
    showHead(report, response)
    const result = await readWhole(response, operation, sending, report)
    if (result?.data != null) return result
    if (codeOf(result) === 'GRAPHQL_VALIDATION_FAILED') {
      reports.say('Introspection is off', 'neutral')
      return toNoSchema([{ message: introspectionIsOff }])
    }
    report.show({ note: 'the schema could not be read' })
    errors = result?.errors ?? [{ message: report.known.title }]
  } catch (error) {
    report.failed('No response')
    errors = [toFailure(error)]
  }
  reports.mayReadSchemaLater = true
  reports.set(report.known)
  return toNoSchema(errors)
}

const introspectionIsOff =
  'This server has introspection off: the editor has no completion and no documentation. Operations can be run.'

/** GraphiQL asks once more if there is no `data` at all. */
function toNoSchema(errors: NonNullable<Result['errors']>): Result {
  return { data: undefined, errors }
}
