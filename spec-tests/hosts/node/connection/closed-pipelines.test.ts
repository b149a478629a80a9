import t from 'tap'
import { createHandler, createRestHandler, buildSchema } from '../../../../src/index.js'
import { listen, toNodeListener } from '../../../../src/hosts/node/index.js'
import { rawClient } from '../../raw-client.js'

const much = 100_000

interface Row {
  readonly name: string
  /** The first line of the request whose body is not read, and the headers behind it. */
  readonly head: string
  readonly status: number
}

// oxfmt-ignore
const rows: readonly Row[] = [
  { name: 'another listener',              head: 'POST /other HTTP/1.1\r\nHost: x',                      status: 404 },
  { name: 'the same listener',             head: 'POST /graphql/x HTTP/1.1\r\nHost: x',                  status: 404 },
  { name: 'a probe',                       head: 'GET /livez HTTP/1.1\r\nHost: x',                       status: 200 },
  { name: 'a probe that refuses',          head: 'POST /readyz HTTP/1.1\r\nHost: x',                     status: 405 },
  { name: 'the check of the head',         head: 'GET /graphql HTTP/1.1',                                status: 400 },
  { name: 'the refusal of an expectation', head: 'POST /graphql HTTP/1.1\r\nHost: x\r\nExpect: strange', status: 417 },
]

for (const { name, head, status } of rows) {
  void t.test(`nothing runs behind the last answer, which is that of ${name}`, async (t) => {
    let runs = 0
    const schema = buildSchema('type Query { a: Int }  type Mutation { count: Int }', {
      Mutation: { count: () => (runs += 1) },
    })
    const graphql = toNodeListener(createHandler({ schema, path: '/graphql' }))
    const rest = toNodeListener(
      createRestHandler({ schema, routes: [{ method: 'GET', path: '/a', operation: '{ a }' }] }),
    )
    const server = await listen(
      (incoming, outgoing) => {
        const isGraphQL = incoming.url?.startsWith('/graphql') === true
        return (isGraphQL ? graphql : rest)(incoming, outgoing)
      },
      { port: 0, livePath: '/livez', readyPath: '/readyz' },
    )
    const client = await rawClient(server.port)
    t.teardown(async () => {
      client.socket.destroy()
      await server.close({ grace: 0 })
    })
    client.write(`${head}\r\nContent-Length: ${much}\r\n\r\n`)
    t.match(await client.next(), { status })
    const body = '{"query":"mutation { count }"}'
    client.write(Buffer.alloc(much))
    client.write(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    t.equal(await client.next(), undefined)
    t.equal(runs, 0)
  })
}
