import { fileURLToPath } from 'node:url'
import t from 'tap'
import { startGroup, startTarget } from '../../../../src/cli/conform/start-target.js'
import { start } from '../binary.js'
import { say } from '../../../cli/say.js'
import { findPort, serveGood } from './conform-target.js'

const main = fileURLToPath(new URL('../../../../src/cli/main.js', import.meta.url))
const node = `"${process.execPath}"`
const quick = ['--case', 'get.mutation.refused']
const { signal } = new AbortController()

async function isUp(url: string): Promise<boolean> {
  return (await Promise.allSettled([fetch(url)]))[0].status === 'fulfilled'
}

void t.test('--start serves, is tested, and is stopped with all that it started', async (t) => {
  const port = await findPort()
  const url = `http://127.0.0.1:${port}/graphql`
  // The shell stays between, as it does for many a command.
  const command = `${node} "${main}" serve --standard --host 127.0.0.1 --port ${port}; exit 7`
  const before = process.listenerCount('SIGINT')
  const { code, out, err } = await say(['conform', url, ...quick, '--start', command])
  t.equal(code, 0, err)
  t.match(out, 'get  1 pass')
  t.notMatch(err, 'listening on')
  t.notOk(await isUp(url))
  t.equal(process.listenerCount('SIGINT'), before, 'and no signal is waited for any more')
  const verbose = await say(['conform', url, ...quick, '--verbose', '--start', command])
  t.match(verbose, { code: 0, err: `listening on ${url}` })
})

void t.test('a target that ends before it listens is quoted, with exit code 2', async (t) => {
  const url = `http://127.0.0.1:${await findPort()}/`
  const said = await say(['conform', url, '--start', 'echo no such luck; exit 3'])
  const err = `exited with code 3 before ${url} accepted connections. It printed:\nno such luck`
  t.match(said, { code: 2, out: /^$/, err })
})

void t.test('a target that never listens is given up and stopped', async (t) => {
  const url = `http://127.0.0.1:${await findPort()}/`
  const options = { command: 'sleep 60', url, onOutput: () => {}, signal, limitMs: 100 }
  const message = /did not accept connections .* It printed nothing\.$/
  await t.rejects(startTarget(options), { kind: 'usage', message })
})

void t.test('a signal before the target has been started is not lost', async (t) => {
  const url = `http://127.0.0.1:${await findPort()}/`
  const early = new AbortController()
  const options = { command: 'sleep 60', url, onOutput: () => {}, signal: early.signal }
  const starting = startTarget({ ...options, limitMs: 5_000 })
  early.abort()
  t.equal(await starting, 'interrupted')
  t.equal(await startTarget(options), 'interrupted')
})

void t.test('a server that is there already is not mistaken for the target', async (t) => {
  const url = await serveGood(t)
  const err = `A server is already running at ${url}, and --start would test that one: stop it first.`
  t.match(await say(['conform', url, '--start', 'sleep 60']), { code: 2, err })
})

void t.test('a target that ends during the run is reported, the report printed', async (t) => {
  const port = await findPort()
  const url = `http://127.0.0.1:${port}/`
  // A busy machine may take its time between the closed port and the exit. The port is closed first:
  // the run ends with the connection, and a target that still listens then has not ended.
  const server = `const server = require("net").createServer((s) => {
    s.on("error", () => {}).once("data", () => {
      console.log("I fall")
      server.close()
      s.destroy()
      setTimeout(() => process.exit(9), 1500)
    })
  }).listen(${port}, "127.0.0.1")`
  const words = ['conform', url, ...quick, '--timeout=1000']
  const { out, err } = await say([...words, '--start', `${node} -e '${server}'`])
  t.match(err, 'graphwire: the target exited with code 9. It printed:\nI fall')
  t.match(out, 'get  1 skip')
})

void t.test('a signal stops the target, with exit code 130', async (t) => {
  const port = await findPort()
  const url = `http://127.0.0.1:${port}/`
  const silence = `require("net").createServer((s) => {
    s.once("data", () => console.log("has a request")).on("error", () => {})
  }).listen(${port}, "127.0.0.1")`
  const running = start(['conform', url, '--verbose', '--start', `${node} -e '${silence}'`])
  await running.line(/^has a request$/)
  running.child.kill('SIGINT')
  t.match(await running.ended, { code: 130, stderr: 'graphwire: interrupted' })
  t.notOk(await isUp(url))
})

void t.test('a target that does not listen to SIGTERM is ended by force', async (t) => {
  let output = ''
  const command = `trap "" TERM; echo ready; while true; do sleep 1; done`
  const group = startGroup(command, (text) => (output += text), 50)
  while (!output.includes('ready')) await new Promise((resolve) => setTimeout(resolve, 10))
  await group.stop()
  t.equal(await group.ended, 'exited with SIGKILL')
})
