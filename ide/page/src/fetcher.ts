import type { Fetcher } from '@graphiql/toolkit'
import { getOperationAST, parse, visit, type DocumentNode } from 'graphql'
import { readEvents } from './event-stream.js'
import { findSentence, statementsOf, type Situation } from './explain.js'
import { HttpReport } from './http-report.js'
import type { Reports } from './reports.js'
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
    { headers = {} }: { readonly headers?: Headers } = {},
  ): unknown => {
    // GraphiQL reads the schema by itself: that is not the result of anybody's operation.
    if (parameters.operationName === 'IntrospectionQuery') {
      return readSchema(sending, parameters, headers)
    }
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
  const report = new HttpReport(sending.reports)
  try {
    const response = await send(sending.url, request)
    report.begin(response)
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
    report.failed()
    sink.error(error)
  }
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

interface Result {
  readonly data?: unknown
  readonly errors?: readonly { readonly extensions?: { readonly code?: unknown } }[]
}

async function readWhole(
  response: Response,
  { operation }: Request,
  { edition }: Sending,
  report: HttpReport,
  sink: Sink,
): Promise<void> {
  const bytes = await response.arrayBuffer()
  report.add(bytes.byteLength)
  const text = new TextDecoder().decode(bytes)
  const result = parseResult(text)
  report.end(explain(edition, response, result, operation))
  sink.next(result ?? { 'The response is not JSON': text })
}

function explain(
  edition: string,
  { status }: Response,
  result: Result | undefined,
  { kind }: Operation,
): ReturnType<typeof findSentence> {
  const code = result?.errors?.[0]?.extensions?.code
  return sentenceOf(edition, {
    status,
    code: typeof code === 'string' ? code : undefined,
    hasData: result?.data != null,
    hasErrors: (result?.errors?.length ?? 0) > 0,
    isStream: false,
    operation: kind,
  })
}

function parseResult(text: string): Result | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

async function readStream(
  body: ReadableStream<Uint8Array>,
  { operation }: Request,
  { edition }: Sending,
  report: HttpReport,
  sink: Sink,
): Promise<void> {
  const situation = { status: 200, code: undefined, hasData: true, hasErrors: false } as const
  report.explain(sentenceOf(edition, { ...situation, isStream: true, operation: operation.kind }))
  for await (const { name, data } of readEvents(body, (count) => report.add(count))) {
    if (name === 'complete') return report.end()
    if (name !== 'next') continue
    report.result()
    sink.next(JSON.parse(data))
  }
  report.end(undefined, 'ended without the event "complete"')
}

function sentenceOf(edition: string, situation: Situation): ReturnType<typeof findSentence> {
  return findSentence(edition, statementsOf(situation))
}

/** GraphiQL shows a failure in place of a result, so that has its status, too. */
async function readSchema(
  { url, edition, reports }: Sending,
  parameters: Parameters,
  headers: Headers,
): Promise<unknown> {
  const operation = { kind: 'query', isIncremental: false }
  const { signal } = new AbortController()
  const startedAt = performance.now()
  const response = await send(url, { parameters, headers, operation, method: 'POST', signal })
  const text = await response.text()
  const result = parseResult(text)
  if (result?.data == null) {
    const report = new HttpReport(reports, startedAt)
    report.begin(response)
    report.add(new TextEncoder().encode(text).byteLength)
    report.end(explain(edition, response, result, operation), 'the schema could not be read')
  }
  return result ?? { errors: [{ message: `${response.status} ${response.statusText}` }] }
}
