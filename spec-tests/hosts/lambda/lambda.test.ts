import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { buildSchema, createHandler, fieldValue, type RequestHead } from '../../../src/index.js'
import { toLambda, type LambdaEvent, type LambdaRequest } from '../../../src/hosts/lambda/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import { linesOf, valueOf, type HostRequest } from '../exchange.js'
import { failureRows, methodRows, textRows } from '../rows.js'
import { without17 } from '../../incremental/client.js'
import { thrower } from '../../base/thrower.js'
import { bothCookies, checkAnswer } from '../shared-suite.js'
import { createTestedHandler } from '../tested-handler.js'
import { gateways } from './gateways.js'

const json = { accept: 'application/json' }

for (const [name, { toEvent, toResponse }] of Object.entries(gateways)) {
  void t.test(name, async (t) => {
    const answer = toLambda(createTestedHandler().handler)
    const ask = async (request: HostRequest) => toResponse(await answer(toEvent(request)))
    for (const row of [...methodRows, ...textRows, ...failureRows]) {
      // A REST API decodes parameters before the function sees them.
      if (row[3]?.needs === 'raw-target') continue
      await t.test(row[0], async (t) => checkAnswer(t, await ask(row[1]), row))
    }

    const head = await ask({ method: 'HEAD', query: '?query={later(text:"hi")}' })
    t.equal(head.status, 200)
    t.equal(head.body.byteLength, 0, 'HEAD has no body')
    t.equal(valueOf(head, 'content-length'), '23', 'and the length of GET')

    const baked = await ask({ query: '?query={cookies}' })
    t.same(linesOf(baked, 'set-cookie'), bothCookies)
    const lines = await ask({ query: '?query={lines}' })
    t.equal(valueOf(lines, 'content-language'), 'de, en')

    const plain = toEvent({ body: '{}' })
    const body = '{"query":"{ echo(text: \\"Zoë\\") }"}'
    const text = await answer({ ...plain, body, isBase64Encoded: false })
    t.equal(toResponse(text).body.toString(), '{"data":{"echo":"Zoë"}}', 'a body that is no base64')
  })

  void t.test(`${name}: what the handler sees`, async (t) => {
    const heads: RequestHead<LambdaRequest>[] = []
    let client: string | undefined
    const handler = createHandler<LambdaRequest>({
      schema: buildSchema('type Query { a: String }'),
      path: '/graphql',
      context({ head, client: given }) {
        heads.push(head)
        client = given
      },
    })
    const context = { getRemainingTimeInMillis: () => 1_000 }
    const event = toEvent({
      query: '?query={a}&extensions=%7B%22a%22%3A%22%26%2B%22%7D',
      headers: { ...json, cookie: 'one=1; two=2', 'x-id': '7' },
    })
    t.equal((await toLambda(handler)(event, context)).statusCode, 200)
    const [head] = heads
    const escaped = name === 'a REST API' ? '?query=%7Ba%7D' : '?query={a}'
    t.equal(head?.target, `/graphql${escaped}&extensions=%7B%22a%22%3A%22%26%2B%22%7D`)
    const hasStage = name === 'a REST API' || name === 'an HTTP API with a stage'
    t.equal(head?.originalTarget, hasStage ? `/prod${head?.target}` : undefined)
    const field = (of: string) => fieldValue(head?.headers ?? [], of)
    t.same(['cookie', 'x-id', 'host'].map(field), ['one=1; two=2', '7', 'api.example'])
    t.equal(head?.raw.event, event)
    t.equal(head?.raw.context, context)
    const isBalancer = name.includes('balancer')
    t.equal(client, isBalancer ? undefined : '192.0.2.1')
  })
}

void t.test('a load balancer gets the phrase of a status', async (t) => {
  const { toEvent } = gateways['a load balancer']
  const answer = toLambda(createTestedHandler().handler)
  for (const [query, statusDescription] of [
    ['{__typename}', '200 OK'],
    ['{fail}', '294 Partial Success'],
    ['{nope}', '422 Unprocessable Content'],
  ] as const) {
    t.match(await answer(toEvent({ query: `?query=${query}` })), { statusDescription })
  }
})

void t.test('half a character in a parameter is an invalid one', async (t) => {
  const { toEvent } = gateways['a REST API']
  const event = { ...toEvent({}), queryStringParameters: null }
  const multiValueQueryStringParameters = { query: ['{__typename} #\ud800'] }
  const answer = toLambda(createTestedHandler().handler)
  t.equal((await answer({ ...event, multiValueQueryStringParameters })).statusCode, 200)
})

void t.test('several lines of a header arrive as several', async (t) => {
  const handler = createHandler({ schema: buildSchema('type Query { a: String }') })
  const { toEvent } = gateways['a REST API']
  const event = toEvent({ body: '{"query":"{ a }"}' })
  const multiValueHeaders = { 'Content-Type': ['application/json', 'text/plain'] }
  const twice = { ...event, multiValueHeaders } as LambdaEvent
  t.equal((await toLambda(handler)(twice)).statusCode, 415)
})

