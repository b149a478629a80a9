import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { peopleRoutes } from '../../routes.js'
import { startProcess } from './service-process.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const page = readFileSync(join(root, 'docs/people.md'), 'utf8')

/** The commands after `$ `, continued after `> `, each with the lines that the page says it prints. */
function stepsOf(text: string) {
  const blocks = Array.from(text.matchAll(/```console\n([^]*?)```/g), ([, block = '']) => block)
  const parts = blocks.flatMap((block) => block.split(/^\$ /m).slice(1))
  return parts.map((part) => {
    const [, command = '', expected = ''] = /^(.*(?:\n> .*)*)\n([^]*)$/.exec(part) ?? []
    return { command: command.replaceAll('\n> ', '\n'), expected: expected.trimEnd() }
  })
}

/** `...` stands for any text within a line, and alone on a line for any lines. */
function toPattern(expected: string): RegExp {
  const lines = expected.split('\n').map((line) => {
    if (line === '...') return String.raw`[^]*?`
    return line
      .split('...')
      .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
      .join('.*?')
  })
  return new RegExp(`^${lines.join(String.raw`\n`)}$`)
}

/** Runs the commands in one shell, as a reader would, and gives what each printed. */
async function runAll(commands: readonly string[], folder: string, origin: string) {
  const { host } = new URL(origin)
  const mark = `--- ${Math.random()} ---`
  const script = commands.map((one) => `${one}\necho; echo '${mark}'\n`).join('')
  const shell = spawn('bash', ['-s'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  shell.stdin.end(script.replaceAll('localhost:4000', host))
  let said = ''
  shell.stdout.on('data', (chunk) => (said += String(chunk)))
  await once(shell, 'close')
  const texts = said.replaceAll('\r', '').replaceAll(host, 'localhost:4000').split(`${mark}\n`)
  return texts.map((text) => text.trimEnd())
}

void t.test('the tour prints what the page says', async (t) => {
  const folder = t.testdir()
  const service = await startProcess(['--db', join(folder, 'data/people.db')], { cwd: root })
  t.teardown(() => service.stop())
  const steps = stepsOf(page)
  t.ok(steps.length >= 20, 'the page has commands')
  // The commands of the page stand in the root of a clone; their database is that of the service.
  const env = `cd ${root}; export DATABASE_URL=${join(folder, 'data/people.db')}`
  const commands = [env, ...steps.map(({ command }) => command)]
  const [, ...answers] = await runAll(commands, folder, service.origin)
  for (const [at, { command, expected }] of steps.entries()) {
    t.match(answers[at], toPattern(expected), command)
  }
})

void t.test('the page lists every route', async (t) => {
  for (const { method, path } of peopleRoutes) t.match(page, `${method} ${path}`)
})
