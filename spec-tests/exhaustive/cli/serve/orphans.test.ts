import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { ask } from '../binary.js'

t.setTimeout(300_000)

const main = fileURLToPath(new URL('../../../../src/cli/main.js', import.meta.url))

/** What npm is to the server that it starts: a process that passes no signal on. */
const parent = `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, process.argv.slice(1), { stdio: ['ignore', 2, 2] })
  process.stdout.write(child.pid + '\\n')
  setInterval(() => {}, 1000)`

interface Orphan {
  readonly pid: number
  readonly url: string
  /** Ends its parent. */
  leave(): void
  /** The next line of stderr that matches. */
  line(pattern: RegExp): Promise<string>
  /** Resolves when nobody writes to stderr any more, with what was written. */
  readonly ended: Promise<string>
}

async function startBy(env: { readonly [name: string]: string }, words: string[]): Promise<Orphan> {
  const child = spawn(
    process.execPath,
    ['-e', parent, '--', main, 'serve', '--standard', '--port=0', ...words],
    { env: { ...process.env, npm_command: '', ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const [pid] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  t.teardown(() => {
    child.kill('SIGKILL')
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It has ended, as it should.
    }
  })
  const lines = createInterface({ input: child.stderr })
  let text = ''
  lines.on('line', (line) => (text += `${line}\n`))
  const line = (pattern: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (candidate: string): void => {
        if (!pattern.test(candidate)) return
        lines.off('line', look)
        resolve(candidate)
      }
      lines.on('line', look)
    })
  const ended = once(lines, 'close').then(() => text)
  const url = (await line(/^listening on /)).replace('listening on ', '')
  return { pid: Number(pid), url, leave: () => child.kill('SIGKILL'), line, ended }
}

for (const command of ['exec', 'start']) {
  for (const workers of [[], ['--workers=2']]) {
    const how = ['serve', ...workers].join(' ')
    void t.test(`${how} ends after the npm ${command} that started it`, async (t) => {
      const { url, leave, line, ended } = await startBy({ npm_command: command }, workers)
      const stopping = line(/^npm, which started this server, has ended: stopping$/)
      const answer = ask(url, '{ slow(ms: 1500) }')
      await ask(url, '{ counter }')
      leave()
      await stopping
      t.match(await answer, { status: 200, body: '{"data":{"slow":"1500"}}' })
      t.match(await ended, /\nstopped: \d+ requests? finished, 0 cut\n$/)
    })
  }
}

void t.test('a server that npm has not started lives on without its parent', async (t) => {
  const { pid, url, leave } = await startBy({}, [])
  leave()
  // Longer than it takes to notice.
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  t.match(await ask(url, '{ counter }'), { status: 200 })
  process.kill(pid, 'SIGTERM')
})
