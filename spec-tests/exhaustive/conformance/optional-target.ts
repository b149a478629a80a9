import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { condition } from './optional/caching.js'
import { isInUrl, readCall, type Call, type Params, type Reply } from './optional/call.js'
import { corsFields } from './optional/cors.js'
import type { Defect, Has, Variant } from './optional/defects.js'
import { readParams } from './optional/read-params.js'
import { Engine, type Outcome } from './optional/run.js'

/** A server of all that the optional suites look at, while it runs. */
export interface OptionalTarget {
  readonly url: string
  close(): Promise<void>
}

const gql = 'application/graphql-response+json'

/** Starts a server that does what the optional suites ask for, but for one defect where one is named. */
export async function startOptionalTarget(one?: Defect | Variant): Promise<OptionalTarget> {
  const has: Has = (other) => other === one
  const target = new Target(has)
  let isBroken = false
  const server = createServer((incoming, outgoing) => {
    if (isBroken) return void outgoing.writeHead(500).end()
    void readCall(incoming)
      .then(async (call) => send(call, await target.answer(call), outgoing, has))
      .catch(() => {
        isBroken = has('upload-cut')
        outgoing.writeHead(500).end()
      })
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

function send(
  call: Call,
  { status, headers, body }: Reply,
  outgoing: ServerResponse,
  has: Has,
): void {
  if (status === 304 && has('304-content') && outgoing.socket !== null) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    outgoing.socket.write(`HTTP/1.1 304 Not Modified\r\n${lines.join('')}\r\n${body}`)
    outgoing.socket.end()
    return
  }
  outgoing.sendDate = !(status === 304 && has('304-date'))
  outgoing.writeHead(status, headers)
  outgoing.end(call.method === 'HEAD' || status === 304 || status === 204 ? undefined : body)
}

/** One server: what it answers, without the socket. */
class Target {
  readonly #has: Has
  readonly #engine: Engine

  constructor(has: Has) {
    this.#has = has
    this.#engine = new Engine(has)
  }

  async answer(call: Call): Promise<Reply> {
    const has = this.#has
    const reply = await this.#answerPlainly(call)
    const shared = reply.status >= 400 && has('cors-errors') ? {} : corsFields(call, has)
    const separator = has('vary-form') ? '; ' : ', '
    const fields = [has('vary-missing') ? [] : ['Accept'], has('vary-origin') ? [] : ['Origin']]
    const headers = { ...reply.headers, ...shared, Vary: fields.flat().join(separator) }
    return condition(call, { ...reply, headers }, has)
  }

  async #answerPlainly(call: Call): Promise<Reply> {
    const { method, headers } = call
    if (method === 'OPTIONS') return this.#options(call)
    if (!['GET', 'HEAD', 'POST', 'QUERY'].includes(method))
      return this.#refuse(405, 'No such method.')
    const type = this.#chooseType(call)
    if (type === undefined) return this.#refuse(406, 'Nothing acceptable.')
    const isForeign = headers['sec-fetch-site'] === 'cross-site' && isInUrl(call)
    if (isForeign && !this.#has('csrf-get')) return this.#refuse(403, 'From another site.')
    const read = readParams(call, this.#has)
    if (typeof read === 'number') return this.#refuse(read, 'No such body.')
    const accept = headers.accept ?? ''
    const isLine = accept.includes('application/jsonl')
    if (Array.isArray(read) || (isLine && Array.isArray((read as Params)['variables']))) {
      return this.#batch(read, call, isLine)
    }
    if (this.#has('batch-unsupported') && Array.isArray((read as Params)['variables'])) {
      return this.#refuse(500, 'No list, please.')
    }
    const outcome = await this.#engine.run(read, call)
    const isOdd = this.#has('path-status') && call.url.pathname.split('/').length > 2
    return this.#reply(isOdd ? { ...outcome, status: 203 } : outcome, type)
  }

  #chooseType({ method, headers }: Call): string | undefined {
    const { accept = gql } = headers
    if (accept.includes(gql) || accept.includes('*/*')) return gql
    if (method === 'QUERY' && this.#has('query-ignores-accept')) return gql
    return accept.includes('application/json') ? 'application/json' : undefined
  }

  async #options(call: Call): Promise<Reply> {
    const isPreflight = call.headers['access-control-request-method'] !== undefined
    const headers = { Allow: this.#allow(), ...this.#acceptQuery() }
    if (isPreflight && this.#has('preflight-runs')) {
      await this.#engine.run(
        { query: call.url.searchParams.get('query') ?? '' },
        { ...call, method: 'POST' },
      )
    }
    return { status: isPreflight && this.#has('preflight-405') ? 405 : 204, headers, body: '' }
  }

  #allow(): string {
    if (this.#has('post-not-allowed')) return 'GET, HEAD, QUERY'
    return this.#has('query-not-allowed') ? 'GET, HEAD, POST' : 'GET, HEAD, POST, QUERY, OPTIONS'
  }

  #acceptQuery(): Record<string, string> {
    if (this.#has('accept-query')) return {}
    return {
      'Accept-Query': this.#has('accept-query-form')
        ? 'application/json, /x'
        : '"application/json"',
    }
  }

  #refuse(status: number, message: string): Reply {
    return this.#reply({ status, result: { errors: [{ message }] } }, gql)
  }

  #reply({ status, result }: Outcome, type: string): Reply {
    const isLegacy = type === 'application/json' && status < 300
    const headers: Record<string, string> = {
      'Content-Type': `${isLegacy ? type : gql}; charset=utf-8`,
    }
    if (status === 405) headers['Allow'] = this.#allow()
    if (status === 405 || status === 415) Object.assign(headers, this.#acceptQuery())
    return { status: isLegacy ? 200 : status, headers, body: JSON.stringify(result) }
  }

  async #batch(read: Params | readonly unknown[], call: Call, isLine: boolean): Promise<Reply> {
    const has = this.#has
    const isList = Array.isArray(read)
    if (has('batch-unsupported')) return this.#refuse(500, 'No list, please.')
    const requests = isList ? (read as readonly unknown[]) : [read]
    if (isList && requests.length === 0 && !has('batch-empty'))
      return this.#refuse(422, 'An empty list.')
    if (requests.length > 10 && !has('batch-no-limit')) return this.#refuse(413, 'A long list.')
    const jobs = requests.flatMap((one, requestIndex) =>
      toJobs(one, isList ? { requestIndex } : {}, isLine),
    )
    const done: object[] = []
    const results = await Promise.all(
      jobs.map(async ({ params, indices }) => {
        const result = await this.#runEntry(params, call)
        const entry = isLine && !has('jsonl-no-index') ? Object.assign({}, indices, result) : result
        done.push(entry)
        return entry
      }),
    )
    const all = has('batch-as-done') ? done : has('batch-order') ? results.toReversed() : results
    return isLine ? this.#lines(all, call) : this.#list(all)
  }

  async #runEntry(params: unknown, call: Call): Promise<object> {
    const has = this.#has
    if (
      has('batch-odd-entry') &&
      (typeof params !== 'object' || params === null || Array.isArray(params))
    ) {
      throw new TypeError('An odd entry.')
    }
    const { status, result } = await this.#engine.run(params, call)
    if (has('jsonl-field-error') && status === 294) return { data: null, errors: result.errors }
    return has('batch-status') ? { status, ...result } : result
  }

  #list(results: readonly object[]): Reply {
    const has = this.#has
    const isFailed = results.some((one) => !('data' in one))
    if (has('batch-all-fail') && isFailed) return this.#refuse(422, 'One of them fails.')
    const type = has('batch-type') ? gql : 'application/json'
    const body = JSON.stringify(has('batch-one') && results.length === 1 ? results[0] : results)
    return { status: 200, headers: { 'Content-Type': `${type}; charset=utf-8` }, body }
  }

  #lines(results: readonly object[], { headers: { accept } }: Call): Reply {
    const has = this.#has
    if (has('jsonl-not-preferred') && accept?.includes(gql)) return this.#list(results)
    const lines = results.map((one) => `${JSON.stringify(one)}\n`).join('')
    const none = results.length === 0 && has('jsonl-variables-none') ? '{"data":null}' : lines
    const body = has('jsonl-list') && results.length > 1 ? JSON.stringify(results) : none
    const status = has('jsonl-status') ? 422 : 200
    return { status, headers: { 'Content-Type': 'application/jsonl; charset=utf-8' }, body }
  }
}

interface Job {
  readonly params: unknown
  readonly indices: object
}

/** A request once for each entry of its variables, where they are a list. */
function toJobs(one: unknown, indices: object, isLine: boolean): Job[] {
  const variables = (one as Params | null)?.['variables']
  if (!isLine || !Array.isArray(variables)) return [{ params: one, indices }]
  return variables.map((entry: unknown, variableIndex) => ({
    params: { ...(one as Params), variables: entry },
    indices: { ...indices, variableIndex },
  }))
}
