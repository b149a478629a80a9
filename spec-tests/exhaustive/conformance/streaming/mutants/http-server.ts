import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { HasStreamDefect, StreamDefectName } from './defects.js'
import {
  eventStream,
  incrementalParts,
  jsonLines,
  subscriptionParts,
  type Encoding,
} from './encodings.js'
import {
  findAnswer,
  findDirectiveProblem,
  toPayloads,
  type Payload,
} from './incremental-answers.js'
import { readWishes, type IncrementalWish, type Wishes } from './negotiate.js'
import { errorsOf, type Operations, type Params, type Prepared, type Result } from './operations.js'
import { pump, type PumpDefects } from './pump.js'

const graphqlType = 'application/graphql-response+json; charset=utf-8'

interface Request {
  readonly method: string
  readonly params: Params
  readonly wishes: Wishes
  readonly accept: string
  readonly isHttp2: boolean
}

const emptyWish: IncrementalWish = { type: 'multipart/mixed', format: 'v0.2', q: 1 }

type Runnable = Extract<Prepared, { kind: 'query' | 'mutation' | 'subscription' }>

/** Answers requests by HTTP: in JSON, or as a stream. */
export class HttpAnswers {
  readonly #operations: Operations
  readonly #has: HasStreamDefect
  readonly #sources: Set<AsyncIterator<object>>
  readonly #streams = new Set<ServerResponse>()

  constructor(operations: Operations, has: HasStreamDefect, sources: Set<AsyncIterator<object>>) {
    this.#operations = operations
    this.#has = has
    this.#sources = sources
  }

