import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import { start } from '../service/started.js'
import type { Json } from '../../schema/serve-schema.js'

const patch = { 'Content-Type': 'application/merge-patch+json' }
const as = (method: string) => ({ 'X-HTTP-Method-Override': method })
const keyed = { 'Idempotency-Key': '"one"' }
const eve = { name: 'Eve', age: 36, email: 'eve@example.com', address: { city: 'Bath' } }

/** Requests whose responses must match the API description. */
// oxfmt-ignore
const rows: readonly [line: string, status: number, body?: Json, headers?: { readonly [name: string]: string }][] = [
  ['GET /people',                  200],
  ['HEAD /people?limit=5&after=5', 200],
  ['GET /people',                  304, undefined, { 'If-None-Match': '*' }],
  ['GET /people',                  400, undefined, { 'If-Match': 'x' }],
  ['GET /people',                  401, undefined, { 'X-API-Key': 'gw_no' }],
  ['GET /people',                  406, undefined, { Accept: 'text/csv' }],
  ['GET /people',                  412, undefined, { 'If-Match': '"x"' }],
  ['GET /people?limit=x&y=',       422],
  ['GET /person/1',                200],
  ['GET /person/x',                404],
  ['GET /person/%ff',              400],
  ['POST /person',                 201, eve],
  ['POST /person',                 200, { id: '2', age: null, address: null }],
  ['POST /person',                 404, { id: 'x' }],
  ['POST /person',                 412, { id: '2' }, { 'If-Match': '"9"' }],
  ['POST /person',                 400, eve, { 'If-Match': '"1"' }],
  ['POST /person',                 401, eve, { 'X-API-Key': 'gw_no' }],
  ['POST /person',                 405, eve, as('DELETE')],
  ['POST /person',                 413, { name: 'x'.repeat(2 ** 20) }],
  ['POST /person',                 415, eve, { 'Content-Type': 'text/plain' }],
  ['POST /person',                 422, { name: '', friends: [] }],
  ['POST /person',                 201, eve, keyed],
  ['POST /person',                 201, eve, keyed],
  ['POST /person',                 422, {}, keyed],
  ['POST /message',                422, { to: '6', text: 'Hi' }, keyed],
  ['POST /person',                 400, eve, { 'Idempotency-Key': 'a,b' }],
  ['PUT /person',                  200, { id: '3', ...eve }],
  ['PUT /person',                  422, { name: 'Eve' }],
  ['PUT /person/3',                200, { name: 'Eve' }],
  ['PUT /person/3',                409, { id: '4', name: 'Eve' }],
  ['PUT /person/3',                412, eve, { 'If-Match': '"99"' }],
  ['PUT /person/3',                422, {}],
  ['PATCH /person/4',              200, { address: { city: null } }, patch],
  ['PATCH /person/4',              422, { name: null, address: { city: '' } }],
  ['POST /person/4',               200, { age: 1 }, { ...patch, ...as('PATCH') }],
  ['POST /person/4',               200, eve, as('PUT')],
  ['POST /person/4',               200, undefined, as('DELETE')],
  ['POST /person/5',               400, undefined, as('X')],
  ['POST /person/5',               405],
  ['DELETE /person/5',             412, undefined, { 'If-Match': 'W/"1"' }],
  ['DELETE /person/5',             200],
  ['POST /message',                201, { to: '6', text: 'Hi' }],
  ['POST /message',                404, { to: '5', text: 'Hi' }],
  ['POST /message',                422, { to: '6', text: '' }],
  ['GET /message/1',               200],
  ['GET /message/9',               404],
]

/** Headers of every response, of responses that routes do not make, and of `Idempotency-Key`. */
const general =
  /^(?:cache-control|connection|content-length|content-type|date|idempotency-replayed|keep-alive|ratelimit.*|vary|x-.*)$/
/** Headers about content, not about the operation. */
const ofContent = /^accept(?:-.*)?$/

type Described = ReturnType<typeof find>

function find(document: Json, line: string) {
  const [method = '', target = ''] = line.split(' ')
  const path = target.replace(/\?.*/, '').replace(/^\/(person|message)\/.*/, '/$1/{id}')
  return { operation: document.paths[path][method.toLowerCase()], document }
}

function resolve(document: Json, node: Json): Json {
  if (node?.$ref === undefined) return node
  const names: readonly string[] = node.$ref.slice(2).split('/')
  return names.reduce((found, name) => found[name], document)
}

function checkSchema(t: Test, { document }: Described, schema: Json, value: Json): void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  const isValid = ajv.compile({ ...schema, components: document.components })
  isValid(value)
  t.equal(isValid.errors, null)
}

async function checkResponse(t: Test, described: Described, answer: Response): Promise<void> {
  const told = resolve(described.document, described.operation.responses[answer.status])
  if (told === undefined) return void t.fail(`${answer.status} is not described`)
  const text = await answer.text()
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';')
  if (text !== '') checkSchema(t, described, told.content[type].schema, JSON.parse(text))
  const names = new Set(Object.keys(told.headers ?? {}).map((name) => name.toLowerCase()))
  for (const name of answer.headers.keys()) {
    t.ok(names.has(name) || general.test(name) || ofContent.test(name), name)
  }
}

void t.test('every response of the service is in its API description', async (t) => {
  const service = await start(t)
  const document = await (await service.ask('/openapi.json')).json()
  for (const [line, status, body, headers] of rows) {
    await t.test(`${line} ${status}`, async (t) => {
      const [method = '', target = ''] = line.split(' ')
      const answer = await service.send(method, target, body, headers)
      t.equal(answer.status, status)
      const described = find(document, line)
      await checkResponse(t, described, answer)
      if (status >= 300 || body === undefined) return
      const { schema } = described.operation.requestBody.content['application/json']
      checkSchema(t, described, schema, body)
    })
  }
})

void t.test('so is a 429', async (t) => {
  const service = await start(t, ['--rate-limit', '1'])
  const document = await (await service.ask('/openapi.json')).json()
  t.equal((await service.ask('/person/1')).status, 200)
  const limited = await service.ask('/person/1')
  t.equal(limited.status, 429)
  t.ok(limited.headers.has('retry-after'))
  await checkResponse(t, find(document, 'GET /person/1'), limited)
})

void t.test("redocly's recommended rules find nothing wrong with the description", async (t) => {
  const service = await start(t)
  const folder = t.testdir({ 'openapi.json': await (await service.ask('/openapi.json')).text() })
  const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'))
  const args = [redocly, 'lint', 'openapi.json', '--extends', 'recommended', '--format', 'json']
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const options = { cwd: folder, env: { ...process.env, ...quiet }, encoding: 'utf8' } as const
  const { stdout, stderr } = spawnSync(process.execPath, args, options)
  t.match(JSON.parse(stdout), { totals: { errors: 0, warnings: 0 } }, stdout + stderr)
})
