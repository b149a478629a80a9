import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Runs a Dockerfile without a container engine: each stage is a folder, and commands run on this machine. Supports comments,
 * stages, and one instruction per line.
 */
export async function runDockerfile(text: string, context: string, folder: string) {
  const programs = join(folder, 'programs')
  await makePrograms(programs)
  const isIgnored = readIgnored(readFileSync(join(context, '.dockerignore'), 'utf8'))
  const words = new Map<string, string>()
  let stage = ''
  let place = folder
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const [, word = '', from, rest = ''] = /^([A-Z]+)(?: --from=(\w+))? (.*[^\\])$/.exec(line) ?? []
    if (word === '') throw new Error(`This line is not understood: ${line}`)
    if (word === 'FROM') {
      stage = / AS (\w+)$/.exec(rest)?.[1] ?? 'last'
      words.clear()
    } else if (word === 'WORKDIR') {
      place = join(folder, stage, rest)
      mkdirSync(place, { recursive: true })
    } else if (word === 'COPY') {
      const names = rest.split(' ')
      const target = names.pop() ?? ''
      for (const name of names) {
        const source = join(from === undefined ? context : join(folder, from), name)
        cpSync(source, join(place, target, target.endsWith('/') ? basename(name) : ''), {
          recursive: true,
          filter: (path) => from !== undefined || !isIgnored(relative(context, path)),
        })
      }
    } else if (word === 'RUN') await runCommand(rest, place, programs)
    else words.set(word, rest)
  }
  // The folder that stands for the working directory, and what follows ENV, CMD, USER and the like.
  return { folder: place, words }
}

/** Users and caches are those of this machine, and stay as they are. */
async function makePrograms(folder: string): Promise<void> {
  mkdirSync(folder)
  const { stdout } = await run('bash', ['-c', 'command -v npm'])
  const npm = `[ "$1" = cache ] || exec ${stdout.trim()} "$@" --prefer-offline --no-audit --no-fund`
  for (const [name, body] of Object.entries({ npm, chown: ':' })) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`, { mode: 0o755 })
  }
}

/** Without what tap and npm have put into the environment of the test; tap puts it into that of each child. */
async function runCommand(command: string, cwd: string, programs: string): Promise<void> {
  const { HOME = '', PATH = '' } = process.env
  const env = { HOME, PATH: `${programs}:${PATH}` }
  const maxBuffer = 64 * 1_048_576
  await run('/bin/sh', ['-ec', `unset NODE_OPTIONS; ${command}`], { cwd, env, maxBuffer })
}

/** Patterns of .dockerignore, as ours are: names at the root, and names or endings anywhere. */
function readIgnored(text: string): (path: string) => boolean {
  const lines = text.split('\n').filter((line) => line !== '')
  const patterns = lines.map((line) => {
    const pattern = line.replaceAll('.', String.raw`\.`).replaceAll(/(?<!\*)\*(?!\*)/g, '[^/]*')
    return new RegExp(`^${pattern.replace('**/', '(?:.*/)?')}(?:/|$)`)
  })
  return (path) => patterns.some((pattern) => pattern.test(path))
}
