import {
  fieldValue,
  type Denial,
  type ExecutedResponse,
  type HeaderList,
  type HttpResponse,
  type OperationRequest,
} from 'graphwire'
import { andThen, callApart, isPromise } from 'graphwire/base'
import { Entities } from './entities.js'
import { readResult } from './find-objects.js'
import { memoryStore } from './memory-store.js'
import type { LookupOutcome, ResponseCacheOptions } from './options.js'
import { RequestKeys } from './request-keys.js'
import { RunningQueries, type RunningQuery } from './running-queries.js'
import type { Lookup, ResponseStore, StoredResponse } from './store.js'

type AroundResult = HttpResponse | Denial | Promise<HttpResponse | Denial>
type Proceed = () => ExecutedResponse | Promise<ExecutedResponse>

/** A query that may be stored, under a key of its own. */
interface Miss {
  readonly request: OperationRequest
  readonly proceed: Proceed
  readonly key: string
  /** Whether everyone may have the response. */
  readonly isShared: boolean
}

/** Looks responses up before operations are executed, and stores them after that. */
export class Cache {
  readonly #store: ResponseStore
  readonly #options: ResponseCacheOptions
  readonly #entities: Entities
  readonly #keys: RequestKeys
  readonly #staleFor: number
  readonly #running = new RunningQueries()
  readonly #renewals = new Set<RunningQuery>()

  constructor(options: ResponseCacheOptions) {
    this.#options = options
    this.#store = options.store ?? memoryStore()
    this.#entities = new Entities(options.idField ?? 'id')
    this.#keys = new RequestKeys(options)
    this.#staleFor = 1000 * (options.staleWhileRevalidate ?? 0)
  }

  around(request: OperationRequest, proceed: Proceed): AroundResult {
    const { operation } = request.operation
    if (operation === 'mutation') return this.#change(request, proceed)
    if (operation === 'subscription') return proceed()
    for (const name of this.#options.vary ?? []) request.responseHeaders.append('Vary', name)
    const { maxAge, isPublic, isPrivate } = request.cachePolicy
    const isShared = isPublic && !isPrivate
    const hasLifetime = maxAge !== 0 && maxAge !== Infinity
    const key = hasLifetime ? this.#keys.of(request, isShared) : undefined
    if (key === undefined) return this.#proceed({ request, proceed }, 'pass')
    return this.#get({ request, proceed, key, isShared })
  }

  async invalidate(tags: readonly string[]): Promise<void> {
    try {
      await this.#store.invalidate(tags)
    } catch (fault) {
      this.#report(fault)
    }
  }

  /** `waits`: how many others it has waited for. */
  #get(miss: Miss, waits = 0): AroundResult {
    const found = this.#find(miss.key)
    return andThen(found, (lookup) => {
      if (lookup === undefined) return this.#proceed(miss, 'miss')
      const { response } = lookup
      if (response === undefined) return this.#share(miss, lookup, waits)
      const isStale = response.freshUntil <= Date.now()
      this.#note(miss.request, isStale ? 'stale' : 'hit')
      if (isStale) this.#renew(miss, lookup)
      return toReply(response)
    })
  }

  /** Undefined if the store has failed. */
  #find(key: string): Lookup | undefined | Promise<Lookup | undefined> {
    try {
      const found = this.#store.find(key)
      return isPromise(found)
        ? Promise.resolve(found).catch((fault: unknown) => this.#report(fault))
        : found
    } catch (fault) {
      return this.#report(fault)
    }
  }

