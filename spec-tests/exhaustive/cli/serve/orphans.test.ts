import { once } from 'node:events'
import t from 'tap'
import { ask, start, ways } from '../binary.js'

/** What npm is to the server that it starts: a process that passes no signal on. */
const parent = `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, process.argv.slice(1), { stdio: ['ignore', 2, 2] })
  process.stdout.write(child.pid + '\\n')
  setInterval(() => {}, 1000)`

/** Starts a server by a command of npm; an empty one is another parent. */
async function startBy(command: string, words: readonly string[]) {
  const env = { npm_command: command }
  const server = start(['serve', '--standard', '--port=0', ...words], { env, parent })
  const [pid] = (await once(server.child.stdout ?? server.child, 'data')) as [string]
  t.teardown(() => {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended, as it should.
    }
  })
  return { ...server, pid: Number(pid), leave: () => server.child.kill('SIGKILL') }
}

for (const command of ['exec', 'start']) {
  for (const [how, workers] of ways) {
    void t.test(`${how} ends after the npm ${command} that started it`, async (t) => {
      const { url: untilReady, leave, line, ended } = await startBy(command, workers)
      const url = await untilReady()
      const answer = ask(url, '{ slow(ms: 1500) }')
      await ask(url, '{ counter }')
      leave()
      await line(/^npm, which started this server, has ended: stopping$/)
      t.match(await answer, { status: 200, body: '{"data":{"slow":"1500"}}' })
      // Its stderr is closed when the last process that has it has ended.
      t.match((await ended).stderr, /\nstopped: \d+ requests? finished, 0 cut$/)
    })
  }
}

void t.test('a server that npm has not started lives on without its parent', async (t) => {
  const { pid, url: untilReady, leave } = await startBy('', [])
  const url = await untilReady()
  leave()
  // Longer than it takes to notice.
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  t.match(await ask(url, '{ counter }'), { status: 200 })
  process.kill(pid, 'SIGTERM')
})
