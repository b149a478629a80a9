import { dirname } from 'node:path'
import t, { type Test } from 'tap'
import { jsonOf } from '../../hosts/exchange.js'
import { http1Client } from '../../hosts/http1-client.js'
import { skip } from '../installed.js'
import { checkExample, startRuntime } from '../runtimes/runtime.js'
import { bundle } from './bundle.js'

/** Starts an example with the installed packages. */
async function start(t: Test, example: string): Promise<string> {
  const file = await bundle(`examples/${example}`, `dist/${dirname(example)}.mjs`)
  return (await startRuntime(t, [process.execPath, file])).url
}

void t.test('NestJS with the driver of @graphwire/nest', { skip }, async (t) => {
  const endpoint = await start(t, 'nest/server.ts')
  await checkExample(t, endpoint)
  const mutation = await http1Client(endpoint)({ body: '{"query":"mutation { count }"}' })
  t.same(jsonOf(mutation), { data: { count: 1 } })
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
  const ask = (...representations: object[]) =>
    send({ body: JSON.stringify({ query, variables: { representations } }) })
  const known = await ask(...['2', '1', '3'].map((id) => ({ __typename: 'Person', id })))
  t.equal(known.status, 200)
  const [grace, ada] = ['Grace', 'Ada'].map((name) => ({ name, __typename: 'Person' }))
  t.same(jsonOf(known), { data: { _entities: [grace, ada, null] } })
  const refused = await ask({ __typename: 'Nothing', id: '1' })
  t.equal(refused.status, 294)
  t.same((jsonOf(refused) as { data: unknown }).data, null)
})