  /** Executes the query, or waits for a request that does. */
  #share(miss: Miss, { epoch }: Lookup, waits: number): AroundResult {
    const running = waits < maxWaits ? this.#running.toWaitFor(miss.key, epoch) : undefined
    if (running === undefined) return this.#execute(miss, epoch)
    return running.then((response) => {
      // Its client may have left: the next one executes the query. What is not for others is executed by all.
      if (typeof response === 'string') return this.#get(miss, waits + 1)
      this.#note(miss.request, 'shared')
      return toReply(response)
    })
  }

  /** Executes the query after a stale response has been sent, unless too many others are being renewed. */
  #renew(miss: Miss, { epoch }: Lookup): void {
    if (this.#renewals.size === maxRenewals) return
    if (this.#running.has(miss.key, epoch)) return
    const run = this.#running.begin(miss.key, epoch)
    this.#renewals.add(run)
    setTimeout(() => void this.#followLater(run, miss, epoch))
  }

  async #followLater(run: RunningQuery, miss: Miss, epoch: number): Promise<void> {
    try {
      await this.#follow(run, miss, epoch)
    } catch (fault) {
      if (!miss.request.signal.aborted) this.#report(fault)
    } finally {
      this.#renewals.delete(run)
    }
  }

  #execute(miss: Miss, epoch: number): ExecutedResponse | Promise<ExecutedResponse> {
    this.#note(miss.request, 'miss')
    const run = this.#running.begin(miss.key, epoch)
    // A resolver that does not end must not keep others waiting.
    miss.request.signal.addEventListener('abort', () => run.end('failed'), { once: true })
    return this.#follow(run, miss, epoch)
  }

  #follow(
    run: RunningQuery,
    miss: Miss,
    epoch: number,
  ): ExecutedResponse | Promise<ExecutedResponse> {
    const { request, proceed } = miss
    const headersBefore = headersOf(request)
    const take = (executed: ExecutedResponse): ExecutedResponse => {
      const isChanged = headersOf(request) !== headersBefore
      const response = isChanged ? undefined : this.#toStored(executed, miss)
      if (response !== undefined) this.#save(miss, response, epoch)
      run.end(response ?? 'not for others')
      return executed
    }
    const fail = (bug: unknown): never => {
      run.end('failed')
      throw bug
    }
    try {
      const executed = proceed()
      return isPromise(executed) ? executed.then(take).catch(fail) : take(executed)
    } catch (bug) {
      return fail(bug)
    }
  }

  /** Undefined if the response may not be stored. */
  #toStored(
    { status, headers, body, errors }: ExecutedResponse,
    miss: Miss,
  ): StoredResponse | undefined {
    const { maxAge, isPublic, isPrivate } = miss.request.cachePolicy
    const isOwn = miss.isShared && (isPrivate || !isPublic)
    if (status !== 200 || errors.length > 0 || typeof body !== 'string' || isOwn) return undefined
    const isLong = body.length > (this.#options.maxBodyLength ?? 1024 * 1024)
    if (isLong || maxAge === 0 || fieldValue(headers, 'set-cookie') !== undefined) return undefined
    const madeAt = Date.now()
    const kept = withoutExtensions(miss.request, headers, body)
    return { ...kept, madeAt, freshUntil: madeAt + 1000 * maxAge }
  }

  #save({ request, key }: Miss, response: StoredResponse, epoch: number): void {
    const lifetime = response.freshUntil - response.madeAt + this.#staleFor
    callApart(
      () => {
        const tags = this.#entities.tags(request, response.body)
        return this.#store.save({ key, response, tags, epoch, lifetime })
      },
      (fault) => this.#report(fault),
    )
  }

  /** A mutation may have changed data even if it failed, or its response is lost, such as when its client has left. */
  async #change(request: OperationRequest, proceed: Proceed): Promise<HttpResponse> {
    let executed: ExecutedResponse | undefined
    try {
      return (executed = await proceed())
    } finally {
      await this.invalidate(this.#entities.changed(request, executed))
    }
  }

  /** Executes what is not stored. */
  #proceed({ request, proceed }: Pick<Miss, 'request' | 'proceed'>, outcome: LookupOutcome) {
    this.#note(request, outcome)
    return proceed()
  }

  #note(request: OperationRequest, outcome: LookupOutcome): void {
    callApart(
      () => this.#options.onLookup?.(request, outcome),
      (fault) => this.#report(fault),
    )
  }

  #report(fault: unknown): undefined {
    const options = this.#options
    callApart(() => (options.onFault === undefined ? warn(fault) : options.onFault(fault)), warn)
    return undefined
  }
}

/** Clients that leave on purpose, one after the other, must not keep others waiting. */
const maxWaits = 3

/** Renewals do not count as requests of the server, and no client waits for them. */
const maxRenewals = 10

/** `Age` (RFC 9111 section 5.1) tells caches behind this one how much of the lifetime is over. */
function toReply({ headers, body, madeAt }: StoredResponse): HttpResponse {
  const age = Math.max(0, Math.floor((Date.now() - madeAt) / 1000))
  return { status: 200, headers: [...headers, 'Age', String(age)], body }
}

/** The `extensions` of a result are about the request that executed it, such as its time; so is a tag of the whole body. */
function withoutExtensions(
  request: OperationRequest,
  headers: HeaderList,
  body: string,
): Pick<StoredResponse, 'headers' | 'body'> {
  if (!body.includes('"extensions"')) return { headers, body }
  const result = readResult(request, body)
  if (result === undefined || !('data' in result && 'extensions' in result))
    return { headers, body }
  const { extensions: _, ...rest } = result
  const isTag = (at: number): boolean => headers[at - (at % 2)]?.toLowerCase() === 'etag'
  return { headers: headers.filter((_line, at) => !isTag(at)), body: JSON.stringify(rest) }
}

/** The headers that hooks and resolvers have set so far, with one `Vary`. Those of resolvers would be missing in a stored response. */
function headersOf({ touchedHeaders }: OperationRequest): string {
  return touchedHeaders?.mergeInto([]).join('\n') ?? ''
}

function warn(fault: unknown): void {
  console.warn('The response cache failed; operations are executed without it.', fault)
}
