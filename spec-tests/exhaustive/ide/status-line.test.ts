import t, { type Test } from 'tap'
import type { ServeOptions } from '../../../src/hosts/node/index.js'
import { buildSchema, failure, success } from '../../../src/index.js'
import { thrower } from '../../base/thrower.js'
import { skip, type Tab } from '../clients/drive-browser.js'
import { choose, openIde, picture, run, setText, textOf, untilItCan, withIde } from './drive-ide.js'

const never = new Promise<never>(() => {})

const schema = buildSchema(
  `type Query { hello: String  slow: String }
   type Subscription { countdown: Int  flaky: Int  required: Int!  silent: Int  broken: Int }`,
  {
    Query: { hello: () => 'Hello you', slow: () => never },
    Subscription: {
      countdown: { subscribe: () => count('countdown') },
      flaky: { subscribe: () => count('flaky'), resolve: failAtOne },
      required: { subscribe: () => count('required'), resolve: failAtOne },
      broken: { subscribe: () => onceAnd({ broken: 1 }, thrower(new Error('It broke.'))) },
      silent: { subscribe: () => onceAnd({ silent: 0 }, () => never) },
    },
  },
)

async function* onceAnd(event: object, end: () => unknown): AsyncGenerator<object> {
  yield event
  await end()
}

async function* count(name: string): AsyncGenerator<{ [name: string]: number }> {
  for (const value of [2, 1, 0]) yield { [name]: value }
}

function failAtOne(event: { [name: string]: number }): number {
  const [value = 0] = Object.values(event)
  if (value === 1) throw new Error('It broke.')
  return value
}

/** A state of the status line, and what leads to it. */
interface State {
  readonly name: string
  readonly options?: Partial<ServeOptions>
  readonly query: string
  readonly act: (tab: Tab, close: () => Promise<unknown>) => Promise<void>
  readonly tone: 'good' | 'partial' | 'bad' | 'neutral'
  /** Its facts; times and sizes are #. */
  readonly facts: string
  readonly sentence: string | undefined
  /** What stands below it. */
  readonly result: unknown
}

/** Runs the operation once, and once more when something in the editors is not JSON. */
function runWithout(editor: 'variables' | 'request-headers') {
  return async (tab: Tab): Promise<void> => {
    await run(tab)
    await tab.until(`document.querySelector('.status strong')?.textContent === '200 OK'`)
    await tab.until(`${textOf('response')}.includes('Hello')`)
    await setText(tab, editor, '{ "a": ')
    await run(tab)
  }
}

async function runBySocket(tab: Tab): Promise<void> {
  await choose(tab, 'subscriptions', 'websocket')
  await run(tab)
}

/** Runs an operation, and stops it once the status line shows that it has come so far. */
function stopAt(fact: string, start = run) {
  return async (tab: Tab): Promise<void> => {
    await start(tab)
    await tab.until(`document.querySelector('.facts').innerText.includes('${fact}')`)
    await untilItCan(tab, 'Stop')
    await run(tab)
  }
}

/** Runs an operation without a schema; the next one would show that it was asked for again. */
async function runTwice(tab: Tab): Promise<void> {
  await tab.until(`document.querySelector('.facts').textContent === 'Introspection is off'`)
  await run(tab)
  await tab.until(`${textOf('response')}.includes('Hello')`)
  await run(tab)
  await tab.until(`document.querySelector('.status strong').textContent === '200 OK'`)
}

async function doNothing(): Promise<void> {}

/** The server ends, and an operation is run. */
async function runWithoutServer(tab: Tab, close: () => Promise<unknown>): Promise<void> {
  await close()
  await run(tab)
}

