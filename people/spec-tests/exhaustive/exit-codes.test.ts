import { closeSync, openSync } from 'node:fs'
import { createServer } from 'node:net'
import t from 'tap'
import { exitCodes, type Flag } from '../../command-line.js'
import { settingTable } from '../../settings.js'
import { listen } from './access/services.js'
import { runToEnd } from './service-process.js'
import { production } from './service/started.js'

const memory = ['--port', '0', '--db', ':memory:'] as const

t.test('--help lists every setting and every exit code', async (t) => {
  const { code, out, err } = await runToEnd(['--help'])
  t.equal(code, 0)
  t.equal(err, '')
  for (const { flag, env = '' } of Object.values<Flag<unknown>>(settingTable)) {
    t.ok(out.includes(env), env)
    if (flag !== undefined) t.match(out, new RegExp(`--(\\[no-\\])?${flag} `))
  }
  for (const exit of Object.values(exitCodes)) {
    t.match(out, new RegExp(`^  ${exit.code} +${exit.meaning}$`, 'm'))
  }
})

t.test('--version prints the version of the package', async (t) => {
  const { code, out, err } = await runToEnd(['--version'])
  t.match({ code, err }, { code: 0, err: '' })
  t.match(out, /^people \d+\.\d+\.\d+\n$/)
})

t.test('wrong words end with 2', async (t) => {
  const { code, out, err } = await runToEnd(['--port', 'x'])
  t.match({ code, out }, { code: 2, out: '' })
  t.match(err, /^people: --port: expected a whole number .*\.\nRun with --help for usage/)
  t.match(await runToEnd([], { env: { AUTH: 'no' } }), { code: 2, err: /^people: AUTH: expected/ })
})

t.test('what cannot be printed ends with 2', async (t) => {
  const full = openSync('/dev/full', 'w')
  t.teardown(() => closeSync(full))
  const db = t.testdir({}) + '/people.db'
  const lost = { code: 2, err: /^people: cannot write to stdout: ENOSPC/m }
  for (const words of ['--help', 'keys create --name new --scope read']) {
    t.match(await runToEnd([...words.split(' '), '--db', db], { stdout: full }), lost, words)
  }
})

t.test('a database that cannot be used ends with 3, and its password is not shown', async (t) => {
  // oxfmt-ignore
  const rows: [database: string, says: RegExp][] = [
    ['/dev/null',                                 /\/dev\/null: it is not a regular file/],
    ['postgres://root:hid@t/hidden@h/x',          /its URL has an @ after the host/],
    ['postgres://nobody:hidden@127.0.0.1:1/none', /Cannot open .*127\.0\.0\.1:1\/none: .*REFUSED/],
  ]
  for (const [database, says] of rows) {
    for (const words of ['--port 0', 'keys list']) {
      const { code, err } = await runToEnd([...words.split(' '), '--db', database])
      t.equal(code, exitCodes.configuration.code, database)
      t.match(err, says)
      t.notMatch(err, /hidden|bug|\n {4}at /)
    }
  }
})

t.test('settings that cannot be meant end with 3', async (t) => {
  // oxfmt-ignore
  const rows: [env: { readonly [name: string]: string }, says: RegExp][] = [
    [{ NODE_ENV: 'production' },            /^people: JWT_KEY must be set in production/],
    [{ ...production, JWT_KEY: 'hidden!' }, /^people: JWT_KEY must be base64url/],
    [{ JWT_KEY: '{"kty":"hidden"}' },       /^people: JWT_KEY looks like a JWK, but is not a private Ed25519 key/],
  ]
  for (const [env, says] of rows) {
    const { code, err } = await runToEnd(memory, { env })
    t.equal(code, exitCodes.configuration.code)
    t.match(err, says)
    t.notMatch(err, 'hidden')
  }
})

t.test('an address that is not ours ends with 3', async (t) => {
  const ended = await runToEnd([...memory, '--host', '203.0.113.7'])
  t.match(ended, { code: 3, err: /^people: cannot listen on 203\.0\.113\.7:0: /m })
})

t.test('a port in use ends with 4', async (t) => {
  const taken = createServer()
  const port = await listen(taken)
  t.teardown(() => taken.close())
  const args = ['--db', ':memory:', '--host', '127.0.0.1', '--port', String(port)]
  const err = new RegExp(`^people: port ${port} of 127.0.0.1 is in use: `, 'm')
  t.match(await runToEnd(args), { code: 4, err })
})
