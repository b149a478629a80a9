import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import t, { type Test } from 'tap'
import { start } from '../service/started.js'
import type { Json } from '../../schema/serve-schema.js'

/** A request whose answer must be one that the API description tells of. */
interface Row {
  readonly line: string
  readonly status: number
  readonly body?: Json
  readonly headers?: { readonly [name: string]: string }
}

const patch = { 'Content-Type': 'application/merge-patch+json' }
const as = (method: string) => ({ 'X-HTTP-Method-Override': method })
const keyed = { 'Idempotency-Key': '"one"' }
const eve = { name: 'Eve', age: 36, email: 'eve@example.com', address: { city: 'Bath' } }

const rows: readonly Row[] = [
  { line: 'GET /people', status: 200 },
  { line: 'HEAD /people?limit=5&after=5', status: 200 },
  { line: 'GET /people', status: 304, headers: { 'If-None-Match': '*' } },
  { line: 'GET /people', status: 400, headers: { 'If-Match': 'x' } },
  { line: 'GET /people', status: 401, headers: { 'X-API-Key': 'gw_no' } },
  { line: 'GET /people', status: 406, headers: { Accept: 'text/html' } },
  { line: 'GET /people', status: 412, headers: { 'If-Match': '"x"' } },
  { line: 'GET /people?limit=x&y=', status: 422 },
  { line: 'GET /person/1', status: 200 },
  { line: 'GET /person/x', status: 404 },
  { line: 'GET /person/%ff', status: 400 },
  { line: 'POST /person', status: 201, body: eve },
  { line: 'POST /person', status: 200, body: { id: '2', age: null, address: null } },
  { line: 'POST /person', status: 404, body: { id: 'x' } },
  { line: 'POST /person', status: 412, body: { id: '2' }, headers: { 'If-Match': '"9"' } },
  { line: 'POST /person', status: 400, body: eve, headers: { 'If-Match': '"1"' } },
  { line: 'POST /person', status: 401, body: eve, headers: { 'X-API-Key': 'gw_no' } },
  { line: 'POST /person', status: 405, body: eve, headers: as('DELETE') },
  { line: 'POST /person', status: 413, body: { name: 'x'.repeat(2 ** 20) } },
  { line: 'POST /person', status: 415, body: eve, headers: { 'Content-Type': 'text/plain' } },
  { line: 'POST /person', status: 422, body: { name: '', friends: [] } },
  { line: 'POST /person', status: 201, body: eve, headers: keyed },
  { line: 'POST /person', status: 201, body: eve, headers: keyed },
  { line: 'POST /person', status: 422, body: {}, headers: keyed },
  { line: 'POST /message', status: 422, body: { to: '6', text: 'Hi' }, headers: keyed },
  { line: 'POST /person', status: 400, body: eve, headers: { 'Idempotency-Key': 'a,b' } },
  { line: 'PUT /person', status: 200, body: { id: '3', ...eve } },
  { line: 'PUT /person/3', status: 200, body: { name: 'Eve' } },
  { line: 'PUT /person/3', status: 409, body: { id: '4', name: 'Eve' } },
  { line: 'PUT /person/3', status: 412, body: eve, headers: { 'If-Match': '"99"' } },
  { line: 'PUT /person/3', status: 422, body: {} },
  { line: 'PATCH /person/4', status: 200, body: { address: { city: null } }, headers: patch },
  { line: 'PATCH /person/4', status: 422, body: { name: null, address: { city: '' } } },
  { line: 'POST /person/4', status: 200, body: { age: 1 }, headers: { ...patch, ...as('PATCH') } },
  { line: 'POST /person/4', status: 200, body: eve, headers: as('PUT') },
  { line: 'POST /person/4', status: 200, headers: as('DELETE') },
  { line: 'POST /person/5', status: 400, headers: as('X') },
  { line: 'POST /person/5', status: 405 },
  { line: 'DELETE /person/5', status: 412, headers: { 'If-Match': 'W/"1"' } },
  { line: 'DELETE /person/5', status: 200 },
  { line: 'POST /message', status: 201, body: { to: '6', text: 'Hi' } },
  { line: 'POST /message', status: 404, body: { to: '5', text: 'Hi' } },
  { line: 'POST /message', status: 422, body: { to: '6', text: '' } },
  { line: 'GET /message/1', status: 200 },
  { line: 'GET /message/9', status: 404 },
]

/** What stands in the headers of every answer, or of none that routes make. */
const general =
  /^(?:cache-control|connection|content-length|content-type|date|keep-alive|ratelimit.*|vary|x-.*)$/
/** What is told of content, and not of the operation. */
const ofContent = /^accept(?:-.*)?$/

interface Described {
  readonly operation: Json
  readonly document: Json
}

function find(document: Json, line: string): Described {
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
  if (told === undefined) return void t.fail(`${answer.status} is not told`)
  const text = await answer.text()
  const [type = ''] = (answer.headers.get('content-type') ?? '').split(';')
  if (text !== '') checkSchema(t, described, told.content[type].schema, JSON.parse(text))
  const names = new Set(Object.keys(told.headers ?? {}).map((name) => name.toLowerCase()))
  const others = [...answer.headers.keys()].filter((name) => !names.has(name))
  t.strictSame(
    others.filter((name) => !general.test(name) && !ofContent.test(name)),
    [],
  )
}

void t.test('every response of the service is in its API description', async (t) => {
  const service = await start(t)
  const document = await (await service.ask('/openapi.json')).json()
  for (const { line, status, body, headers } of rows) {
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