// oxfmt-ignore
const states: readonly State[] = [
  { name: 'variables that are not JSON', query: '{ hello }', act: runWithout('variables'),
    tone: 'bad', facts: 'Not sent', sentence: undefined,
    result: { errors: [{ message: /^Request not sent. Variables are invalid JSON/ }] } },
  { name: 'headers that are not JSON', query: '{ hello }', act: runWithout('request-headers'),
    tone: 'bad', facts: 'Not sent', sentence: undefined,
    result: { errors: [{ message: /^Request not sent. Request headers are invalid JSON/ }] } },
  { name: 'a stream', query: 'subscription { countdown }', act: run,
    tone: 'good', facts: '200 OK, text/event-stream, # ms, # bytes, 3 results, complete', sentence: 'SS-8',
    result: { data: { countdown: 0 } } },
  { name: 'a stream with a field error', query: 'subscription { flaky }', act: run,
    tone: 'partial', facts: '200 OK, text/event-stream, # ms, # bytes, 3 results, 1 with errors, complete', sentence: 'SS-8',
    result: { data: { flaky: 0 } } },
  { name: 'a stream with a result without data', query: 'subscription { required }', act: run,
    tone: 'partial', facts: '200 OK, text/event-stream, # ms, # bytes, 3 results, 1 with errors, complete', sentence: 'SS-8',
    result: { data: { required: 0 } } },
  { name: 'a stream that is stopped', query: 'subscription { silent }', act: stopAt('1 result'),
    tone: 'good', facts: '200 OK, text/event-stream, # ms, # bytes, 1 result, stopped', sentence: 'SS-8',
    result: { data: { silent: 0 } } },
  { name: 'a socket with a field error', query: 'subscription { flaky }', act: runBySocket,
    tone: 'partial', facts: '101 Switching Protocols, graphql-transport-ws, # ms, # bytes, 3 results, 1 with errors, complete', sentence: 'WS-11',
    result: { data: { flaky: 0 } } },
  { name: 'a socket that is stopped', query: 'subscription { silent }', act: stopAt('1 result', runBySocket),
    tone: 'good', facts: '101 Switching Protocols, graphql-transport-ws, # ms, # bytes, 1 result, stopped', sentence: 'WS-12',
    result: { data: { silent: 0 } } },
  { name: 'an operation that a socket refuses', query: 'subscription { nope }', act: runBySocket,
    tone: 'bad', facts: 'Ended by an error, graphql-transport-ws, # ms, # bytes, 0 results', sentence: 'WS-13',
    result: { errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] } },
  { name: 'a stream whose source fails', query: 'subscription { broken }', act: run,
    tone: 'bad', facts: '200 OK, text/event-stream, # ms, # bytes, 2 results, 1 with errors, complete', sentence: 'SS-8',
    result: { errors: [{ message: String }] } },
  { name: 'a socket whose source fails', query: 'subscription { broken }', act: runBySocket,
    tone: 'bad', facts: 'Ended by an error, graphql-transport-ws, # ms, # bytes, 1 result', sentence: 'WS-13',
    result: { errors: [{ message: String }] } },
  { name: 'a socket that is refused', query: 'subscription { countdown }', act: runBySocket,
    options: { authenticate: ({ method }) => method === 'GET' ? failure({ kind: 'unauthenticated', challenge: 'Bearer' } as const) : success('me') },
    tone: 'bad', facts: 'Closed by 4403 A valid credential is required., # ms', sentence: 'WS-4',
    result: { errors: [{ message: /^The server closed the WebSocket: 4403/ }] } },
  { name: 'a server without sockets', query: 'subscription { countdown }', act: runBySocket, options: { websocket: false },
    tone: 'bad', facts: 'No WebSocket, # ms', sentence: undefined,
    result: { errors: [{ message: /^There is no WebSocket/ }] } },
  { name: 'introspection that is off', query: '{ hello }', act: doNothing, options: { introspection: false },
    tone: 'neutral', facts: 'Introspection is off', sentence: undefined,
    result: { errors: [{ message: /^This server has introspection off/ }] } },
  { name: 'a result where introspection is off', query: '{ hello }', act: runTwice, options: { introspection: false },
    tone: 'good', facts: '200 OK, application/graphql-response+json, # ms, # bytes', sentence: 'SC-4',
    result: { data: { hello: 'Hello you' } } },
  { name: 'an operation that is stopped before its response', query: '{ slow }', act: stopAt('Waiting'),
    tone: 'neutral', facts: 'Stopped, # ms', sentence: undefined, result: undefined },
  { name: 'a server that is down', query: '{ hello }', act: runWithoutServer,
    tone: 'bad', facts: 'No response, # ms', sentence: undefined,
    result: { errors: [{ message: /^The server could not be reached/ }] } },
]

async function expectState(t: Test, tab: Tab, { name, tone, facts, sentence, result }: State) {
  const shown = `[...document.querySelectorAll('.facts > *')].map((one) => one.textContent).join(', ').replace(/[\\d.]+ (m?s|bytes|kB)/g, '# $1').replaceAll('# s', '# ms').replaceAll('# kB', '# bytes')`
  await tab.until(`${shown} === ${JSON.stringify(facts)}`).catch(() => {})
  t.equal(await tab.evaluate(shown), facts)
  t.equal(await tab.evaluate(`document.querySelector('.facts strong').className`), tone)
  const cited = await tab.evaluate(
    `document.querySelector('.sentence a')?.textContent.split(',')[0]`,
  )
  t.equal(cited, sentence)
  const text = await tab.evaluate<string>(textOf('response'))
  t.match(text === '' ? undefined : (JSON.parse(text) as unknown), result)
  t.notMatch(text, '"stack"')
  await picture(tab, `status-${name}`)
}

for (const state of states) {
  const { name, options, query, act } = state
  void t.test(`the status line of ${name}`, { skip }, (t) =>
    withIde(t, { schema, ...options }, async (tab, { url, close }) => {
      await openIde(tab, url, query)
      await act(tab, close)
      await expectState(t, tab, state)
      // The editor may load its workers after the server has ended.
      if (act === runWithoutServer) tab.log.faults.length = 0
    }),
  )
}