void t.test('a stream is gathered, and ended when the time is up', async (t) => {
  const answer = toLambda(createHandler({ schema: createStandardSchema() }))
  const { toEvent } = gateways['an HTTP API']
  const headers = { accept: 'text/event-stream' }
  const ask = (field: string, remaining = 10_000) => {
    const event = toEvent({ query: `?query=subscription{${field}}`, headers })
    return answer(event, { getRemainingTimeInMillis: () => remaining })
  }
  const over = await ask('countdown(from:1)')
  t.equal(over.statusCode, 200)
  t.match(over.body, /"countdown":1[^]*"countdown":0[^]*event: complete/)
  const begun = performance.now()
  const open = await ask('countdown(from:100,delay:100)', 700)
  t.ok(performance.now() - begun < 5_000)
  t.match(open.body, /"countdown":100/)
  t.notMatch(open.body, /event: complete/, 'so that the client connects again')
  const flood = await ask('flood(bytes:100000)')
  t.ok(flood.body.length < 3 * 1024 * 1024, `${flood.body.length} characters`)
  const silent = { method: 'HEAD', query: '?query=subscription{silent}', headers }
  t.equal((await answer(toEvent(silent))).body, '')
})

const partsSchema = buildSchema('type Query { a: Int  many: [String]  never: Int }', {
  Query: {
    a: () => 1,
    async *many() {
      for (;;) yield pause(1, 'x'.repeat(100_000))
    },
    never: () => new Promise(() => {}),
  },
})

// oxfmt-ignore
const parts: readonly [says: string, query: string, accept: string, end: RegExp][] = [
  ['late',            '{ a ... @defer { never } }', 'multipart/mixed',   /"data":\{"a":1\}.*"hasNext":true\}\r\n---$/],
  ['late, as events', '{ a ... @defer { never } }', 'text/event-stream', /"data":\{"a":1\}.*"hasNext":true\}\n\n$/],
  ['late, as lines',  '{ a ... @defer { never } }', 'application/jsonl', /"data":\{"a":1\}.*"hasNext":true\}\n$/],
  ['long',            '{ many @stream }',           'multipart/mixed',   /"hasNext":true\}[^]*x"\]\}\]\}\r\n---$/],
]

for (const [says, query, accept, end] of parts) {
  void t.test(`a result in parts that is too ${says} is cut`, { skip: without17 }, async (t) => {
    const causes: string[] = []
    const onStreamEnd = ({ cause }: { readonly cause: string }): void => void causes.push(cause)
    const answer = toLambda(createHandler({ schema: partsSchema, onStreamEnd }))
    const { toEvent } = gateways['an HTTP API']
    const headers = { accept, 'content-type': 'application/json' }
    const event = toEvent({ headers, body: JSON.stringify({ query }) })
    const begun = performance.now()
    const { statusCode, body } = await answer(event, { getRemainingTimeInMillis: () => 700 })
    t.ok(performance.now() - begun < 5_000)
    t.equal(statusCode, 200)
    t.match(body.slice(0, 200) + body.slice(-200), end)
    t.ok(body.length < 3 * 1024 * 1024, `${body.length} characters`)
    t.strictSame(causes, ['client-gone'])
  })
}

void t.test('a stream that cannot be opened is a bug, once', async (t) => {
  const bugs: unknown[] = []
  const open = thrower(new Error('not open'))
  const body = { open, discard: () => undefined }
  const answer = toLambda(() => ({ status: 200, headers: [], body }), {
    onBug: (bug) => bugs.push(bug),
  })
  const [gateway] = Object.values(gateways)
  const context = { getRemainingTimeInMillis: () => 0 }
  t.match(await answer(gateway!.toEvent({ query: '' }), context), { statusCode: 500 })
  await pause(5)
  t.match(bugs, [{ message: 'not open' }])
})

void t.test('a bug is masked and reported; what is no request is refused', async (t) => {
  const bugs: unknown[] = []
  const onBug = (bug: unknown, details: object): void => void bugs.push([String(bug), details])
  const broken = thrower(new Error('secret'))
  const { toEvent } = gateways['an HTTP API']
  const answer = toLambda(broken, { onBug, createId: () => 'id-1' })
  const result = await answer(toEvent({}))
  t.equal(result.statusCode, 500)
  t.notMatch(result.body, 'secret')
  t.same(bugs, [['Error: secret', { id: 'id-1' }]])
  for (const event of [{ Records: [] }, {}, null, 'text', { rawPath: '/', version: '2.0' }]) {
    await t.rejects(answer(event as LambdaEvent), /toLambda: this event is not an HTTP request/)
  }
  t.throws(() => toLambda(broken, { onBgu: onBug } as object), /Did you mean "onBug"/)
})