  async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await this.#read(incoming)
    if (request === undefined) return this.#json(response, 400, errorsOf('No request.'))
    const prepared = this.#operations.prepare(request.params)
    if (
      prepared.kind === 'mutation' &&
      request.method === 'GET' &&
      !this.#has('sse-mutation-by-get')
    ) {
      response.setHeader('allow', 'POST')
      return this.#json(response, 405, errorsOf('Use POST.'))
    }
    if (prepared.kind === 'subscription') return this.#subscribe(request, prepared, response)
    return this.#runSingle(request, prepared, response)
  }

  async #read(incoming: IncomingMessage): Promise<Request | undefined> {
    const { method = '', url = '', headers, httpVersionMajor } = incoming
    const accept = headers.accept ?? ''
    const wishes = readWishes(accept, this.#has)
    const rest = { method, accept, wishes, isHttp2: httpVersionMajor === 2 }
    const query = new URL(url, 'http://localhost').searchParams.get('query')
    if (method === 'GET') return { ...rest, params: { query: query ?? '' } }
    try {
      const params = JSON.parse(await text(incoming)) as Params
      return typeof params.query === 'string' ? { ...rest, params } : undefined
    } catch {
      return undefined
    }
  }

  async #runSingle(request: Request, prepared: Prepared, response: ServerResponse): Promise<void> {
    const { wishes, params } = request
    const wish = wishes.incremental
    const has = this.#has
    if (prepared.kind !== 'errors' && (wish !== undefined || has('inc-unasked'))) {
      const isDeferred = /@(?:defer|stream)/.test(params.query)
      const problem = findDirectiveProblem(params.query, has)
      if (isDeferred && problem !== undefined) {
        return this.#json(response, 422, errorsOf(problem))
      }
      const answer = findAnswer(params.query, params.variables, has)
      const chosen = wish ?? emptyWish
      if (answer !== undefined && chosen.q >= wishes.json) {
        return this.#sendPayloads(toPayloads(answer, chosen.format, has), chosen, response)
      }
    }
    if (prepared.kind === 'errors' && wishes.multipartSubscription > 0) {
      if (has('mps-request-error-empty')) return this.#sendPayloads([], emptyWish, response)
    }
    if (!this.#isStreamed(request, prepared)) return this.#sendJson(request, prepared, response)
    return this.#sendEvents(prepared, response)
  }

  /** Whether a single result is to be an event. */
  #isStreamed({ method, wishes, isHttp2 }: Request, prepared: Prepared): boolean {
    const has = this.#has
    if (isHttp2 && has('sse-h2-in-json')) return false
    if (method === 'GET' && has('sse-get-refused')) return false
    if (method === 'QUERY' && has('sse-query-method-refused')) return false
    if (prepared.kind === 'mutation' && has('sse-mutation-refused')) return false
    if (prepared.kind === 'errors') {
      if (has('sse-errors-in-json') || has('sse-errors-4xx')) return false
      if (has('sse-syntax-4xx') && prepared.stage === 'syntax') return false
    }
    if (has('sse-q-ignored') && wishes.sse > 0) return true
    return has('sse-last-choice') ? wishes.sse > 0 && wishes.json === 0 : wishes.sse > wishes.json
  }

  async #sendJson(request: Request, prepared: Prepared, response: ServerResponse): Promise<void> {
    const { sse, json } = request.wishes
    if (json === 0 && sse === 0) return this.#json(response, 406, errorsOf('Not acceptable.'))
    if (prepared.kind === 'errors') {
      const status = prepared.stage === 'syntax' ? 400 : 422
      return this.#json(response, this.#has('sse-errors-in-json') ? 200 : status, prepared.result)
    }
    const result = await this.#operations.execute(prepared)
    const status = result.errors === undefined ? 200 : 'data' in result ? 294 : 422
    this.#json(response, status, result)
  }

  async #sendEvents(prepared: Prepared, response: ServerResponse): Promise<void> {
    const has = this.#has
    const result =
      prepared.kind === 'errors' ? prepared.result : await this.#operations.execute(prepared)
    const { errors, ...rest } = result
    if (!('data' in result) && has('sse-errors-4xx')) return this.#json(response, 422, result)
    const encoding = eventStream(has)
    const isOdd = errors !== undefined && has('sse-294')
    this.#begin(response, isOdd ? 294 : 200, encoding)
    const event = encoding.write(has('sse-field-errors-dropped') ? rest : result)
    const bytes = (has('sse-result-twice') ? event + event : event) + encoding.end()
    response.write(Buffer.from(bytes, has('sse-latin1') ? 'latin1' : 'utf8'))
    if (!has('sse-stays-open')) response.end()
  }

  async #sendPayloads(
    payloads: readonly Payload[],
    { type }: IncrementalWish,
    response: ServerResponse,
  ): Promise<void> {
    const has = this.#has
    const parts = incrementalParts(has)
    const lines = type === 'application/jsonl' ? jsonLines(has) : undefined
    const events = type === 'text/event-stream' ? eventStream(has) : undefined
    const encoding = lines ?? events ?? parts
    const isOdd = has('inc-error-status') && JSON.stringify(payloads).includes('"errors"')
    const all = payloads.map(({ content }) => encoding.write(content)).join('')
    const end = has('inc-sse-complete-missing') ? '' : encoding.end()
    const total = Buffer.byteLength(encoding.begin() + all + end)
    if (has('inc-length')) response.setHeader('content-length', total)
    this.#begin(response, isOdd ? 294 : 200, encoding)
    const held: string[] = []
    for (const { delay, content } of payloads) {
      if (delay > 0) await sleep(delay)
      if (has('inc-buffered')) held.push(encoding.write(content))
      else response.write(encoding.write(content))
    }
    response.write(held.join('') + end)
    if (!has('inc-stays-open')) response.end()
  }

  async #subscribe(request: Request, prepared: Runnable, response: ServerResponse): Promise<void> {
    const has = this.#has
    const chosen = this.#chooseStream(request)
    if (request.params.query.includes('@defer')) {
      const isAccepted = has('inc-subscription-root')
      const result = isAccepted ? { data: {} } : errorsOf('A deferred root.')
      return this.#json(response, isAccepted ? 200 : 422, result)
    }
    if (chosen === undefined) return this.#json(response, 406, errorsOf('Not acceptable.'))
    const encoding = chosen === 'sse' ? eventStream(has) : subscriptionParts(has)
    let source: AsyncIterator<object>
    try {
      source = await this.#operations.subscribe(prepared)
    } catch (error) {
      if (chosen === 'mps') return this.#json(response, 422, errorsOf(error))
      this.#begin(response, 200, encoding)
      const event = has('sse-refused-alone') ? '' : encoding.write(errorsOf(error))
      return void response.end(event + encoding.end())
    }
    this.#sources.add(source)
    if (has('sse-length')) response.setHeader('content-length', 1_000_000)
    this.#begin(response, 200, encoding)
    const run = (event: object): Promise<Result> => this.#operations.execute(prepared, event)
    await pump({ source, run }, response, encoding, this.#pumpDefects(chosen, request.isHttp2))
  }

  #chooseStream({ wishes, method, accept }: Request): 'sse' | 'mps' | undefined {
    const has = this.#has
    if (has('mps-json-first') && accept.startsWith('application/json')) return undefined
    const { sse, multipartSubscription } = wishes
    if (method === 'GET' && has('sse-get-refused')) return undefined
    if (sse > 0 && sse >= multipartSubscription) return 'sse'
    if (multipartSubscription > 0) return 'mps'
    return has('sse-unasked') ? 'sse' : undefined
  }

  #pumpDefects(chosen: 'sse' | 'mps', isHttp2: boolean): PumpDefects {
    const of = (sse: StreamDefectName | undefined, mps?: StreamDefectName): boolean => {
      const name = chosen === 'sse' ? sse : mps
      return name !== undefined && this.#has(name)
    }
    return {
      isBuffered: of('sse-buffered', 'mps-buffered') || (isHttp2 && of('sse-h2-buffered')),
      isReversed: of('sse-order-reversed', 'mps-order-reversed'),
      losesLast: of('sse-last-event-lost'),
      addsResult: of('sse-one-more-result'),
      isStale: of('sse-counter-stale'),
      endsAtFieldError: of('sse-field-error-ends', 'mps-field-error-ends'),
      dropsErrors: of('sse-field-errors-dropped'),
      hangsAtSourceError: of('sse-source-error-hangs', 'mps-source-error-hangs'),
      hidesSourceError: of(undefined, 'mps-source-error-silent'),
      losesEventAtSourceError: of('sse-source-error-first'),
      keepsSource:
        of('sse-source-kept', 'mps-source-kept') || (isHttp2 && of('sse-h2-source-kept')),
      keepsWaitingSource: of('sse-source-kept-waiting'),
      staysOpen: of('sse-stays-open', 'mps-stays-open'),
      others: of('sse-streams-mixed') ? this.#streams : new Set(),
    }
  }

  #begin(response: ServerResponse, status: number, { type, begin }: Encoding): void {
    this.#streams.add(response)
    response.once('close', () => this.#streams.delete(response))
    response.writeHead(status, {
      'content-type': type,
      ...(!this.#has('sse-headers-missing') && {
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
        vary: 'Accept',
      }),
    })
    response.write(begin())
  }

  #json(response: ServerResponse, status: number, result: Result): void {
    response.writeHead(status, { 'content-type': graphqlType, vary: 'Accept' })
    response.end(JSON.stringify(result))
  }
}
