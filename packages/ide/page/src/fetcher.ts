import type { Fetcher } from '@graphiql/toolkit'
import { getOperationAST, parse, visit, type DocumentNode } from 'graphql'
import { readEvents } from './event-stream.js'
import { findSentence, statementsOf, type Sentence } from './explain.js'
import { showHead } from './http-report.js'
import { RunningReport, type Reports } from './reports.js'
import { codeOf, hasErrors, parseResult, type Result } from './results.js'
import type { PageSettings, Transports } from './settings.js'
import { subscribeBySocket } from './socket.js'

/** What every operation needs. */
export interface Sending {
  readonly url: string
  readonly edition: string
  readonly reports: Reports
}

export interface Parameters {
  readonly query: string
  readonly variables?: unknown
  readonly operationName?: string | null | undefined
}

export interface Headers {
  readonly [name: string]: unknown
}

/** Receives results. */
export interface Sink {
  next(result: unknown): void
  error(error: unknown): void
  complete(): void
}

/** Sends operations as the settings of the page say. GraphiQL stops one by `unsubscribe`. */
export function createFetcher(
  { edition }: PageSettings,
  reports: Reports,
  transports: () => Transports,
): Fetcher {
  const sending: Sending = { url: location.pathname, edition, reports }
  const fetcher = (
    parameters: Parameters,
    { headers = {}, ...rest }: { readonly headers?: Headers } = {},
  ): unknown => {
    // GraphiQL reads the schema by itself, without the document of an editor.
    if (!('documentAST' in rest)) return readSchema(sending, parameters, headers)
    reports.sent += 1
    const operation = describe(parameters)
    return {
      subscribe(sink: Sink) {
        const { queries, subscriptions } = transports()
        if (operation.kind === 'subscription' && subscriptions === 'websocket') {
          return { unsubscribe: subscribeBySocket(sending, parameters, headers, sink) }
        }
        const abort = new AbortController()
        const method = operation.kind === 'query' ? queries : 'POST'
        void run(sending, { parameters, headers, operation, method, signal: abort.signal }, sink)
        return { unsubscribe: () => abort.abort() }
      },
    }
  }
  return fetcher as Fetcher
}

interface Operation {
  readonly kind: string | undefined
  readonly isIncremental: boolean
}

/** The server says what is wrong with a document that cannot be parsed. */
function describe({ query, operationName }: Parameters): Operation {
  let document: DocumentNode
  try {
    document = parse(query)
  } catch {
    return { kind: undefined, isIncremental: false }
  }
  let isIncremental = false
  visit(document, {
    Directive({ name: { value } }) {
      if (value === 'defer' || value === 'stream') isIncremental = true
    },
  })
  return { kind: getOperationAST(document, operationName)?.operation, isIncremental }
}

interface Request {
  readonly parameters: Parameters
  readonly headers: Headers
  readonly operation: Operation
  readonly method: string
  readonly signal: AbortSignal
}

/** A client that prefers JSON gets a result with `@defer` whole; for that, streams are accepted as gladly. */
function acceptOf({ isIncremental }: Operation): string {
  return isIncremental
    ? 'application/graphql-response+json, text/event-stream, application/json;q=0.8'
    : 'application/graphql-response+json, text/event-stream;q=0.9, application/json;q=0.8'
}

async function run(sending: Sending, request: Request, sink: Sink): Promise<void> {
  const report = new RunningReport(sending.reports)
  report.show({})
  try {
    const response = await send(sending.url, request)
    showHead(report, response)
    const type = response.headers.get('content-type') ?? ''
    const isStream = type.startsWith('text/event-stream') && response.body !== null
    if (isStream) await readStream(response.body, request, sending, report, sink)
    else await readWhole(response, request, sending, report, sink)
    sink.complete()
  } catch (error) {
    if (request.signal.aborted) {
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

function send(
  url: string,
  { parameters, headers, operation, method, signal }: Request,
): Promise<Response> {
  const fields = new Headers({
    accept: acceptOf(operation),
    'content-type': 'application/json',
  })
  for (const [name, value] of Object.entries(headers)) fields.set(name, String(value))
  return fetch(url, { method, headers: fields, body: toBody(parameters), signal })
}

function toBody({ query, variables, operationName }: Parameters): string {
  return JSON.stringify({ query, variables, operationName: operationName ?? undefined })
}

async function readWhole(
  response: Response,
  { operation }: Request,
  { edition }: Sending,
  report: RunningReport,
  sink: Sink,
): Promise<void> {
  const bytes = await response.arrayBuffer()
  const text = new TextDecoder().decode(bytes)
  const result = parseResult(text)
  report.whole(bytes.byteLength, result, explain(edition, response, result, operation))
  sink.next(result ?? { 'The response is not JSON': text })
}

function explain(
  edition: string,
  { status }: Response,
  result: Result | undefined,
  { kind }: Operation,
): Sentence | undefined {
  const situation = {
    status,
    code: codeOf(result),
    hasData: result?.data != null,
    hasErrors: hasErrors(result ?? {}),
    isStream: false,
    operation: kind,
  }
  return findSentence(edition, statementsOf(situation))
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  { operation }: Request,
  { edition }: Sending,
  report: RunningReport,
  sink: Sink,
): Promise<void> {
  const situation = {
    status: 200,
    code: undefined,
    hasData: true,
    hasErrors: false,
    isStream: true,
  }
  const sentence = findSentence(edition, statementsOf({ ...situation, operation: operation.kind }))
  report.show({ sentence, results: 0, note: 'open' })
  for await (const { name, data } of readEvents(body, (count) => report.add(count))) {
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
  { url, edition, reports }: Sending,
  parameters: Parameters,
  headers: Headers,
): Promise<Result> {
  const operation = { kind: 'query', isIncremental: false }
  const { signal } = new AbortController()
  const startedAt = performance.now()
  try {
    const response = await send(url, { parameters, headers, operation, method: 'POST', signal })
    const text = await response.text()
    const result = parseResult(text)
    if (result?.data != null) return result
    if (codeOf(result) === 'GRAPHQL_VALIDATION_FAILED') {
      reports.say('Introspection is off', 'neutral')
      return toNoSchema([{ message: introspectionIsOff }])
    }
    reports.mayReadSchemaLater = true
    const report = new RunningReport(reports, startedAt)
    showHead(report, response)
    const { byteLength } = new TextEncoder().encode(text)
    report.whole(byteLength, result, explain(edition, response, result, operation))
    report.show({ note: 'the schema could not be read' })
    return toNoSchema(result?.errors ?? [{ message: report.known.title }])
  } catch (error) {
    reports.mayReadSchemaLater = true
    new RunningReport(reports, startedAt).failed('No response')
    return toNoSchema([toFailure(error)])
  }
}

const introspectionIsOff =
  'This server has introspection off: the editor has no completion and no documentation. Operations can be run.'

/** GraphiQL asks once more if there is no `data` at all. */
function toNoSchema(errors: NonNullable<Result['errors']>): Result {
  return { data: undefined, errors }
}
