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

/** A command of the page, and what the page says that it prints. */
interface Step {
  readonly command: string
  readonly expected: string
}

/** The commands behind `$ `, continued behind `> `; what follows is their output. */
function stepsOf(text: string): Step[] {
  const blocks = [...text.matchAll(/```console\n([^]*?)```/g)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map((part) => {
        const lines = part.trimEnd().split('\n')
        const end = lines.findIndex((line, at) => at > 0 && !line.startsWith('> '))
        const command = lines.slice(0, end < 0 ? undefined : end)
        return {
          command: command.map((line) => line.replace(/^> /, '')).join('\n'),
          expected: end < 0 ? '' : lines.slice(end).join('\n'),
        }
      }),
  )
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
async function runAll(steps: readonly Step[], folder: string, origin: string): Promise<string[]> {
  const { host } = new URL(origin)
  const mark = `--- ${Math.random()} ---`
  const script = steps
    .map(({ command }) => `${command.replaceAll('localhost:4000', host)}\necho; echo '${mark}'`)
    .join('\n')
  const shell = spawn('bash', ['-s'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  shell.stdin.end(script)
  let said = ''
  shell.stdout.on('data', (chunk) => (said += String(chunk)))
  await once(shell, 'close')
  return said
    .replaceAll('\r', '')
    .replaceAll(host, 'localhost:4000')
    .split(`${mark}\n`)
    .map((text) => text.trimEnd())
}

void t.test('the tour prints what the page says', async (t) => {
  const folder = t.testdir()
  const service = await startProcess(['--db', join(folder, 'data/people.db')], { cwd: root })
  t.teardown(() => service.stop())
  const steps = stepsOf(page)
  t.ok(steps.length >= 20, 'the page has commands')
  // The commands of the page stand in the root of a clone; their database is that of the service.
  const env = `cd ${root}; export DATABASE_URL=${join(folder, 'data/people.db')}`
  const all = [{ command: env, expected: '' }, ...steps]
  const [, ...answers] = await runAll(all, folder, service.origin)
  for (const [at, { command, expected }] of steps.entries()) {
    t.match(answers[at], toPattern(expected), command)
  }
})

void t.test('the page lists every route', async (t) => {
  for (const { method, path } of peopleRoutes) t.match(page, `${method} ${path}`)
})
