import { once } from 'node:events'
import type { Test } from 'tap'
import type { Handler } from '../../src/index.js'
import { jsonOf, linesOf, valueOf, type Host, type HostResponse } from './exchange.js'
import { failureRows, methodRows, textRows, uploadRows, type Row } from './rows.js'
import { allBytes, createTestedHandler, type TestedHandler } from './tested-handler.js'

export type StartHost = (handler: Handler) => Host | Promise<Host>

/** What a host must do, whatever server or framework it lives in. */
export async function hostSuite(t: Test, start: StartHost): Promise<void> {
  const tested = createTestedHandler()
  const host = await start(tested.handler)
  t.teardown(() => host.close())

  for (const row of [...methodRows, ...textRows, ...uploadRows, ...failureRows]) {
    const [name, request, , more] = row
    if (more?.needs !== undefined && host.lacks.includes(more.needs)) continue
    await t.test(name, async (t) => {
      const answer = await host.send(request)
      checkAnswer(t, answer, row)
      checkFraming(t, answer)
    })
  }
  await t.test('no bug but those that were asked for', async (t) => {
    const messages = tested.bugs.map((bug) => (bug as Error).message)
    t.same(messages, ['secret of the resolver', 'secret of the context'])
  })
  for (const [name, check] of Object.entries(checks)) {
    await t.test(name, (t) => check(t, host, tested))
  }
}

type Check = (t: Test, host: Host, tested: TestedHandler) => Promise<void>

export function checkAnswer(t: Test, answer: HostResponse, [, , status, more = {}]: Row): void {
  t.equal(answer.status, status)
  for (const [name, value] of Object.entries(more.headers ?? {})) {
    t.equal(valueOf(answer, name), value, name)
  }
  if (status === 204) return
  if (more.json !== undefined) t.same(jsonOf(answer), more.json)
  else t.type(jsonOf(answer), Object)
  t.notMatch(answer.body.toString(), 'secret')
}

function checkFraming(t: Test, answer: HostResponse): void {
  t.equal(valueOf(answer, 'transfer-encoding'), undefined, 'no transfer coding')
  if (answer.status === 204) {
    t.equal(answer.body.byteLength, 0, 'no body')
    t.equal(valueOf(answer, 'content-length'), undefined, 'and so no length')
  } else {
    t.same(linesOf(answer, 'content-length'), [String(answer.body.byteLength)], 'its exact length')
    t.equal(valueOf(answer, 'vary'), 'Accept', 'Vary')
  }
}

const checks: { readonly [name: string]: Check } = {
  async 'HEAD has the head of GET'(t, host) {
    const query = '?query={echo(text:"Zo%C3%AB")}'
    const got = await host.send({ query })
    const head = await host.send({ method: 'HEAD', query })
    t.equal(head.status, 200)
    t.equal(head.body.byteLength, 0)
    t.same(withoutDate(head), withoutDate(got))
  },
  async 'a body of bytes arrives as it is'(t, host) {
    const headers = { accept: 'text/html' }
    const got = await host.send({ headers })
    t.equal(got.status, 200)
    t.same(got.body, Buffer.from(allBytes))
    t.same(linesOf(got, 'content-length'), [String(allBytes.byteLength)])
    const head = await host.send({ method: 'HEAD', headers })
    t.equal(head.body.byteLength, 0)
    t.same(withoutDate(head), withoutDate(got))
  },
  async 'both cookies of a resolver arrive'(t, host) {
    const answer = await host.send({ query: '?query={cookies}' })
    t.same(linesOf(answer, 'set-cookie'), bothCookies)
  },
  /** Node refuses two lines of many fields in HTTP/2: the operation has run by then, and its answer was lost. */
  async 'several lines of a field arrive'(t, host) {
    const answer = await host.send({ query: '?query={lines}' })
    t.same(jsonOf(answer), { data: { lines: 'several' } })
    t.equal(valueOf(answer, 'content-language'), 'de, en')
  },
  async 'a status has the reason phrase of its specification'(t, host) {
    for (const [query, status, phrase] of [
      ['{fail}', 294, 'Partial Success'],
      ['{nope}', 422, 'Unprocessable Content'],
    ] as const) {
      const answer = await host.send({ query: `?query=${query}` })
      t.equal(answer.status, status)
      if (!host.lacks.includes('reason-phrase')) t.equal(answer.statusText, phrase)
    }
  },
  async 'a client that leaves cancels what runs for it'(t, host, tested) {
    const client = new AbortController()
    const left = host.send(wait, client.signal).catch(() => undefined)
    const { signal } = await tested.nextWaiting()
    const fired = signal.aborted ? undefined : once(signal, 'abort')
    client.abort()
    await fired
    t.equal((signal.reason as { reason: string }).reason, 'client-gone')
    await left
  },
  async 'a client that stays cancels nothing'(t, host, tested) {
    const answer = host.send(wait)
    const { signal, finish } = await tested.nextWaiting()
    finish('done')
    t.same(jsonOf(await answer), { data: { wait: 'done' } })
    // By the next answer the server has seen the end of the last exchange.
    await host.send({ query: '?query={echo(text:"x")}' })
    t.notOk(signal.aborted)
  },
}

export const bothCookies = ['first=1; Path=/', 'second=2; Expires=Wed, 01 Jan 2120 00:00:00 GMT']

const wait = { body: '{"query":"{ wait }"}' }

function withoutDate({ headers }: HostResponse): string[] {
  return headers
    .map((name, at) => `${name.toLowerCase()}: ${headers[at + 1]}`)
    .filter((line, at) => at % 2 === 0 && !line.startsWith('date:'))
}
