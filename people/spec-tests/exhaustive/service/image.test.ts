import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { parse } from 'yaml'
import { settingTable } from '../../../settings.js'
import type { Flag } from '../../../command-line.js'
import type { Json } from '../../schema/serve-schema.js'
import { startProcess } from '../service-process.js'
import { runDockerfile } from './run-dockerfile.js'
import { jwtKey } from './started.js'

const context = fileURLToPath(new URL('../../../../../', import.meta.url))
const dockerfile = readFileSync(join(context, 'people/Dockerfile'), 'utf8')
const settings = Object.values<Flag<unknown>>(settingTable)
const variables = new Set(['NODE_ENV', ...settings.map(({ env }) => env)])

t.test('the steps of the Dockerfile make a service that runs', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'people-image-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const { folder: app, words } = await runDockerfile(dockerfile, context, folder)
  t.equal(words.get('USER'), 'node', 'not root')
  const pairs = words.get('ENV')?.split(' ') ?? []
  const env = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
  for (const name of Object.keys(env)) t.ok(variables.has(name), `${name} is a setting`)
  for (const absent of ['node_modules/typescript', 'node_modules/tap', 'people/dist/spec-tests']) {
    t.notOk(existsSync(join(app, absent)), absent)
  }
  const [program, script = '', ...args] = JSON.parse(words.get('CMD') ?? '') as string[]
  t.equal(program, 'node')
  const service = await startProcess(args, {
    cwd: app,
    script: join(app, script),
    // Hooks of the test's own process belong to another installation.
    env: { ...env, PORT: '0', JWT_KEY: jwtKey, NODE_OPTIONS: '' },
  })
  t.teardown(() => service.kill())
  t.match(service.origin, /^http:\/\/0\.0\.0\.0:\d+$/)
  const { port } = new URL(service.origin)
  const own = `http://localhost:${port}`
  t.same(await (await fetch(`${own}/people`)).json(), [])
  t.match(await (await fetch(`${own}/openapi.json`)).json(), { openapi: /^3\.1/ })
  t.ok(existsSync(join(app, 'data/people.db')), 'the folder of the volume')

  const check = (at: string) => {
    const [, ...code] = JSON.parse(words.get('HEALTHCHECK')?.slice('CMD '.length) ?? '') as string[]
    return promisify(execFile)(process.execPath, code, { env: { PORT: at } })
  }
  await check(port)
  await t.rejects(check('1'), { code: 1 })
  t.equal(await service.stop(), 0)
})

t.test('compose.yaml sets what can be set', async (t) => {
  const text = readFileSync(join(context, 'people/compose.yaml'), 'utf8')
  // As compose does: a variable is a text.
  const { services }: Json = parse(text, { schema: 'failsafe' })
  const { people, balancer } = services
  for (const [name, value] of Object.entries<string>(people.environment)) {
    t.ok(variables.has(name), `${name} is a setting`)
    const setting = settings.find(({ env }) => env === name)
    t.not(setting?.read(value), undefined, `${name}=${value}`)
  }
  t.ok(people.environment.JWT_KEY.startsWith('${JWT_KEY:?'), 'each deployment makes its own')
  t.equal(people.build.dockerfile, 'people/Dockerfile')
  for (const name of Object.keys(people.depends_on)) t.ok(services[name], name)
  for (const url of ['DATABASE_URL', 'REDIS_URL']) {
    const { hostname } = new URL(people.environment[url])
    t.ok(services[hostname], `${hostname} is a service`)
  }
  const [mount] = balancer.volumes
  const config = readFileSync(join(context, 'people', mount.split(':', 1)[0]), 'utf8')
  const published = /^(\d+):(\d+)$/.exec(balancer.ports[0])
  t.match(config, `listen ${published?.[2]};`)
  t.match(config, 'server people:4000 ', 'the port of the image')
  t.match(dockerfile, /^EXPOSE 4000$/m)
})
