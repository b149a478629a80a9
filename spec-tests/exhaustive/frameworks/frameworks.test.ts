import { dirname } from 'node:path'
import t, { type Test } from 'tap'
import { jsonOf, valueOf } from '../../hosts/exchange.js'
import { http1Client } from '../../hosts/http1-client.js'
import { skip } from '../installed.js'
import { startRuntime } from '../runtimes/runtime.js'
import { bundle } from './bundle.js'

t.setTimeout(120_000)

/** Starts an example with the installed packages. */
async function start(t: Test, example: string): Promise<string> {
  const file = await bundle(`examples/${example}`, `${dirname(example)}.mjs`)
  return (await startRuntime(t, [process.execPath, file])).url
}

void t.test('NestJS with a driver of ours', { skip }, async (t) => {
  const endpoint = await start(t, 'nest/server.ts')
  const send = http1Client(endpoint)
  const query = { query: 'query($n: String) { hello(name: $n) }', variables: { n: 'Zoë' } }
  const hello = await send({ body: JSON.stringify(query) })
  t.equal(hello.status, 200)
  t.same(jsonOf(hello), { data: { hello: 'Hello, Zoë!' } })
  t.same(jsonOf(await send({ body: '{"query":"mutation { count }"}' })), { data: { count: 1 } })
  const mutation = await send({ query: '?query=mutation{count}' })
  t.equal(mutation.status, 405)
  t.equal(valueOf(mutation, 'allow'), 'POST, QUERY, OPTIONS')
  t.equal((await send({ body: '{"query":' })).status, 400)
  t.equal((await send({ body: '{"query":"{ nope }"}' })).status, 422)
  t.equal((await http1Client(`${endpoint}/deeper`)({ query: '?query={hello}' })).status, 404)
})

void t.test('a subgraph of Apollo Federation', { skip }, async (t) => {
  const send = http1Client(await start(t, 'federation/server.mjs'))
  const service = jsonOf(await send({ body: '{"query":"{ _service { sdl } }"}' }))
  t.match(service, {
    data: { _service: { sdl: /type Person @key\(fields: "id"\)|@key\(fields: "id"\)/ } },
  })
  // As a router asks for entities that another subgraph names.
  const query = `query($representations: [_Any!]!) {
    _entities(representations: $representations) { ... on Person { name } __typename }
  }`
  const representations = ['2', '1', '3'].map((id) => ({ __typename: 'Person', id }))
  const entities = await send({ body: JSON.stringify({ query, variables: { representations } }) })
  t.equal(entities.status, 200)
  t.same(jsonOf(entities), {
    data: {
      _entities: [
        { name: 'Grace', __typename: 'Person' },
        { name: 'Ada', __typename: 'Person' },
        null,
      ],
    },
  })
  const unknown = [{ __typename: 'Nothing', id: '1' }]
  const refused = await send({
    body: JSON.stringify({ query, variables: { representations: unknown } }),
  })
  t.equal(refused.status, 294)
  t.same((jsonOf(refused) as { data: unknown }).data, null)
})
